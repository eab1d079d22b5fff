/*
 * plan.js - a schedule on a canvas: processors over time, a box for each job
 *
 * What is in view decides the work of a frame. Few boxes are painted one by
 * one. Many, on a scale coarser than a bin, come from a pyramid: the used share
 * of each cell of time and processors, at widths of 1, 2, 4, ... bins; that
 * costs the pixels of the canvas, however many jobs there are. A cell has the
 * colour of the user who has most of it.
 */
const fairsched = window.fairsched, { duration } = fairsched;
const BINS = 8192; /* of the lowest level, at most */
const ROWS = 512; /* of cells, at most */
const FEW = 20000; /* boxes painted one by one */
const BLOCK = 256; /* boxes, with the last end of all of them */
const PAPER = 660; /* CSS pixels across a sheet */
const BOTTOM = 36, TOP = 4, RIGHT = 4; /* CSS pixels */
let LEFT = 48; /* as wide as the labels */
const canvas = document.getElementById("plan");
const says = document.getElementById("plan-says");
const context = canvas.getContext("2d", { alpha: false });
const loaded = new Map(); /* traces by number */
const tip = document.getElementById("plan-tip");
const strip = document.getElementById("plan-strip");
const WEEK = 604800, HOUR = 3600;
const STRIP = 512; /* bins of the strip */
const GAP = 6; /* CSS pixels between two schedules */
/* The schedule, and the one below it or null; both under one view. */
let plan = null, other = null;
let view = null, chosen = -1, waiting = false, theme = null;
let pixels = null; /* of the last frame */

/* ---- the boxes of a schedule ---- */

function sums(list) {
	const sum = new Float64Array(list.length);

	for (let i = 0, last = 0; i < sum.length; i++)
		last = sum[i] = last + list[i];
	return sum;
}

/* null is none of them, and stays. */
function sumsOfKnown(list) {
	let sum = 0;

	return list && list.map((x) => x === null ? x : sum += x);
}

/*
 * A trace as it came: lists of differences made whole. A schedule stays a text
 * until it is shown.
 */
fairsched.data = (number, text, plans, shares) => {
	const trace = JSON.parse(text);

	trace.plans = plans;
	trace.shares = shares;
	for (const name of ["id", "submit", "estimate", "procsOf", "user"])
		trace[name] = sums(trace[name]);
	trace.asks = trace.asks && trace.asks.map(sums);
	rankUsers(trace);
	loaded.set(number, trace);
};

/* @order by time; those of one time stay in it. */
function sorted(times, order) {
	const n = order.length, key = new Float64Array(n);
	const jobs = new Uint32Array(n);
	let least = 0, most = 1;

	for (const i of order) {
		least = Math.min(least, times[i]);
		most = Math.max(most, times[i]);
	}
	/* One number holds a time and a place: much faster to sort. */
	if ((most - least + 1) * n < 2 ** 53) {
		for (let k = 0; k < n; k++)
			key[k] = (times[order[k]] - least) * n + k;
		key.sort();
		for (let k = 0; k < n; k++)
			jobs[k] = order[key[k] % n];
		return jobs;
	}
	return Uint32Array.from(order.keys()).sort((a, b) =>
		times[order[a]] - times[order[b]] || a - b)
		.map((place) => order[place]);
}

/* Offsets in the list of jobs whose processors are told. */
function oddOf(trace, odd) {
	const at = new Map();

	for (let i = 0; i < odd.length;) {
		const job = odd[i++];

		at.set(job, i);
		for (let left = trace.procsOf[job]; left > 0; i += 2)
			left -= odd[i + 1];
	}
	return at;
}

/*
 * Processors: a job takes the lowest that are free. Where the simulation did
 * otherwise, @odd has the ranges.
 */
function freeProcs(trace, odd) {
	const told = oddOf(trace, odd);
	const taken = new Uint32Array((trace.procs >> 5) + 2);
	let full = 0;

	const mark = (from, to, on) => {
		for (let p = from; p < to;) {
			const word = p >> 5, bit = p & 31;
			const wide = Math.min(to - p, 32 - bit);
			const mask = (wide === 32 ? -1 : (1 << wide) - 1) << bit;

			if (on)
				taken[word] |= mask;
			else
				taken[word] &= ~mask;
			p += wide;
		}
		if (!on)
			full = Math.min(full, from >> 5);
	};
	const takeTold = (k, left, add) => {
		for (; left > 0; left -= odd[k + 1], k += 2) {
			add(odd[k], odd[k] + odd[k + 1]);
			mark(odd[k], odd[k] + odd[k + 1], true);
		}
	};
	const take = (i, left, add) => {
		let word, p;

		if (told.has(i)) {
			takeTold(told.get(i), left, add);
			return;
		}
		while (taken[full] === 0xffffffff)
			full++;
		for (word = full; left > 0;) {
			const free = ~taken[word];

			if (!free) {
				word++;
				continue;
			}
			p = 32 * word + 31 - Math.clz32(free & -free);
			const from = p;

			while (left > 0 && !(taken[p >> 5] >>> (p & 31) & 1)) {
				p++;
				left--;
			}
			add(from, p);
			mark(from, p, true);
			word = p >> 5;
		}
	};

	return { take, give: (from, to) => mark(from, to, false) };
}

/*
 * Units without numbers: a job takes the lowest that are free side by side; if
 * nowhere as many are, the lowest.
 */
