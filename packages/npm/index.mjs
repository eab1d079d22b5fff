// SPDX-License-Identifier: MIT OR Unlicense
// Decides which parallel job starts when, and fairly: the C library as
// WebAssembly, in Node and in browsers. index.d.ts tells what is exported.

async function load() {
	const url = new URL("fairsched.wasm", import.meta.url);
	if (url.protocol !== "file:")
		return WebAssembly.compileStreaming(fetch(url));
	const { readFile } = await import("node:fs/promises");
	return WebAssembly.compile(await readFile(url).catch((cause) => {
		throw new Error("fairsched.wasm is missing. In the tree of fairsched, " +
			"sh tools/pack.sh npm FOLDER writes a package that has it.", { cause });
	}));
}

const code = await load();
const FOREVER = 2n ** 63n - 1n;
const PAGE = 65536;
const ROOM = 64;
const TOO_LARGE = 75, INVALID = 22, MEMORY = 12, NO_ROOM = 28;

// The functions of flat.h, in its order.
const CALL = Object.fromEntries(["version", "error", "policy", "order", "state",
	"cause", "configSize", "configError", "size", "open", "saveSize", "save",
	"submit", "defer", "change", "capacity", "reserve", "step", "next", "count",
	"digest", "check", "status", "scratchSize", "estimate", "why", "usage",
	"addEntity", "replaySize", "replay", "stateNumber", "each", "damage", "refused",
	"finishMany", "nextStart", "growSize", "grow", "savedJobs"].map((name, i) => [name, BigInt(i)]));
const EVENTS = ["finish", "cancel", "requeue", "suspend", "resume", "refuse",
	"retry", "modify", "withdraw", "replan"];

export class FairschedError extends Error {
	constructor(code, text) {
		super(text);
		this.name = "FairschedError";
		this.code = code;
	}
}

const invalid = (text) => new FairschedError(INVALID, text);

// A word of what should be a whole number; what is not there is 0.
function word(value, what) {
	if (value === undefined) return 0n;
	if (typeof value === "boolean") return BigInt(value);
	if (!Number.isInteger(value)) throw invalid(`${what} is not a whole number`);
	if (!Number.isSafeInteger(value))
		throw new FairschedError(TOO_LARGE, `${what} is too large`);
	return BigInt(value);
}

// C has 0 for the default, and -1 for 0.
function patience(seconds) {
	const n = word(seconds, "patience");
	return seconds === undefined || n > 0n ? n : n - 1n;
}

function list(values, what) {
	if (values === undefined) return [];
	if (!Array.isArray(values) && !ArrayBuffer.isView(values))
		throw invalid(`${what} is not a list`);
	return Array.from(values, (value) => word(value, what));
}

function object(value, what) {
	if (typeof value !== "object" || value === null)
		throw invalid(`${what} is not an object`);
	return value;
}

const time = (seconds) => (seconds === FOREVER ? null : Number(seconds));

// An instance of the library. Its memory grows as a stack.
class Library {
	constructor() {
		const { exports } = new WebAssembly.Instance(code);
		this.run = exports.call;
		this.memory = exports.memory;
		this.top = exports.__heap_base.value;
		this.argument = this.alloc(8 * 14);
	}

	alloc(bytes) {
		const address = Math.ceil(this.top / 16) * 16;
		const missing = address + bytes - this.memory.buffer.byteLength;
		try {
			if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
		} catch {
			throw new FairschedError(MEMORY, "there is not enough memory");
		}
		this.top = address + bytes;
		return address;
	}

	// A view, until memory grows.
	words(address, n) {
		return new BigInt64Array(this.memory.buffer, address, n);
	}

	put(words) {
		const address = this.alloc(8 * words.length);
		this.words(address, words.length).set(words);
		return address;
	}

	putBytes(bytes) {
		const address = this.alloc(bytes.length);
		new Uint8Array(this.memory.buffer, address, bytes.length).set(bytes);
		return address;
	}

	bytes(address, n) {
		return new Uint8Array(this.memory.buffer, address, n).slice();
	}

	text(address) {
		const bytes = new Uint8Array(this.memory.buffer, Number(address));
		return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
	}

	call(name, ...argument) {
		const words = this.words(this.argument, 14).fill(0n);
		argument.forEach((x, i) => { words[i] = BigInt(x); });
		return this.run(CALL[name], this.argument);
	}

