#!/bin/sh
# SPDX-License-Identifier: MIT OR Unlicense
# Each notebook runs, draws as many pictures as the tree has of it, and prints the
# same text. NOTEBOOKS_OUT keeps what it drew.
. tests/packages/common.sh

out=${NOTEBOOKS_OUT:-$tmp/out}
mkdir -p "$out" "$tmp/user"
need pyproject-build build scikit-build-core cffi
if ! python3 -m venv "$tmp/venv" >"$tmp/need" 2>&1 ||
	! "$tmp/venv/bin/pip" install -q --retries 1 --timeout 15 --prefer-binary \
		matplotlib nbclient nbformat ipykernel >"$tmp/need" 2>&1 ||
	! PATH=$tmp/venv/bin:$PATH installs Python "$tmp/user" >"$tmp/need" 2>&1; then
	tail -n 1 "$tmp/need"
	skip notebooks "what they use cannot be installed"
	finish
fi
# The first time it tells that it looks for fonts.
export MPLCONFIGDIR="$tmp/matplotlib"
check "fonts" "$tmp/venv/bin/python" -c "import matplotlib.font_manager"
cat >"$tmp/notebooks.py" <<'EOF'
import sys

import nbclient
import nbformat


def outputs(notebook):
    return [o for c in notebook.cells for o in c.get("outputs", [])]


def text(notebook):
    return "".join(o.text for o in outputs(notebook) if o.output_type == "stream")


def pictures(notebook):
    return [o.data["image/png"] for o in outputs(notebook)
            if "image/png" in o.get("data", {})]


path, to = sys.argv[1:]
notebook = nbformat.read(path, 4)
want = text(notebook), len(pictures(notebook))
nbclient.NotebookClient(notebook, timeout=600, resources={
    "metadata": {"path": to}}).execute()
for cell in notebook.cells:
    cell.metadata.pop("execution", None)
nbformat.write(notebook, f"{to}/{path.rsplit('/', 1)[-1]}")
print(*[o.name for o in outputs(notebook) if o.get("name") == "stderr"])
assert not any(o.get("name") == "stderr" for o in outputs(notebook))
assert all(len(p) > 5000 for p in pictures(notebook))
assert (text(notebook), len(pictures(notebook))) == want, (
    text(notebook), len(pictures(notebook)), want)
EOF
for notebook in packages/python/notebooks/*.ipynb; do
	check "${notebook##*/}" env IPYTHONDIR="$tmp" "$tmp/venv/bin/python" \
		"$tmp/notebooks.py" "$notebook" "$out"
	check "which has pictures" grep -q '"image/png"' "$notebook"
done
finish