function freeUnits(most) {
	const low = [0], high = [most]; /* what is free, from below */

	const takeOf = (k, n, add) => {
		add(low[k], low[k] + n);
		low[k] += n;
		if (low[k] < high[k])
			return;
		low.splice(k, 1);
		high.splice(k, 1);
	};
	const take = (i, left, add) => {
		const k = low.findIndex((from, k) => high[k] - from >= left);

		if (k >= 0) {
			takeOf(k, left, add);
			return;
		}
		while (left > 0 && low.length) {
			const n = Math.min(left, high[0] - low[0]);

			takeOf(0, n, add);
			left -= n;
		}
	};
	const give = (from, to) => {
		let k = low.findIndex((p) => p > from);

		k = k < 0 ? low.length : k;
		if (k < low.length && low[k] === to)
			low[k] = from;
		else {
			low.splice(k, 0, from);
			high.splice(k, 0, to);
		}
		if (k && high[k - 1] === low[k]) {
			high[k - 1] = high[k];
			low.splice(k, 1);
			high.splice(k, 1);
		}
	};

	return { take, give };
}

/*
 * What each job has of @free, as ranges in the order of starts: at each time
 * first jobs end, then others start.
 */
function boxesOf(trace, start, size, free) {
	const jobs = trace.id.length;
	const finish = start.map((t, i) => t + trace.run[i]);
	const order = sorted(start, Uint32Array.from(start.keys())
		.filter((i) => size(i) > 0));
	const ends = sorted(finish, order);
	const first = new Uint32Array(jobs), count = new Uint32Array(jobs);
	const runs = new Uint8Array(jobs);
	let low = new Int32Array(2 * jobs + 64), high = new Int32Array(low.length);
	let owner = new Uint32Array(low.length), n = 0, e = 0, job;

	const add = (from, to) => {
		if (n === low.length) {
			const more = (list, kind) => {
				const copy = new kind(2 * n);

				copy.set(list);
				return copy;
			};

			low = more(low, Int32Array);
			high = more(high, Int32Array);
			owner = more(owner, Uint32Array);
		}
		low[n] = from;
		high[n] = to;
		owner[n++] = job;
	};

	for (job of order) {
		for (; e < ends.length && finish[ends[e]] <= start[job] &&
			runs[ends[e]]; e++)
			for (let k = first[ends[e]], z = k + count[ends[e]];
				k < z; k++)
				free.give(low[k], high[k]);
		first[job] = n;
		runs[job] = 1;
		free.take(job, size(job), add);
		count[job] = n - first[job];
	}
	return blocks({ n, start, order, low, high, job: owner }, finish);
}

/* Its times, and the last end of each block. */
function blocks(boxes, finish) {
	const { n, start } = boxes;

	for (const name of ["low", "high", "job"])
		boxes[name] = boxes[name].subarray(0, n);
	boxes.from = Float64Array.from(boxes.job, (i) => start[i]);
	boxes.to = Float64Array.from(boxes.job, (i) => finish[i]);
	boxes.last = [];
	for (let b = 0; b < n; b += BLOCK) {
		let last = -Infinity;

		for (let k = b; k < n && k < b + BLOCK; k++)
			last = Math.max(last, boxes.to[k]);
		boxes.last.push(last);
	}
	return boxes;
}

/* Of all processors those of one class. */
function boxesOfClass(trace, all, { first, most }, size) {
	const { start } = all;
	const keep = Uint32Array.from(all.low.keys()).filter((k) =>
		all.low[k] >= first && all.low[k] < first + most);

	return blocks({ n: keep.length, start,
		order: all.order.filter((i) => size(i) > 0),
		low: Int32Array.from(keep, (k) => all.low[k] - first),
		high: Int32Array.from(keep, (k) => all.high[k] - first),
		job: Uint32Array.from(keep, (k) => all.job[k]) },
		start.map((t, i) => t + trace.run[i]));
}

const rankOf = (trace, i) => {
	const rank = trace.rank.get(trace.user[i]);

	return rank === undefined ? fairsched.colours.length - 1 : rank;
};

/*
 * The used share of each cell, 0 to 1, of one level, row by row; who has most of
 * it, by a vote: who has less takes as much from the lead of the other.
 */
function lowest(boxes, trace, procs, from, bin, bins, rows) {
	const use = new Float32Array(bins * rows);
	const lead = new Float32Array(bins * rows);
	const rank = new Uint8Array(bins * rows);
	const tall = procs / rows, whole = bin * tall;

	for (let k = 0; k < boxes.n; k++) {
		const a = (boxes.from[k] - from) / bin;
		const z = (boxes.to[k] - from) / bin;
		const low = boxes.low[k] / tall, high = boxes.high[k] / tall;
		const mine = rankOf(trace, boxes.job[k]);

		for (let x = Math.floor(a); x < z; x++) {
			const wide = Math.min(z, x + 1) - Math.max(a, x);

			for (let y = Math.floor(low); y < high; y++)
				vote({ use, lead, rank }, y * bins + x, mine,
					wide * (Math.min(high, y + 1) -
					Math.max(low, y)), 0);
		}
	}
	return { use, lead, rank };
}

function vote({ use, lead, rank }, i, mine, more, less) {
	const by = more - less;

	use[i] += more;
	if (rank[i] === mine) {
		lead[i] += by;
	} else if (lead[i] >= by) {
		lead[i] -= by;
	} else {
		rank[i] = mine;
		lead[i] = by - lead[i];
	}
}

function halved(cell, rows) {
	const bins = cell.use.length / rows, less = bins + 1 >> 1;
	const half = { use: new Float32Array(less * rows),
		lead: new Float32Array(less * rows),
		rank: new Uint8Array(less * rows) };

	for (let y = 0, i = 0; y < rows; y++)
		for (let x = 0; x < bins; x++, i++)
			vote(half, y * less + (x >> 1), cell.rank[i],
				cell.use[i] / 2,
				(cell.use[i] - cell.lead[i]) / 2);
	return half;
}