	// What is not below 0, or the error.
	check(answer) {
		if (answer < 0n)
			throw new FairschedError(Number(-answer),
				this.text(this.call("error", answer)));
		return Number(answer);
	}

	number(function_, name, what) {
		const bytes = new TextEncoder().encode(`${name}\0`);
		const n = this.call(function_, this.putBytes(bytes));
		if (n < 0n || bytes.indexOf(0) < bytes.length - 1)
			throw invalid(`there is no ${what} '${name}'`);
		return n;
	}

	// The arguments of the functions that read a configuration. There is room for
	// what was saved.
	config(config, jobs, saved = 0n) {
		const c = object(config, "the configuration");
		const easy = c.policy === "easy";
		const machine = c.machine ? object(c.machine, "machine") : {};
		const target = list(c.target, "target"), share = list(c.share, "share");
		const users = word(c.users, "users");
		const room = word(jobs ?? c.jobs ?? 1000, "jobs");
		const words = [
			this.number("policy", easy ? "backfill" : c.policy ?? "conservative",
				"policy"),
			this.number("order", c.order ?? "fcfs", "order"),
			word(c.depth || (easy ? 1 : 0), "depth"),
			...["procs", "origin"].map((x) => word(c[x], x)),
			saved > 0n && saved > room ? saved : room,
			...["ineligible", "advances"].map((x) => word(c[x], x)),
			BigInt(target.length),
			users > share.length ? users : BigInt(share.length),
			...["weight", "halfLife", "window"].map((x) => word(c[x], x)),
			patience(c.patience), word(c.ids, "ids"),
			BigInt(target.length), BigInt(share.length),
			...["resources", "classes", "wide"].map((x) => word(machine[x], x)),
			...target, ...share, ...list(machine.amount, "amount")];
		const address = this.put(words);
		const all = [this.alloc(Number(this.call("configSize"))), address,
			words.length];
		const problem = this.call("configError", ...all);
		if (problem) throw invalid(this.text(problem));
		return all;
	}
}

function waitWords(wait) {
	if (wait === null || wait === undefined)
		return [0n, -(2n ** 63n), 0n, 0n, 0n];
	object(wait, "wait");
	const has = wait.after !== undefined && wait.after !== null;
	return [1n,
		wait.begin === undefined || wait.begin === null
			? -(2n ** 63n) : word(wait.begin, "begin"),
		has ? word(wait.after, "after") : 0n, has ? (wait.ok ? 1n : 2n) : 0n,
		word(Boolean(wait.held), "held")];
}

export class Scheduler {
	#library;
	#flat;
	#mark; // of what stays

	constructor(config) {
		this.#open(config, null);
	}

	static load(config, checkpoint) {
		if (!(checkpoint instanceof Uint8Array) || !checkpoint.length)
			throw invalid("the checkpoint is not a Uint8Array, or empty");
		const s = new Scheduler(config);
		s.#open(config, checkpoint);
		return s;
	}

