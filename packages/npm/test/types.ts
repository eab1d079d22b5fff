// SPDX-License-Identifier: MIT OR Unlicense
// What a user's TypeScript may write, and what the types reject. Never run.
import { Config, Decision, FairschedError, Scheduler, Status, simulate, version }
	from "fairsched";

const config: Config = { policy: "easy", procs: 8, order: "sjf",
	machine: { resources: 2, classes: 1, amount: [8, 4] } };
const scheduler = new Scheduler(config);
scheduler.submit(0, { number: 1, procs: 5, walltime: 100, amount: [0, 1],
	wait: { after: 7, ok: true } });
scheduler.capacity(0, -1, new Int32Array([1]));
scheduler.finishMany(0, [1, 2], new Int32Array(2));
scheduler.refuse(0, 1, null);
const due: number | null = scheduler.nextStart();
const started: Decision[] = scheduler.step(0);
const next: number | null = scheduler.next();
const queued: number[] = scheduler.jobs("queued");
const status: Status = scheduler.status(1);
const saved: Uint8Array = scheduler.save();
const digest: string = Scheduler.load(config, saved).digest();
const { start, promise } = simulate({ procs: 8 },
	{ submit: [0], run: new Int32Array(1), walltime: [1], procs: [1] });
try {
	scheduler.why(1);
} catch (error) {
	if (error instanceof FairschedError) console.log(error.code.toFixed());
}
console.log(due, queued, started, next, status.state === "queued", digest, start[0],
	promise[0]?.toFixed(), version.length);

// @ts-expect-error: there is no such policy
new Scheduler({ procs: 1, policy: "best" });
// @ts-expect-error: procs is missing
new Scheduler({});
// @ts-expect-error: a job has a walltime
scheduler.submit(0, { number: 1, procs: 1 });
// @ts-expect-error: a number is no text
scheduler.cancel(0, "7");
// @ts-expect-error: the start may be null
status.start.toFixed();
// @ts-expect-error: there is no such function
scheduler.sleep();