function bytes(cell) {
	const byte = new Uint8Array(cell.length);

	for (let i = 0; i < cell.length; i++)
		byte[i] = Math.min(255, Math.round(255 * cell[i]));
	return byte;
}

const binOf = (from, to) => Math.max(1, (to - from) / BINS);

function pyramidOf(boxes, trace, procs, from, to) {
	const bin = binOf(from, to);
	const bins = Math.max(1, Math.ceil((to - from) / bin));
	const rows = Math.min(procs, ROWS);
	let cell = lowest(boxes, trace, procs, from, bin, bins, rows);
	const levels = [];

	for (;;) {
		levels.push({ use: bytes(cell.use), rank: cell.rank });
		if (cell.use.length <= rows)
			return { bin, rows, levels };
		cell = halved(cell, rows);
	}
}

/* The share of @most that is used, in equal parts of the whole time. */
function useOf(trace, start, size, most, from, to) {
	const bins = Math.max(STRIP, Math.min(1 << 16,
		Math.ceil((to - from) / HOUR)));
	const bin = (to - from) / bins, use = new Float64Array(bins);

	for (let i = 0; i < trace.id.length; i++) {
		const a = (start[i] - from) / bin;
		const z = Math.min(bins, a + trace.run[i] / bin);

		for (let x = Math.floor(a); x < z; x++)
			use[x] += (Math.min(z, x + 1) - Math.max(a, x)) *
				size(i) / most;
	}
	return use;
}

/* Where most processors are used for a week; all of it if it is shorter. */
function busiestWeek({ use, from, to }) {
	const bin = (to - from) / use.length, n = Math.round(WEEK / bin);
	let sum = 0, most = -1, best = 0;

	if (n >= use.length)
		return [from, to];
	for (let i = 0; i < use.length; i++) {
		sum += use[i] - (i >= n ? use[i - n] : 0);
		if (i >= n - 1 && sum > most + 1e-9) {
			most = sum;
			best = i - n + 1;
		}
	}
	return [from + best * bin, from + best * bin + WEEK];
}

/* Of each user: a colour for those who use most, the last one for others. */
function rankUsers(trace) {
	const used = new Map();
	let whole = 0;

	trace.user.forEach((user, i) => {
		const area = trace.run[i] * trace.procsOf[i];

		used.set(user, (used.get(user) || 0) + area);
		whole += area;
	});
	trace.top = [...used].sort((a, b) => b[1] - a[1])
		.slice(0, fairsched.colours.length - 1)
		.map(([user, area]) => [user, area / (whole || 1)]);
	trace.others = used.size > trace.top.length;
	trace.rank = new Map(trace.top.map(([user], i) => [user, i]));
}

const nameOf = (trace, user) => user < 0 ? "unknown user" :
	trace.names[user] || "user " + user;

/* @part: what it shows of a machine of classes, { in, of, most }; null: all. */
function planOf(trace, number, part) {
	const { wait, odd, promise, fair, classOf } =
		JSON.parse(trace.plans[number]);
	const waits = sums(wait), classes = classOf && sums(classOf);
	const start = trace.submit.map((t, i) => t + waits[i]);
	const asks = part && part.of ? trace.asks[part.of - 1] : trace.procsOf;
	const size = (i) => !part || part.in < 0 || !classes ||
		classes[i] === part.in ? asks[i] : 0;
	const procs = part ? part.most : trace.procs;
	const counts = part && part.of; /* units, not processors */
	let boxes = boxesOf(trace, start, counts ? size : (i) => asks[i],
		counts ? freeUnits(procs) : freeProcs(trace, odd));
	let from = Infinity, to = -Infinity, pyramid = null;

	if (part && !counts)
		boxes = boxesOfClass(trace, boxes, part, size);
	for (let i = 0; i < start.length; i++) {
		from = Math.min(from, start[i]);
		to = Math.max(to, start[i] + trace.run[i]);
	}
	from = start.length ? from : 0;
	to = Math.max(from + 1, to);
	return { trace, boxes, from, to, procs, size, part,
		promise: sumsOfKnown(promise), fair: sumsOfKnown(fair),
		use: useOf(trace, start, size, procs, from, to),
		get pyramid() {
			return pyramid = pyramid ||
				pyramidOf(boxes, trace, procs, from, to);
		} };
}

/* Processor @p of a class by its number; other units as "16G" or "3". */
function unitText({ part }, p) {
	let power = part ? part.shift / 10 : 0;

	if (!part || !part.of)
		return String(p + (part ? part.first : 0));
	for (; power && power < 6 && p >= 1024; power++)
		p /= 1024;
	return +p.toPrecision(4) + " KMGTPE"[power].trim();
}

/* ---- colours ---- */

function rgb(text) {
	const n = parseInt(text.slice(1), 16);

	return text.length === 4 ?
		[(n >> 8) * 17, (n >> 4 & 15) * 17, (n & 15) * 17] :
		[n >> 16, n >> 8 & 255, n & 255];
}

const packed = ([r, g, b]) =>
	(255 << 24 | b << 16 | g << 8 | r) >>> 0; /* little-endian */