	#open(config, checkpoint) {
		const l = this.#library = new Library(), bottom = l.top;
		const saved = checkpoint
			? l.call("savedJobs", l.putBytes(checkpoint), checkpoint.length) : 0n;
		l.top = bottom;
		const all = l.config(config, undefined, saved);
		const size = Number(l.call("size", ...all));
		this.#flat = l.alloc(size);
		this.#mark = l.top;
		const from = checkpoint ? l.putBytes(checkpoint) : 0;
		const code = l.call("open", this.#flat, size, all[1], all[2], from,
			checkpoint ? checkpoint.length : 0);
		const why = code === -BigInt(INVALID)
			? l.text(l.call("damage", this.#flat)) : "";
		if (why) throw invalid(why);
		l.check(code);
		l.top = this.#mark;
	}

	// What a call allocates is free again afterwards.
	#do(f) {
		try {
			return f(this.#library, this.#flat);
		} finally {
			this.#library.top = this.#mark;
		}
	}

	#event(name, now, words, ...rest) {
		this.#do((l, flat) => l.check(l.call(name, flat, word(now, "now"),
			...rest.map((x) => word(x, "the number")), l.put(words),
			words.length)));
	}

	#change(event, now, number, a = 0, b = 0) {
		this.#do((l, flat) => l.check(l.call("change", flat,
			EVENTS.indexOf(event), word(now, "now"), word(number, "number"),
			word(a, "procs"), b === null ? FOREVER : word(b, "the time"))));
	}

	submit(now, job) {
		object(job, "the job");
		const amount = list(job.amount, "amount");
		const classes = list(job.classes, "classes");
		const words = [word(job.number, "number"), word(job.submit ?? now, "submit"),
			...["procs", "walltime", "user", "group", "account", "queue", "qos",
				"tasks", "advance"].map((x) => word(job[x], x)),
			...waitWords(job.wait), BigInt(amount.length), BigInt(classes.length),
			...amount, ...classes];
		this.#do((l, flat) => {
			const a = [word(now, "now"), l.put(words), words.length];
			let code = l.call("submit", flat, ...a);
			if (code === -BigInt(NO_ROOM)) code = this.#grow(a);
			const field = l.call("refused", this.#flat);
			if (code < 0n && field)
				throw new FairschedError(Number(-code), l.text(field));
			l.check(code);
		});
	}

	// Submits to a copy with room for twice the jobs, which stays if it takes the
	// job. The former memory stays, too: all of it together is less than the new one.
	#grow(a) {
		const l = this.#library;
		const size = Number(l.call("growSize", this.#flat));
		if (!size) return -BigInt(NO_ROOM);
		const to = l.alloc(size);
		const code = l.call("grow", this.#flat, to, size) || l.call("submit", to, ...a);
		if (!code) {
			this.#flat = to;
			this.#mark = l.top;
		}
		return code;
	}

	finish(now, number, status = 0) {
		this.#change("finish", now, number, status);
	}

	finishMany(now, numbers, statuses) {
		const number = list(numbers, "numbers");
		const status = list(statuses, "statuses");
		if (statuses !== undefined && status.length !== number.length)
			throw invalid(`there are ${status.length} statuses, not ${number.length}`);
		if (status.some((x) => BigInt.asIntN(32, x) !== x))
			throw new FairschedError(TOO_LARGE, "a status is too large");
		const bytes = new Uint8Array(Int32Array.from(status, Number).buffer);
		this.#do((l, flat) => l.check(l.call("finishMany", flat, word(now, "now"),
			l.put(number), statuses === undefined ? 0 : l.putBytes(bytes),
			number.length)));
	}

	cancel(now, number) { this.#change("cancel", now, number); }
	requeue(now, number) { this.#change("requeue", now, number); }
	suspend(now, number) { this.#change("suspend", now, number); }
	resume(now, number) { this.#change("resume", now, number); }
	refuse(now, number, until = now) {
		this.#change("refuse", now, number, 0, until);
	}

	retry(now, number) { this.#change("retry", now, number); }
	withdraw(now, number) { this.#change("withdraw", now, number); }
	replan(now) { this.#change("replan", now, 0); }

	modify(now, number, procs, walltime) {
		word(walltime, "walltime");
		this.#change("modify", now, number, procs, walltime);
	}

	defer(now, number, wait) {
		const [waits, ...words] = waitWords(wait);
		this.#do((l, flat) => l.check(l.call("defer", flat, word(now, "now"),
			word(number, "number"), waits ? l.put(words) : 0)));
	}

	capacity(now, delta, victims = []) {
		this.#event("capacity", now, list(victims, "victims"), delta);
	}

	reserve(now, advance) {
		object(advance, "the advance reservation");
		const words = ["number", "from", "to", "procs", "forJobs", "nodeClass",
			"force"].map((x) => word(advance[x], x));
		this.#event("reserve", now, words);
	}

	addUser(now, user) {
		this.#do((l, flat) => l.check(l.call("addEntity", flat, word(now, "now"), 0,
			word(user, "user"))));
	}

	stepIf(now, fits) {
		if (typeof fits !== "function") throw invalid("fits is not a function");
		const made = [];
		for (;;) {
			const starts = this.step(now);
			const all = made.length + starts.length;
			for (const start of starts) {
				const from = fits(start);
				if (from !== null && from <= now) made.push(start);
				else this.refuse(now, start.number, from);
			}
			if (made.length === all || this.nextStart() !== now) return made;
		}
	}

	step(now) {
		return this.#do((l, flat) => {
			const to = l.alloc(16 * ROOM), decisions = [];
			for (let n = ROOM; n === ROOM;) {
				n = l.check(l.call("step", flat, word(now, "now"), to, ROOM));
				const words = l.words(to, 2 * n);
				for (let i = 0; i < n; i++)
					decisions.push({ number: Number(words[2 * i]),
						nodeClass: Number(words[2 * i + 1]) });
			}
			return decisions;
		});
	}

	#ask(name, ...a) {
		return this.#do((l, flat) => l.call(name, flat, ...a));
	}

	next() { return time(this.#ask("next")); }
	nextStart() { return time(this.#ask("nextStart")); }
	count() { return [0, 1, 2].map((state) => Number(this.#ask("count", state))); }
	check() { return Number(this.#ask("check")); }

	digest() {
		return BigInt.asUintN(64, this.#ask("digest")).toString(16).padStart(16, "0");
	}

	jobs(state) {
		const name = `${state}`;
		return this.#do((l, flat) => {
			const of = l.number("stateNumber", name, "state");
			const at = l.put([0n, 0n]), numbers = [];
			while (l.call("each", flat, of, at, at + 8))
				numbers.push(Number(l.words(at, 2)[1]));
			return numbers;
		});
	}

	status(number) {
		return this.#do((l, flat) => {
			const out = l.alloc(8 * 11);
			l.check(l.call("status", flat, word(number, "number"), out));
			const w = l.words(out, 11).slice();
			const state = l.text(l.call("state", w[0]));
			return { state, start: time(w[1]),
				end: state === "running" ? time(w[2]) : null,
				firstPromise: time(w[3]), cause: l.text(l.call("cause", w[4])),
				moves: Number(w[5]), nodeClass: Number(w[7]),
				procs: Number(w[8]), walltime: Number(w[9]),
				user: Number(w[10]) };
		});
	}

	#scratch(name, number, room, read) {
		return this.#do((l, flat) => {
			const size = Number(l.call("scratchSize", flat));
			const scratch = l.alloc(size), to = l.alloc(room);
			return read(l, to, l.check(l.call(name, flat, word(number, "number"),
				scratch, size, to, room)));
		});
	}

	estimate(number) {
		return this.#scratch("estimate", number, 8,
			(l, to) => time(l.words(to, 1)[0]));
	}

	why(number) {
		for (let room = 256; ;) {
			const [n, text] = this.#scratch("why", number, room,
				(l, to, length) => [length, l.text(to)]);
			if (n < room) return text;
			room = n + 1;
		}
	}

	userUsage(user) {
		return this.#do((l, flat) => {
			const to = l.alloc(8);
			l.check(l.call("usage", flat, 0, word(user, "user"), to));
			return Number(l.words(to, 1)[0]);
		});
	}

	save() {
		return this.#do((l, flat) => {
			const size = l.check(l.call("saveSize", flat)), to = l.alloc(size);
			l.check(l.call("save", flat, to, size));
			return l.bytes(to, size);
		});
	}
}

