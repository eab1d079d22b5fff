// SPDX-License-Identifier: MIT OR Unlicense
// host.c in JavaScript. Times are milliseconds.
import { Scheduler } from "fairsched";

const HOUR = 3600000, CHANGE = 3650000, NEVER = Infinity;

class Host {
	constructor(crash) { // after each call: go on from a checkpoint
		this.crash = crash;
		this.steps = 0;
		this.job = new Map();
		this.plan(1, 0, 1000, 600, 1000);
		this.plan(2, 0, 5000, 5000, 500);
		this.plan(3, 0, 5000, 4000, 500);
		this.plan(4, 0, 7000, 7000, 1000);
		this.plan(5, 3640000, 40000, 20000, 1000);
		this.plan(6, 3640000, 5000, 5000, 10);
		for (let i = 7; i < 1007; i++) this.plan(i, 3700000, 60000, 30000, 1);
		this.plan(1007, 3700000, 1000, 1000, 1000);
		this.open("conservative");
	}

	plan(i, submit, walltime, run, procs) {
		this.job.set(i, { submit, walltime, run, procs, end: NEVER });
	}

	open(policy) {
		this.config = { policy, procs: 1000, jobs: 2 };
		this.s = new Scheduler(this.config);
	}

	call(method, ...values) {
		const answer = this.s[method](...values);
		if (this.crash) this.s = Scheduler.load(this.config, this.s.save());
		return answer;
	}

	submit(now, number, walltime) {
		const { submit, procs } = this.job.get(number);
		this.call("submit", now, { number, submit, walltime, procs });
	}

	step(now) {
		let started = 0;
		do {
			this.steps++;
			for (const { number } of this.call("step", now)) {
				if (number === 2 && now < HOUR) {
					this.call("refuse", now, number, null);
					continue;
				}
				const job = this.job.get(number);
				job.end = now + job.run;
				started++;
			}
		} while (this.s.nextStart() === now);
		return started;
	}

	// Jobs that run keep the rest of their walltimes, and start at once; then come
	// those that wait.
	change(now) {
		if (!this.crash) console.log("change", this.s.digest());
		this.open("easy");
		for (const [i, job] of this.job) {
			if (job.end <= now || job.end === NEVER) continue;
			this.submit(now, i, job.end - job.run + job.walltime - now);
			job.run = job.end - now;
		}
		this.step(now);
		for (const [i, job] of this.job)
			if (job.end === NEVER && job.submit < now) this.submit(now, i, job.walltime);
	}

	instant(now) {
		const ended = [...this.job].filter(([, job]) => job.end === now).map(([i]) => i);
		if (ended.length) this.call("finishMany", now, ended);
		if (now === HOUR) this.call("retry", now, 2);
		if (now === CHANGE) this.change(now);
		for (const [i, job] of this.job)
			if (job.submit === now) this.submit(now, i, job.walltime);
		return this.step(now);
	}

	play() {
		for (let now = 0; now !== NEVER;) {
			const started = this.instant(now);
			if (!this.crash) console.log(`${String(now).padStart(7)} ${started} start`);
			const later = [HOUR, CHANGE, this.s.nextStart() ?? NEVER];
			for (const job of this.job.values()) later.push(job.submit, job.end);
			now = Math.min(NEVER, ...later.filter((t) => t > now));
		}
		return this.s.digest();
	}
}

const host = new Host(false), digest = host.play();
console.log("steps", host.steps);
console.log("digest", digest);
console.log("crashes change nothing:", Number(new Host(true).play() === digest));