function readTheme() {
	const free = rgb(fairsched.style("--free"));

	return {
		free: packed(free),
		/* Of each user 256, from free to used. */
		shades: Uint32Array.from(fairsched.colours.map(rgb).flatMap((c) =>
			Array.from({ length: 256 }, (_, i) =>
				packed(free.map((x, k) =>
					Math.round(x + (c[k] - x) * i / 255)))))),
		/* Two shades each: neighbours are told apart. */
		users: fairsched.colours.map(rgb).flatMap((c) => [c,
			c.map((x, k) => Math.round(x + (free[k] - x) *
				0.25))]).map(packed),
		pale: (([c]) => [0.8, 0.65].map((share) => packed(c.map((x, k) =>
			Math.round(x + (free[k] - x) * share)))))(
			[rgb(fairsched.style("--ink"))]),
		paper: fairsched.style("--paper"),
		ink: fairsched.style("--ink"),
		line: fairsched.style("--line"),
	};
}

function mixed(under, over, share) {
	let colour = 255 << 24;

	for (let shift = 0; shift < 24; shift += 8) {
		const u = under >>> shift & 255;

		colour |= u + ((over >>> shift & 255) - u) * share <<
			shift;
	}
	return colour >>> 0;
}

/* ---- a frame ---- */

/* The boxes that may be in view, block by block. */
function eachBlock(boxes, from, to, visit) {
	for (let b = 0; b < boxes.last.length; b++) {
		const k = b * BLOCK;

		if (boxes.from[k] >= to)
			break;
		if (boxes.last[b] >= from)
			visit(k, Math.min(boxes.n, k + BLOCK));
	}
}

function countBoxes(boxes, from, to) {
	let n = 0;

	eachBlock(boxes, from, to, (k, end) => n += end - k);
	return n;
}

function paintCells(out, wide, high, { pyramid, from, procs }) {
	const second = (view.to - view.from) / wide; /* of a pixel */
	const level = Math.min(pyramid.levels.length - 1,
		Math.max(0, Math.floor(Math.log2(second / pyramid.bin))));
	const { use, rank } = pyramid.levels[level], rows = pyramid.rows;
	const bin = pyramid.bin * 2 ** level, bins = use.length / rows;
	const first = new Int32Array(wide + 1), shades = theme.shades;
	let last = -1; /* row painted */

	for (let x = 0; x <= wide; x++)
		first[x] = Math.min(bins - 1, Math.floor(
			(view.from - from + x * second) / bin));
	for (let y = 0; y < high; y++) {
		const p = view.low + (view.high - view.low) *
			(high - y - 0.5) / high;
		const row = Math.floor(p * rows / procs);
		const at = y * wide;

		if (row === last) {
			out.copyWithin(at, at - wide, at);
			continue;
		}
		last = row;
		for (let x = 0; x < wide; x++) {
			const z = Math.max(first[x] + 1, first[x + 1]);
			let sum = 0, most = row * bins + first[x];

			for (let i = most; i < row * bins + z; i++) {
				sum += use[i];
				most = use[i] > use[most] ? i : most;
			}
			out[at + x] = shades[256 * rank[most] + Math.round(
				sum / (z - first[x]))];
		}
	}
}

/* Narrow ones as the share of the pixel that is theirs. */
function paintBox(out, wide, high, x0, x1, y0, y1, colour) {
	const left = Math.max(0, Math.floor(x0));
	const right = Math.min(wide, Math.max(left + 1, Math.round(x1)));
	const top = Math.max(0, Math.floor(y0));
	const down = Math.min(high, Math.max(top + 1, Math.round(y1)));
	const share = Math.max(0.25, Math.min(1, x1 - x0)) *
		Math.min(1, y1 - y0);

	for (let y = top; y < down; y++) {
		if (share === 1) {
			out.fill(colour, y * wide + left,
				y * wide + right);
			continue;
		}
		for (let x = left; x < right; x++)
			out[y * wide + x] = mixed(out[y * wide + x],
				colour, share);
	}
}

/* Beside another schedule those that start at the same time are pale. */
const hasMoved = (i) => !other || plan.boxes.start[i] !== other.boxes.start[i];

function paintBoxes(out, wide, high, { boxes, trace }) {
	const scaleX = wide / (view.to - view.from);
	const scaleY = high / (view.high - view.low);
	const colourOf = (i) => hasMoved(i) ?
		theme.users[2 * rankOf(trace, i) + i % 2] : theme.pale[i % 2];

	eachBlock(boxes, view.from, view.to, (k, end) => {
		for (; k < end; k++) {
			const x0 = (boxes.from[k] - view.from) * scaleX;
			const x1 = (boxes.to[k] - view.from) * scaleX;
			const y0 = (view.high - boxes.high[k]) * scaleY;
			const y1 = (view.high - boxes.low[k]) * scaleY;

			if (x1 < 0 || x0 >= wide || y1 <= 0 || y0 >= high)
				continue;
			/* Neighbours part where there is room. */
			paintBox(out, wide, high, x0,
				x1 - x0 > 4 ? x1 - 1 : x1, y0,
				y1 - y0 > 4 ? y1 - 1 : y1,
				colourOf(boxes.job[k]));
		}
	});
}

function paintSchedule(wide, high, one) {
	const second = (view.to - view.from) / wide;
	const coarse = second >= binOf(one.from, one.to) &&
		countBoxes(one.boxes, view.from, view.to) > FEW;
	let out;

	if (!pixels || pixels.width !== wide || pixels.height !== high)
		pixels = context.createImageData(wide, high);
	out = new Uint32Array(pixels.data.buffer);
	out.fill(theme.free);
	if (coarse)
		paintCells(out, wide, high, one);
	else
		paintBoxes(out, wide, high, one);
	return coarse;
}

