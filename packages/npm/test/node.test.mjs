// SPDX-License-Identifier: MIT OR Unlicense
// FAIRSCHED_SUITE is the conformance suite, FUZZ_SECONDS how long any input is tried.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { FairschedError, Scheduler, simulate, version } from "fairsched";
import { play } from "./conformance.mjs";

const suite = JSON.parse(readFileSync(process.env.FAIRSCHED_SUITE));

test("conformance", () => {
	assert.equal(play(suite), 500);
});

test("a start that does not fit", () => {
	const s = new Scheduler({ procs: 8 });
	for (const number of [1, 2, 3]) s.submit(0, { number, procs: 8, walltime: 10 });
	const fits = ({ number }) => [null, 50, null, 0][number];
	assert.deepEqual(s.stepIf(0, fits).map((start) => start.number), [3]);
	assert.equal(s.status(1).start, 50);
	assert.equal(s.status(2).start, null);
	s.finish(10, 3);
	s.retry(10, 2);
	assert.deepEqual(s.step(10).map((start) => start.number), [2]);
});

test("texts", () => {
	const message = (config) => {
		try {
			new Scheduler(config);
		} catch (error) {
			assert(error instanceof FairschedError);
			return error.message;
		}
	};
	assert.equal(message({ procs: 0 }), "procs is below 1");
	assert.equal(message({ procs: 1, policy: "best" }), "there is no policy 'best'");
	assert.equal(message({ procs: 1.5 }), "procs is not a whole number");
	assert.equal(message(null), "the configuration is not an object");
	assert.throws(() => new Scheduler({ procs: 1 }).cancel(0, 7), { code: 2 });
	assert.match(version, /^\d\.\d\.\d$/);
});

test("a trace", () => {
	const trace = { submit: [0, 10, 20, 30], run: [60, 50, 30, 40],
		walltime: [100, 50, 30, 40], procs: [5, 5, 3, 3] };
	const { start, promise } = simulate({ procs: 8 }, trace);
	assert.deepEqual(start, [0, 60, 20, 50]);
	assert.equal(promise[1], 100);
	assert.throws(() => simulate({ procs: 8 }, { ...trace, procs: [9, 1, 1, 1] }),
		{ code: 34 });
	assert.throws(() => simulate({ procs: 8 }, { ...trace, procs: [1] }), FairschedError);
	assert.throws(() => simulate({ procs: 8 }, { submit: [], run: [], walltime: [],
		procs: [] }), FairschedError);
});

test("jobs", () => {
	const s = new Scheduler({ procs: 8 });
	for (const number of [1, 2, 3]) s.submit(0, { number, procs: 8, walltime: 9 });
	s.step(0);
	assert.deepEqual(s.jobs("running"), [1]);
	assert.deepEqual(s.jobs("queued"), [2, 3]);
	assert.throws(() => s.jobs("asleep"), /there is no state 'asleep'/);
});

test("ends of one second", () => {
	for (const together of [false, true]) {
		const s = new Scheduler({ procs: 10, jobs: 4 });
		s.submit(0, { number: 1, procs: 5, walltime: 100 });
		s.submit(0, { number: 2, procs: 5, walltime: 100 });
		s.step(0);
		s.submit(0, { number: 4, procs: 10, walltime: 20 });
		s.submit(0, { number: 5, procs: 5, walltime: 40 });
		if (together) {
			assert.throws(() => s.finishMany(50, [1, 2], [0]), /1 statuses, not 2/);
			s.finishMany(50, [1, 2], [0, 9]);
		} else {
			s.finish(50, 1);
			s.finish(50, 2, 9);
		}
		assert.equal(s.step(50)[0].number, together ? 4 : 5);
	}
});

test("grows", () => {
	const config = { procs: 100, jobs: 1 };
	const small = new Scheduler(config), large = new Scheduler({ procs: 100, jobs: 64 });
	for (let number = 0; number < 50; number++)
		for (const s of [small, large]) {
			s.submit(number, { number, procs: 1 + number % 5, walltime: 60 });
			s.step(number);
		}
	assert.equal(small.digest(), large.digest());
	const again = Scheduler.load(config, small.save());
	assert.equal(again.digest(), large.digest());
	assert.throws(() => again.submit(50, { number: 50, procs: 1, walltime: 0 }),
		{ code: 22, message: "walltime is below 1" });
});

