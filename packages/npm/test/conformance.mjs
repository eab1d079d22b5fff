// SPDX-License-Identifier: MIT OR Unlicense
// The conformance suite, in Node and in browsers.
import { FairschedError, Scheduler } from "fairsched";

function same(a, b) {
	if (typeof a !== "object" || !a || !b) return a === b;
	const keys = Object.keys(a);
	return keys.length === Object.keys(b).length &&
		keys.every((key) => same(a[key], b[key]));
}

const waitOf = (w) => w && { begin: w.begin, after: w.end ? w.after : null,
	ok: w.end === 1, held: w.held };

const ANSWERS = {
	submit: (p, now, job, wait) => p.s.submit(now, { ...job, wait: waitOf(wait) }),
	defer: (p, now, number, wait) => p.s.defer(now, number, waitOf(wait)),
	reserve: (p, now, a, force) => p.s.reserve(now,
		{ ...a, forJobs: a.kind === 1, nodeClass: a.class, force }),
	step: (p, now) => p.s.step(now).map((d) => d.number),
	next: (p) => [p.s.next(), p.s.nextStart()],
	finish_many: (p, now, numbers) => p.s.finishMany(now, numbers),
	refuse_until: (p, now, number, until) => p.s.refuse(now, number, until),
	estimate: (p, number) => [p.s.estimate(number)],
	usage: (p, user) => [p.s.userUsage(user)],
	reload: (p) => { p.s = Scheduler.load(p.config, p.s.save()); },
	status: (p, number) => {
		const { state, start, cause, moves, nodeClass } = p.s.status(number);
		return { state, start, cause, moves, class: nodeClass };
	},
};

function answer(p, errors, name, ...rest) {
	try {
		return (ANSWERS[name] ? ANSWERS[name](p, ...rest)
			: p.s[name](...rest)) ?? 0;
	} catch (error) {
		if (!(error instanceof FairschedError)) throw error;
		return error.message === errors[error.code] ? error.code
			: [error.code, error.message];
	}
}

/** Plays it: how many sequences are equal; throws at the first difference. */
export function play(suite) {
	for (const { name, config, events } of suite.sequences) {
		const { half_life: halfLife, ...fields } = config;
		const p = { config: { ...fields, halfLife } };
		p.s = new Scheduler(p.config);
		events.forEach((event, i) => {
			const got = answer(p, suite.errors, ...event.slice(0, -1));
			if (!same(got, event.at(-1)))
				throw new Error(`${name} ${i} ${event[0]}: ${JSON.stringify(got)},` +
					` not ${JSON.stringify(event.at(-1))}`);
		});
		if (p.s.check()) throw new Error(`${name}: broken invariant`);
	}
	return suite.sequences.length;
}