const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600,
	7200, 10800, 21600, 43200, 86400, 172800, 604800, 1209600,
	2592000, 7776000, 31536000, 63072000, 157680000];

/* As exact as the step between two of them. */
function timeText(t, step) {
	if (plan.trace.unix === undefined) {
		const s = Math.abs(Math.round(t)), sign = t < 0 ? "-" : "";

		return sign + Math.floor(s / 86400) + "d" +
			(step < 86400 ? " " + new Date(s % 86400 * 1e3)
				.toISOString()
				.slice(11, step < 60 ? 19 : 16) : "");
	}
	const date = new Date((plan.trace.unix + t) * 1e3).toISOString();

	if (!step)
		return date.slice(0, 19).replace("T", " ");
	return step >= 86400 ? date.slice(0, 10) :
		date.slice(5, 10) + " " +
		date.slice(11, step < 60 ? 19 : 16);
}

/* The schedules, from above: [schedule, its top, its height]. */
function panes(high) {
	const tall = (high - GAP) / 2;

	return other ? [[plan, TOP, tall], [other, TOP + tall + GAP, tall]] :
		[[plan, TOP, high]];
}

function drawTimes(wide, high) {
	const least = (view.to - view.from) * 90 / wide;
	const step = steps.find((s) => s >= least) || steps[25];
	const shift = plan.trace.unix || 0;

	context.textAlign = "center";
	for (let t = Math.ceil((view.from + shift) / step) * step - shift;
		t < view.to; t += step) {
		const x = LEFT + (t - view.from) * wide /
			(view.to - view.from);

		context.fillRect(x, TOP + high, 1, 5);
		if (x > LEFT + 30 && x < LEFT + wide - 30)
			context.fillText(timeText(t, step), x,
				TOP + high + 20);
	}
}

function drawProcs(top, high) {
	const least = (view.high - view.low) * 24 / high;
	const power = 10 ** Math.floor(Math.log10(least));
	const step = Math.max(1, [1, 2, 5, 10].map((s) => s * power)
		.find((s) => s >= least));

	context.textAlign = "right";
	for (let p = Math.ceil(view.low / step) * step; p <= view.high;
		p += step) {
		const y = top + (view.high - p) * high /
			(view.high - view.low);

		context.fillRect(LEFT - 5, y, 5, 1);
		context.fillText(unitText(plan, p), LEFT - 8, Math.min(top + high,
			Math.max(top + 8, y + 4)));
	}
}

/* The chosen job: its boxes, and its wait as a line before them. */
function drawChosen(wide, high, top, one) {
	const { boxes, trace } = one, i = chosen;
	const x = (t) => LEFT + (t - view.from) * wide /
		(view.to - view.from);
	const y = (p) => top + (view.high - p) * high /
		(view.high - view.low);

	if (i < 0)
		return;
	context.save();
	context.beginPath();
	context.rect(LEFT, top, wide, high);
	context.clip();
	context.strokeStyle = theme.ink;
	context.lineWidth = 2;
	for (const k of boxesOfJob(one, i)) {
		context.strokeRect(x(boxes.from[k]), y(boxes.high[k]),
			Math.max(2, x(boxes.to[k]) - x(boxes.from[k])),
			Math.max(2, y(boxes.low[k]) - y(boxes.high[k])));
		context.setLineDash([4, 3]);
		context.beginPath();
		context.moveTo(x(trace.submit[i]), y(boxes.low[k]));
		context.lineTo(x(boxes.from[k]), y(boxes.low[k]));
		context.stroke();
		context.setLineDash([]);
	}
	context.restore();
}

function frame() {
	const ratio = Math.min(2, devicePixelRatio || 1);
	const box = canvas.getBoundingClientRect();
	const wide = Math.max(16, Math.round(box.width) - LEFT - RIGHT);
	const high = Math.max(16, Math.round(box.height) - TOP - BOTTOM);
	const ways = new Set();

	waiting = false;
	if (!plan)
		return;
	theme = theme || readTheme();
	if (canvas.width !== Math.round(box.width * ratio) ||
	    canvas.height !== Math.round(box.height * ratio)) {
		canvas.width = Math.round(box.width * ratio);
		canvas.height = Math.round(box.height * ratio);
	}
	context.setTransform(1, 0, 0, 1, 0, 0);
	context.fillStyle = theme.paper;
	context.fillRect(0, 0, canvas.width, canvas.height);
	for (const [one, top, tall] of panes(high)) {
		ways.add(paintSchedule(Math.round(wide * ratio),
			Math.round(tall * ratio), one));
		context.putImageData(pixels, Math.round(LEFT * ratio),
			Math.round(top * ratio));
	}
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.fillStyle = theme.ink;
	context.font = "12px system-ui, sans-serif";
	drawTimes(wide, high);
	for (const [one, top, tall] of panes(high)) {
		drawProcs(top, tall);
		drawChosen(wide, tall, top, one);
	}
	drawStrip();
	canvas.dataset.view = [view.from, view.to, view.low, view.high,
		ways.has(true) ? "cells" : "boxes"].join(" ");
}