// Functions of the caller's that arguments bring along call the same scheduler.
test("calls out of arguments", () => {
	const s = new Scheduler({ procs: 8, ineligible: 4, advances: 4 });
	let last = 100;
	const call = () => {
		s.submit(0, { number: ++last, procs: 1, walltime: 9 });
		s.step(0);
		s.save(); // memory grows
		return last;
	};
	const getters = (object) => Object.defineProperties({}, Object.fromEntries(
		Object.entries(object).map(([name, value]) =>
			[name, { get: () => (call(), value) }])));
	s.submit(0, getters({ number: 1, procs: 1, walltime: 9,
		wait: getters({ begin: null, held: true }) }));
	s.reserve(0, getters({ number: 5, from: 100, to: 200, procs: 1 }));
	assert.deepEqual(s.jobs({ toString: () => (call(), "ineligible") }), [1]);
	assert.equal(s.check(), 0);
	assert.equal(s.status(1).procs, 1);
});

// An error or an answer, whatever the arguments; never a crash.
test("any input", () => {
	let seed = 1;
	const below = (n) => {
		seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
		return Math.floor(seed / 2 ** 32 * n);
	};
	const ODD = [0, -1, 2 ** 53, 2 ** 31, 2 ** 34, 2 ** 50, 100, NaN, "7", null,
		undefined, {}, [1], 0.5, -Infinity];
	const any = () => (below(10) ? below(9) : ODD[below(ODD.length)]);
	const job = () => ({ number: any(), procs: any(), walltime: any(), user: any(),
		tasks: below(9), amount: [[], [0, 1], any()][below(3)],
		classes: [[], [1, 200], any()][below(3)],
		wait: [null, any(), { begin: any(), after: any(), held: any() }][below(3)] });
	const NAMES = ["finish", "cancel", "requeue", "suspend", "resume", "refuse",
		"retry", "finishMany", "withdraw", "modify", "defer", "capacity", "reserve", "addUser",
		"step", "stepIf", "status", "why", "estimate", "userUsage"];
	const { errors } = suite;
	const attempt = (f) => {
		try {
			return f();
		} catch (error) {
			// Numbered errors have the library's text; the package itself tells
			// of memory, and of what is not valid or too large.
			assert(error instanceof FairschedError && error.message, String(error.stack));
			assert([12, 22, 75].includes(error.code) ||
				error.message === errors[error.code], `${error.code} ${error}`);
			return null;
		}
	};
	// Its text is that of a field, or of the number.
	const submit = (s, at, job) => {
		try {
			s.submit(at, job);
		} catch (error) {
			assert(error instanceof FairschedError && error.message, String(error.stack));
		}
	};
	const end = Date.now() + 1000 * (process.env.FUZZ_SECONDS ?? 1);
	let rounds = 0;
	for (; Date.now() < end; rounds++) {
		const config = { policy: ["fcfs", "easy", "conservative", "pc", "dc", "sfs",
			"relshare"][below(7)],
			procs: 8, jobs: 20, ineligible: 20, advances: 4 };
		if (config.policy === "sfs") config.target = [10, 20];
		if (config.policy === "relshare")
			Object.assign(config, { share: [1, 2], halfLife: 100, window: 100, ids: 4 });
		if (!below(3)) config.machine = { resources: 2, classes: 2, amount: [4, 0, 4, 1] };
		const name = ["depth", "procs", "jobs", "ids", "target", "order", "share",
			"machine", "policy"][below(9)];
		attempt(() => new Scheduler({ ...config, [name]: any() }));
		attempt(() => simulate(config, { submit: [any(), 9], run: [any(), 1],
			walltime: [1, any()], procs: [1, any()] }));
		const s = new Scheduler(config);
		for (let i = 0, now = 0; i < 300; i++) {
			now += below(2);
			const at = below(20) ? now : any();
			for (const state of ["queued", "running", "ineligible", any()])
				for (const number of attempt(() => s.jobs(state)) ?? [])
					assert.equal(s.status(number).state, state);
			if (below(3)) submit(s, at, job());
			else if (!below(9)) attempt(() => s.finishMany(at, [any(), any()],
				[undefined, [0, any()], any()][below(3)]));
			else attempt(() => s[NAMES[below(NAMES.length)]](at, any(), any(), any()));
		}
		assert.equal(s.check(), 0);
		const saved = s.save();
		assert.equal(Scheduler.load(config, saved).digest(), s.digest());
		assert.throws(() => Scheduler.load({ ...config, origin: -1 }, saved),
			/: another origin$/);
		saved[below(saved.length)] ^= 1;
		assert.throws(() => Scheduler.load(config, saved), FairschedError);
	}
	console.log(`${rounds} rounds`);
});
