// SPDX-License-Identifier: MIT OR Unlicense
/**
 * Times are seconds; null is never. An error throws and changes nothing. Report ends
 * of one second together, by finishMany(), or in the order of their starts. A start
 * that you cannot make is refused after step(), until a time, or by a function of
 * yours, stepIf().
 */
export class FairschedError extends Error {
	/** The number of the library, as 2: there is no such job. */
	code: number;
}

export type Policy = "fcfs" | "easy" | "backfill" | "conservative" | "pc" | "dc" |
	"sfs" | "relshare";
export type Order = "fcfs" | "sjf" | "ljf" | "widest" | "narrowest" | "lxf" |
	"two-term" | "usage" | "dominant";

/** struct fair_config; what is not there is 0. */
export interface Config {
	policy?: Policy;
	order?: Order;
	depth?: number;
	procs: number;
	origin?: number;
	/** Most live jobs at once, at first: a full table grows; by default 1000. */
	jobs?: number;
	ineligible?: number;
	advances?: number;
	users?: number;
	weight?: number;
	halfLife?: number;
	window?: number;
	/** How long a refused job keeps its turn, by default 60; 0: not at all. */
	patience?: number;
	ids?: number;
	/** sfs: the target of each account. */
	target?: ArrayLike<number>;
	/** relshare: the share of each user. */
	share?: ArrayLike<number>;
	/** `amount` has, of each class, the amount of each resource. */
	machine?: { resources: number; classes: number; wide?: number;
		amount: ArrayLike<number> };
}

/** What an ineligible job waits for. */
export interface Wait {
	begin?: number | null;
	after?: number | null;
	ok?: boolean;
	held?: boolean;
}

/** struct fair_job. */
export interface Job {
	number: number;
	submit?: number;
	procs: number;
	walltime: number;
	user?: number;
	group?: number;
	account?: number;
	queue?: number;
	qos?: number;
	tasks?: number;
	advance?: number;
	amount?: ArrayLike<number>;
	classes?: ArrayLike<number>;
	wait?: Wait | null;
}

export interface Advance {
	number: number;
	from: number;
	to: number;
	procs: number;
	forJobs?: boolean;
	nodeClass?: number;
	force?: boolean;
}

export interface Decision { number: number; nodeClass: number }

export interface Status {
	state: "queued" | "running" | "ineligible";
	/** When it started, or its promise or reservation. */
	start: number | null;
	end: number | null;
	firstPromise: number | null;
	cause: string;
	moves: number;
	nodeClass: number;
	procs: number;
	walltime: number;
	user: number;
}

export class Scheduler {
	constructor(config: Config);
	/** Goes on from what save() returned, with room for as many jobs. */
	static load(config: Config, checkpoint: Uint8Array): Scheduler;
	submit(now: number, job: Job): void;
	finish(now: number, number: number, status?: number): void;
	/** Ends of the same second, as one event; without statuses all are 0. */
	finishMany(now: number, numbers: ArrayLike<number>,
		statuses?: ArrayLike<number>): void;
	cancel(now: number, number: number): void;
	requeue(now: number, number: number): void;
	suspend(now: number, number: number): void;
	resume(now: number, number: number): void;
	/** Not before `until`, by default a later second; null: not before retry(). */
	refuse(now: number, number: number, until?: number | null): void;
	retry(now: number, number: number): void;
	withdraw(now: number, number: number): void;
	replan(now: number): void;
	modify(now: number, number: number, procs: number, walltime: number): void;
	defer(now: number, number: number, wait: Wait | null): void;
	capacity(now: number, delta: number, victims?: ArrayLike<number>): void;
	reserve(now: number, advance: Advance): void;
	addUser(now: number, user: number): void;
	/** Which jobs start now? */
	step(now: number): Decision[];
	/**
	 * step(), but `fits` says of each start from when on it can be made: a later time
	 * than `now` refuses it until then, null until retry().
	 */
	stepIf(now: number, fits: (start: Decision) => number | null): Decision[];
	/** When to call step() if no event happens before. */
	next(): number | null;
	/** next() of a caller that ends each job at its planned end at the latest, and
	 * reports it. */
	nextStart(): number | null;
	/** How many jobs are queued, running and ineligible. */
	count(): [number, number, number];
	/** Their numbers; queued ones in the order of their reservations or priorities. */
	jobs(state: Status["state"]): number[];
	/** The first broken invariant, a fault of the library; 0: none. */
	check(): number;
	/** A hash over all decisions so far. */
	digest(): string;
	status(number: number): Status;
	/** When a waiting job starts if no other event happens. */
	estimate(number: number): number | null;
	/** Why a queued job did not start at the last step. */
	why(number: number): string;
	userUsage(user: number): number;
	save(): Uint8Array;
}

export interface Trace {
	submit: ArrayLike<number>;
	run: ArrayLike<number>;
	walltime: ArrayLike<number>;
	procs: ArrayLike<number>;
	user?: ArrayLike<number>;
}

/** Plays all jobs of a trace, in order of submission, to their ends. */
export function simulate(config: Config, trace: Trace): {
	start: number[]; promise: (number | null)[]; digest: string };

export const version: string;