/* All of the time, and the part of it that is in view. */
function drawStrip() {
	const ratio = Math.min(2, devicePixelRatio || 1);
	const box = strip.getBoundingClientRect();
	const paint = strip.getContext("2d");
	const wide = Math.round(box.width * ratio);
	const high = Math.round(box.height * ratio);
	const left = Math.round(LEFT * ratio);
	const x = (t) => left + (t - plan.from) * (wide - left) /
		(plan.to - plan.from);
	const n = Math.min(STRIP, plan.use.length);

	strip.width = wide;
	strip.height = high;
	paint.fillStyle = fairsched.style("--busy");
	for (let i = 0; i < n; i++) {
		const a = Math.floor(i * plan.use.length / n);
		const z = Math.max(a + 1,
			Math.floor((i + 1) * plan.use.length / n));
		let sum = 0;

		for (let k = a; k < z; k++)
			sum += plan.use[k] / (z - a);
		paint.fillRect(left + i * (wide - left) / n,
			high * (1 - Math.min(1, sum)),
			Math.ceil((wide - left) / n), high);
	}
	paint.strokeStyle = theme.ink;
	paint.lineWidth = 2 * ratio;
	paint.strokeRect(x(view.from), ratio, Math.max(4,
		x(view.to) - x(view.from)), high - 2 * ratio);
}

function redraw() {
	if (!waiting)
		requestAnimationFrame(frame);
	waiting = true;
}

/* ---- moving ---- */

const clamp = (x, low, high) => Math.min(high, Math.max(low, x));

function show(from, to, low, high) {
	const whole = plan.to - plan.from;
	const wide = clamp(to - from, Math.min(10, whole), whole);
	const tall = clamp(high - low, Math.min(4, plan.procs),
		plan.procs);

	from = clamp(from, plan.from, plan.to - wide);
	low = clamp(low, 0, plan.procs - tall);
	view = { from, to: from + wide, low, high: low + tall };
	redraw();
}

const all = () => show(plan.from, plan.to, 0, plan.procs);

/* By shares of what is in view. */
function move(x, y) {
	const dx = (view.to - view.from) * x;
	const dy = (view.high - view.low) * y;

	show(view.from + dx, view.to + dx, view.low + dy, view.high + dy);
}

/* Around a place in view, both 0 to 1. */
function zoom(factor, at, factorY, atY) {
	const wide = view.to - view.from, tall = view.high - view.low;
	const from = view.from + wide * at * (1 - factor);
	const low = view.low + tall * atY * (1 - factorY);

	show(from, from + wide * factor, low, low + tall * factorY);
}

/* ---- one job ---- */

function* boxesOfJob({ boxes }, i) {
	let low = 0, high = boxes.n;

	while (low < high) {
		const k = low + high >> 1;

		if (boxes.from[k] < boxes.start[i])
			low = k + 1;
		else
			high = k;
	}
	for (; low < boxes.n && boxes.from[low] === boxes.start[i]; low++)
		if (boxes.job[low] === i)
			yield low;
}

/* A promised or fair start, if there is one. */
function startText(one, i, list, name) {
	return list && list[i] !== null ? ", " + name + " " +
		timeText(one.boxes.start[i] + list[i], 0) : "";
}

function jobText(one, i) {
	const { trace, boxes } = one;

	return "Job " + trace.id[i] + " of " + nameOf(trace, trace.user[i]) +
		": " + trace.procsOf[i] + " processors" +
		(one.part && one.part.of ? ", " + unitText(one, one.size(i)) +
			" of " + wordOf(partChoice) : "") + ", waits " +
		duration(boxes.start[i] - trace.submit[i]) + " from " +
		timeText(trace.submit[i], 0) +
		startText(one, i, one.promise, "promised start") +
		startText(one, i, one.fair, "fair start") + ", runs " +
		duration(trace.run[i]) + " of the " +
		duration(trace.estimate[i]) + " planned";
}

function movedText(i) {
	const by = other ? other.boxes.start[i] - plan.boxes.start[i] : 0;

	return by ? ", starts " + duration(Math.abs(by)) +
		(by > 0 ? " later" : " earlier") + " under the policy below" :
		"";
}

function describe(i) {
	const { boxes } = plan;

	says.textContent = jobText(plan, i) + movedText(i) +
		(plan.part && plan.part.of || !plan.size(i) ? "." : ", on " +
		[...boxesOfJob(plan, i)].map((k) => [...new Set(
			[boxes.low[k], boxes.high[k] - 1].map((p) =>
				unitText(plan, p)))].join("-")).join(" ") + ".");
}

function choose(i) {
	chosen = i;
	if (i >= 0)
		describe(i);
	else
		says.textContent = plan.boxes.order.length + " jobs from " +
			timeText(plan.from, 0) + " to " +
			timeText(plan.to, 0) + "." + (other ? " " +
			plan.boxes.order.filter((i) => hasMoved(i)).length +
			" start at another time under the policy below." : "");
	redraw();
	writeLink();
}

/* [from, to) as it is if [a, z) is in it, or else with that in the middle. */
function around(from, to, a, z) {
	const half = Math.max(to - from, 2 * (z - a)) / 2;

	return a >= from && z <= to ? [from, to] :
		[(a + z) / 2 - half, (a + z) / 2 + half];
}

/* Close enough to tell its neighbours apart. */
function zoomTo(i) {
	const { boxes, trace, procs } = plan, at = [...boxesOfJob(plan, i)];
	const low = Math.min(...at.map((k) => boxes.low[k]));
	const high = Math.max(...at.map((k) => boxes.high[k]));
	const also = other ? other.boxes.start[i] : boxes.start[i];
	const middle = (boxes.start[i] + also + trace.run[i]) / 2;
	const wide = Math.max(1.5 * trace.run[i], 600,
		0.75 * Math.abs(boxes.start[i] - also));
	const tall = Math.min(procs, Math.max(16, 2 * (high - low)));

	show(middle - wide, middle + wide, (low + high - tall) / 2,
		(low + high + tall) / 2);
	choose(i);
}

