// SPDX-License-Identifier: MIT OR Unlicense
// usage: node loop.mjs FILE.wasm
//
// The loop of ../loop.c in JavaScript; FILE.wasm is ../foreign.c.
import { readFileSync } from "node:fs";

const FOREVER = 2n ** 63n - 1n;
const CONSERVATIVE = 2;
const walltime = [100n, 50n, 30n, 200n];
const run = [60n, 50n, 30n, 90n];
const procs = [5, 6, 3, 2];

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]));
const c = instance.exports;
const bytes = 8 * c.foreign_words(CONSERVATIVE, 8, 4);
const base = c.__heap_base.value; // the free memory begins after the stack
const missing = base + bytes - c.memory.buffer.byteLength;
if (missing > 0) c.memory.grow(Math.ceil(missing / 65536));
const sched = c.foreign_open(base, CONSERVATIVE, 8, 4);

function check(error) {
	if (error) throw new Error(`error ${error}`);
}

const min = (times) => times.reduce((a, b) => (a < b ? a : b));
const arrivals = [0n, 10n, 20n, 30n];
const ends = [FOREVER, FOREVER, FOREVER, FOREVER];
for (let now = 0n; now !== FOREVER; ) {
	ends.forEach((end, job) => {
		if (end === now) check(c.fair_sched_finish(sched, now, BigInt(job + 1)));
	});
	arrivals.forEach((time, job) => {
		if (time === now)
			check(c.foreign_submit(sched, now, BigInt(job + 1),
				walltime[job], procs[job]));
	});
	for (let n; (n = c.foreign_start(sched, now)) > 0n; ) {
		console.log(`${String(now).padStart(3)} job ${n}`);
		ends[Number(n) - 1] = now + run[Number(n) - 1];
	}
	now = min([c.fair_sched_next(sched),
		...[...arrivals, ...ends].filter((time) => time > now)]);
}
const digest = BigInt.asUintN(64, c.fair_sched_digest(sched));
console.log(`digest ${digest.toString(16).padStart(16, "0")}`);
