// SPDX-License-Identifier: MIT OR Unlicense
// usage: node simulate.mjs JOBS.csv PROCS: the digest of conservative backfilling, and
// the processor seconds of the fastest of seven runs. JOBS.csv is what `fairsched
// simulate --jobs-out` writes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import process from "node:process";

import { simulate } from "fairsched";

const [names, ...rows] = readFileSync(process.argv[2], "utf8").trim().split("\n")
	.map((line) => line.split(","));
const column = (name) => {
	const i = names.indexOf(name);
	return rows.map((row) => Number(row[i]));
};
const trace = { submit: column("submission_time"), run: column("execution_time"),
	walltime: column("requested_time"),
	procs: column("requested_number_of_resources") };
let best = Infinity;
for (let i = 0; i < 7; i++) {
	const begin = process.cpuUsage();
	const { start, digest } = simulate({ procs: Number(process.argv[3]) }, trace);
	const { user, system } = process.cpuUsage(begin);
	best = Math.min(best, (user + system) / 1e6);
	assert.deepEqual(start, column("starting_time"));
	console.log(`digest ${digest}`);
}
console.log(`seconds ${best}`);