function goTo(i) {
	const { boxes } = plan, at = [...boxesOfJob(plan, i)];
	const start = boxes.start[i], end = start + plan.trace.run[i];

	show(...around(view.from, view.to, start, end),
		...around(view.low, view.high,
			Math.min(...at.map((k) => boxes.low[k])),
			Math.max(...at.map((k) => boxes.high[k]))));
	choose(i);
}

/* The next in the order of starts, or the first in view. */
function goOn(by) {
	const { order, start } = plan.boxes, was = order.indexOf(chosen);
	const at = was < 0 ?
		order.findIndex((i) => start[i] >= view.from) : was + by;

	if (at >= 0 && at < order.length)
		goTo(order[at]);
}

function jobAt({ boxes }, t, p) {
	const pixel = (view.to - view.from) / canvas.clientWidth;
	let best = -1;

	eachBlock(boxes, t - pixel, t + pixel, (k, end) => {
		for (; k < end; k++)
			if (boxes.from[k] <= t + pixel &&
			    boxes.to[k] >= t - pixel &&
			    boxes.low[k] <= p && p < boxes.high[k])
				best = boxes.job[k];
	});
	return best;
}

/* ---- keys, pointers ---- */

const keys = {
	ArrowLeft: () => move(-0.2, 0), ArrowRight: () => move(0.2, 0),
	ArrowUp: () => move(0, 0.2), ArrowDown: () => move(0, -0.2),
	"+": () => zoom(1 / 1.5, 0.5, 1, 0),
	"-": () => zoom(1.5, 0.5, 1, 0),
	"]": () => zoom(1, 0, 1 / 1.5, 0.5),
	"[": () => zoom(1, 0, 1.5, 0.5),
	0: all, Home: all,
	n: () => goOn(1), p: () => goOn(-1),
	Escape: () => choose(-1),
};
keys["="] = keys["+"];

canvas.addEventListener("keydown", (event) => {
	const act = keys[event.key] || keys[event.key.toLowerCase()];

	if (!act || !plan || event.ctrlKey || event.metaKey || event.altKey)
		return;
	event.preventDefault();
	act();
});
document.querySelectorAll("[data-key]").forEach((button) =>
	button.addEventListener("click", () =>
		plan && keys[button.dataset.key]()));

/* Where in view, 0 to 1, from the left and from below; in which schedule. */
function placeOf(event) {
	const box = canvas.getBoundingClientRect();
	const y = event.clientY - box.top;
	const all = panes(Math.max(16, box.height - TOP - BOTTOM));
	const [one, top, high] = all.find(([, from]) =>
		y < from + all[0][2]) || all[all.length - 1];

	return [(event.clientX - box.left - LEFT) /
		(box.width - LEFT - RIGHT), 1 - (y - top) / high, one];
}

function jobUnder(event) {
	const [x, y, one] = placeOf(event);

	return [one, x < 0 || x > 1 || y < 0 || y > 1 ? -1 :
		jobAt(one, view.from + x * (view.to - view.from),
			Math.floor(view.low + y * (view.high - view.low)))];
}

/* What is under the mouse; keys and clicks tell the same below. */
function hover(event) {
	const [one, i] = jobUnder(event);
	const box = canvas.getBoundingClientRect();

	tip.hidden = i < 0;
	if (i < 0)
		return;
	tip.textContent = jobText(one, i) + ".";
	tip.style.left = Math.max(0, Math.min(event.clientX - box.left + 12,
		box.width - tip.offsetWidth)) + "px";
	tip.style.top = event.clientY - box.top + 16 + "px";
}

canvas.addEventListener("wheel", (event) => {
	const [x, y] = placeOf(event);
	const factor = 1.0015 ** event.deltaY;

	/* Without a key it scrolls the page. */
	if (!plan || !(event.ctrlKey || event.shiftKey))
		return;
	event.preventDefault();
	zoom(event.shiftKey ? 1 : factor, x,
		event.shiftKey ? factor : 1, y);
}, { passive: false });

const fingers = new Map();
let moved = false;

canvas.addEventListener("pointerdown", (event) => {
	fingers.set(event.pointerId, placeOf(event));
	canvas.setPointerCapture(event.pointerId);
	moved = false;
});
canvas.addEventListener("pointermove", (event) => {
	if (!plan)
		return;
	const was = fingers.get(event.pointerId), is = placeOf(event);

	if (!was) {
		hover(event);
		return;
	}
	tip.hidden = true;
	if (fingers.size === 1) {
		move(was[0] - is[0], was[1] - is[1]);
	} else {
		const other = [...fingers].find(([id]) =>
			id !== event.pointerId)[1];
		const before = Math.abs(was[0] - other[0]);
		const after = Math.abs(is[0] - other[0]);

		if (before > 0.02 && after > 0.02)
			zoom(before / after, other[0], 1, 0);
	}
	moved = moved || Math.hypot(is[0] - was[0], is[1] - was[1]) > 0;
	fingers.set(event.pointerId, is);
});
canvas.addEventListener("pointerup", (event) => {
	fingers.delete(event.pointerId);
	if (!moved && plan)
		choose(jobUnder(event)[1]);
});
canvas.addEventListener("pointerleave", () => tip.hidden = true);

/* The strip: what is pressed comes into the middle. */
function moveByStrip(event) {
	const box = strip.getBoundingClientRect();
	const at = plan.from + (event.clientX - box.left - LEFT) *
		(plan.to - plan.from) / (box.width - LEFT);
	const half = (view.to - view.from) / 2;

	show(at - half, at + half, view.low, view.high);
}
strip.addEventListener("pointerdown", (event) => {
	strip.setPointerCapture(event.pointerId);
	if (plan)
		moveByStrip(event);
});
strip.addEventListener("pointermove", (event) => {
	if (plan && event.buttons)
		moveByStrip(event);
});
canvas.addEventListener("pointercancel", (event) =>
	fingers.delete(event.pointerId));

