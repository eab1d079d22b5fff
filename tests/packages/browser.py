#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Unlicense
"""usage: browser.py FOLDER BROWSER: the npm package in a real browser.

FOLDER has node_modules/fairsched, test/ and suite.json. A page that is served from
there imports the package by an import map, plays the conformance suite, and sends
back how many sequences are equal, and what a bad configuration throws.
"""
import functools
import http.server
import subprocess
import sys
import tempfile

PAGE = b"""<!doctype html><meta charset="utf-8">
<script type="importmap">{"imports":
	{"fairsched": "/node_modules/fairsched/index.mjs"}}</script>
<script type="module">
	const send = (text) => fetch("/answer", { method: "POST", body: text });
	addEventListener("error", (event) => send(`error: ${event.message}`));
	addEventListener("unhandledrejection", (event) => send(`error: ${event.reason}`));
	try {
		const { Scheduler, version } = await import("fairsched");
		const { play } = await import("/test/conformance.mjs");
		const equal = play(await (await fetch("/suite.json")).json());
		let text = "no error";
		try {
			new Scheduler({ procs: 0 });
		} catch (error) {
			text = `${error.name}: ${error.message}`;
		}
		await send(`version ${version}, ${equal} equal, ${text}`);
	} catch (error) {
		await send(`error: ${error.stack}`);
	}
</script>
"""
answers = []


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {".mjs": "text/javascript", ".wasm": "application/wasm",
                      ".json": "application/json", "": "application/octet-stream"}

    def log_message(self, *arguments):
        pass

    def reply(self, body):
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path == "/":
            self.reply(PAGE)
        else:
            super().do_GET()

    def do_POST(self):
        length = int(self.headers["Content-Length"])
        answers.append(self.rfile.read(length).decode())
        self.reply(b"")


def main():
    folder, browser = sys.argv[1:]
    handler = functools.partial(Handler, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, \
            tempfile.TemporaryDirectory() as home:
        server.timeout = 1
        child = subprocess.Popen(
            [browser, "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", f"--user-data-dir={home}/user",
             f"http://127.0.0.1:{server.server_port}/"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(120):
            server.handle_request()
            if answers or child.poll() is not None:
                break
        child.kill()
        child.wait()
    print(answers[0] if answers else "error: no answer")
    return not answers or answers[0].startswith("error")


sys.exit(main())