export function simulate(config, trace) {
	const l = new Library();
	object(trace, "the trace");
	const columns = [trace.submit, trace.run, trace.walltime, trace.procs]
		.map((column, i) => list(column, ["submit", "run", "walltime", "procs"][i]));
	const jobs = columns[0].length;
	const user = trace.user && list(trace.user, "user");
	if ([...columns, user ?? columns[0]].some((c) => c.length !== jobs))
		throw invalid("columns of different lengths");
	if (columns[3].some((p) => BigInt.asIntN(32, p) !== p))
		throw new FairschedError(TOO_LARGE, "procs is too large");
	const all = [...l.config(config, Math.max(jobs, 1)),
		...columns.slice(0, 3).map((column) => l.put(column)),
		l.putBytes(new Uint8Array(Int32Array.from(columns[3], Number).buffer)),
		user ? l.put(user) : 0, jobs];
	const size = Number(l.call("replaySize", ...all));
	const [memory, start, promise, digest] =
		[size, 8 * jobs, 8 * jobs, 8].map((bytes) => l.alloc(bytes));
	l.check(l.call("replay", ...all, memory, size, start, promise, digest));
	return { start: Array.from(l.words(start, jobs), Number),
		promise: Array.from(l.words(promise, jobs), time),
		digest: BigInt.asUintN(64, l.words(digest, 1)[0]).toString(16)
			.padStart(16, "0") };
}

const library = new Library();
export const version = library.text(library.call("version"));