document.getElementById("plan-find").addEventListener("submit", (event) => {
	const text = document.getElementById("plan-job").value.trim();
	const id = text ? +text : NaN;
	const i = plan ? plan.trace.id.indexOf(id) : -1;

	event.preventDefault();
	if (i >= 0 && !plan.size(i))
		says.textContent = "Job " + text + " has none of " +
			wordOf(partChoice) + ".";
	else if (i >= 0)
		zoomTo(i);
	else
		says.textContent = text ? "There is no job " + text + "."
			: "Give the number of a job.";
});

/* ---- which one ---- */

const traceChoice = document.getElementById("plan-trace");
const policyChoice = document.getElementById("plan-policy");
const otherChoice = document.getElementById("plan-other");
const partChoice = document.getElementById("plan-part"); /* of classes */

/* ---- a link to what is seen: #policy=dc&other=easy&job=1000 ---- */

const wordOf = (choice) => choice.selectedOptions[0].textContent;

function writeLink() {
	const words = new URLSearchParams();

	if (+traceChoice.value)
		words.set("trace", +traceChoice.value + 1);
	words.set("policy", wordOf(policyChoice));
	if (other)
		words.set("other", wordOf(otherChoice));
	if (plan.part)
		words.set("of", wordOf(partChoice));
	if (chosen >= 0)
		words.set("job", plan.trace.id[chosen]);
	history.replaceState(null, "", "#" + words);
}

function takeWord(choice, word) {
	const option = [...choice.options].find((one) =>
		one.textContent === word);

	if (option)
		choice.value = option.value;
}

/* False: the link is to something else. */
function readLink() {
	const words = new URLSearchParams(location.hash.slice(1));

	if (!words.has("policy") && !words.has("job"))
		return false;
	takeWord(policyChoice, words.get("policy"));
	takeWord(otherChoice, words.get("other"));
	if (partChoice)
		takeWord(partChoice, words.get("of"));
	if (words.has("trace"))
		traceChoice.value = words.get("trace") - 1;
	linked = words.has("job") ? +words.get("job") : NaN;
	return true;
}

let linked = NaN; /* the job to show once the trace is here */

/* ---- who the colours are ---- */

function writeUsers() {
	const list = document.getElementById("plan-users");

	list.replaceChildren(...plan.trace.top.map(([user, share], i) => {
		const item = document.createElement("li");
		const box = document.createElement("span");

		box.style.background = fairsched.colours[i];
		item.append(box, nameOf(plan.trace, user) + " (" +
			Math.round(100 * share) + " %)");
		return item;
	}));
	if (plan.trace.others) {
		const item = list.appendChild(document.createElement("li"));
		const box = item.appendChild(document.createElement("span"));

		box.style.background = fairsched.colours.at(-1);
		item.append("all others");
	}
}

function use(trace, keep) {
	const was = keep && plan ? view : null, before = plan && plan.part;
	const part = partChoice && partChoice.value ?
		trace.parts[partChoice.value] : null;

	plan = planOf(trace, +policyChoice.value, part);
	other = otherChoice.value === "" ||
		otherChoice.value === policyChoice.value ? null :
		planOf(trace, +otherChoice.value, part);
	if (other)
		plan.to = other.to = Math.max(plan.to, other.to);
	writeUsers();
	if (!keep)
		fairsched.showShares(trace.shares, trace.unix);
	context.font = "12px system-ui, sans-serif";
	LEFT = Math.max(48,
		Math.ceil(context.measureText(unitText(plan, plan.procs))
			.width) + 14);
	canvas.dataset.left = LEFT;
	if (was && part !== before)
		show(was.from, was.to, 0, plan.procs);
	else if (was)
		show(was.from, was.to, was.low, was.high);
	else
		show(...busiestWeek(plan), 0, plan.procs);
	choose(was ? chosen : -1);
	if (plan.size(plan.trace.id.indexOf(linked)))
		zoomTo(plan.trace.id.indexOf(linked));
	linked = NaN;
}

function open() {
	const number = +traceChoice.value;
	const script = document.createElement("script");

	if (loaded.has(number)) {
		use(loaded.get(number), false);
		return;
	}
	says.textContent = "Loading.";
	script.src = "trace-" + (number + 1) + ".js";
	script.onload = () => {
		if (+traceChoice.value === number)
			use(loaded.get(number), false);
	};
	script.onerror = () => {
		says.textContent = script.src + " is missing.";
	};
	document.body.append(script);
}

traceChoice.addEventListener("change", open);
policyChoice.addEventListener("change", () =>
	plan && use(plan.trace, true));
otherChoice.addEventListener("change", () =>
	plan && use(plan.trace, true));
if (partChoice)
	partChoice.addEventListener("change", () =>
		plan && use(plan.trace, true));
addEventListener("hashchange", () => readLink() && open());
new ResizeObserver(redraw).observe(canvas);
matchMedia("(prefers-color-scheme: dark)")
	.addEventListener("change", () => {
		theme = null;
		redraw();
	});
addEventListener("beforeprint", () => {
	theme = null;
	canvas.style.width = PAPER + "px";
	frame();
});
addEventListener("afterprint", () => {
	theme = null;
	canvas.style.width = "";
	redraw();
});
readLink();
open();
