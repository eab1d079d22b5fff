/*
 * plan.js - a schedule on a canvas: processors over time, a box for each job
 *
 * What is in view decides the work of a frame. Few boxes are painted one by
 * one. Many, on a scale coarser than a bin, come from a pyramid: the used share
 * of each cell of time and processors, at widths of 1, 2, 4, ... bins; that
 * costs the pixels of the canvas, however many jobs there are.
 */
const fairsched = window.fairsched;
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
let plan = null, view = null, chosen = -1, waiting = false, theme = null;
let pixels = null; /* of the last frame */

/* ---- the boxes of a schedule ---- */

function sums(list) {
	let sum = 0;

	return Float64Array.from(list, (x) => sum += x);
}

/* A trace as it came: lists of differences made whole. */
fairsched.data = (number, text) => {
	const trace = JSON.parse(text);

	trace.id = sums(trace.id);
	trace.submit = sums(trace.submit);
	loaded.set(number, trace);
};

/* A range of processors of a job each, in the order of starts. */
function boxesOf(trace, { wait, range }) {
	const jobs = trace.id.length, first = new Uint32Array(jobs + 1);
	const start = trace.submit.map((t, i) => t + wait[i]);
	const order = Uint32Array.from(start.keys())
		.sort((a, b) => start[a] - start[b] || a - b);
	const n = range.length / 2;
	const boxes = { n, start, first, order,
		from: new Float64Array(n), to: new Float64Array(n),
		low: new Int32Array(n), high: new Int32Array(n),
		job: new Uint32Array(n), last: [] };
	let at = 0;

	for (let i = 0, k = 0; i < jobs; first[++i] = k)
		for (let left = trace.procsOf[i]; left > 0; k++)
			left -= range[2 * k + 1];
	for (const i of order) {
		for (let k = first[i]; k < first[i + 1]; k++, at++) {
			boxes.from[at] = start[i];
			boxes.to[at] = start[i] + trace.run[i];
			boxes.low[at] = range[2 * k];
			boxes.high[at] = range[2 * k] + range[2 * k + 1];
			boxes.job[at] = i;
		}
	}
	for (let b = 0; b < n; b += BLOCK) {
		let last = -Infinity;

		for (let k = b; k < n && k < b + BLOCK; k++)
			last = Math.max(last, boxes.to[k]);
		boxes.last.push(last);
	}
	return boxes;
}

/* The used share of each cell, 0 to 1, of one level, row by row. */
function lowest(boxes, procs, from, bin, bins, rows) {
	const cell = new Float32Array(bins * rows);
	const tall = procs / rows, whole = bin * tall;

	for (let k = 0; k < boxes.n; k++) {
		const a = (boxes.from[k] - from) / bin;
		const z = (boxes.to[k] - from) / bin;
		const low = boxes.low[k] / tall, high = boxes.high[k] / tall;

		for (let x = Math.floor(a); x < z; x++) {
			const wide = Math.min(z, x + 1) - Math.max(a, x);

			for (let y = Math.floor(low); y < high; y++)
				cell[y * bins + x] += wide *
					(Math.min(high, y + 1) -
					Math.max(low, y));
		}
	}
	return cell;
}

function halved(cell, rows) {
	const bins = cell.length / rows, less = bins + 1 >> 1;
	const half = new Float32Array(less * rows);

	for (let y = 0, i = 0; y < rows; y++)
		for (let x = 0; x < bins; x++)
			half[y * less + (x >> 1)] += cell[i++] / 2;
	return half;
}

function bytes(cell) {
	const byte = new Uint8Array(cell.length);

	for (let i = 0; i < cell.length; i++)
		byte[i] = Math.min(255, Math.round(255 * cell[i]));
	return byte;
}

function pyramidOf(boxes, procs, from, to) {
	const bin = Math.max(1, (to - from) / BINS);
	const bins = Math.max(1, Math.ceil((to - from) / bin));
	const rows = Math.min(procs, ROWS);
	let cell = lowest(boxes, procs, from, bin, bins, rows);
	const levels = [];

	for (;;) {
		levels.push(bytes(cell));
		if (cell.length <= rows)
			return { bin, rows, levels };
		cell = halved(cell, rows);
	}
}

function planOf(trace, number) {
	const boxes = boxesOf(trace, trace.plans[number]);
	const from = boxes.n ? boxes.from[0] : 0;
	const to = Math.max(from + 1, ...boxes.last);

	return { trace, boxes, from, to, procs: trace.procs,
		pyramid: boxes.n > FEW ?
			pyramidOf(boxes, trace.procs, from, to) : null };
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
	const busy = rgb(fairsched.style("--busy"));

	return {
		free: packed(free),
		shades: Uint32Array.from({ length: 256 }, (_, i) =>
			packed(free.map((c, k) =>
				Math.round(c + (busy[k] - c) * i / 255)))),
		/* Two shades each: neighbours are told apart. */
		users: fairsched.colours.map(rgb).flatMap((c) => [c,
			c.map((x, k) => Math.round(x + (free[k] - x) *
				0.25))]).map(packed),
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

function paintCells(out, wide, high, pyramid) {
	const second = (view.to - view.from) / wide; /* of a pixel */
	const level = Math.min(pyramid.levels.length - 1,
		Math.max(0, Math.floor(Math.log2(second / pyramid.bin))));
	const cell = pyramid.levels[level], rows = pyramid.rows;
	const bin = pyramid.bin * 2 ** level, bins = cell.length / rows;
	const first = new Int32Array(wide + 1), shades = theme.shades;
	let last = -1; /* row painted */

	for (let x = 0; x <= wide; x++)
		first[x] = Math.min(bins - 1, Math.floor(
			(view.from - plan.from + x * second) / bin));
	for (let y = 0; y < high; y++) {
		const p = view.low + (view.high - view.low) *
			(high - y - 0.5) / high;
		const row = Math.floor(p * rows / plan.procs);
		const at = y * wide;

		if (row === last) {
			out.copyWithin(at, at - wide, at);
			continue;
		}
		last = row;
		for (let x = 0; x < wide; x++) {
			const z = Math.max(first[x] + 1, first[x + 1]);
			let sum = 0;

			for (let i = first[x]; i < z; i++)
				sum += cell[row * bins + i];
			out[at + x] = shades[Math.round(sum /
				(z - first[x]))];
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

function paintBoxes(out, wide, high, boxes) {
	const scaleX = wide / (view.to - view.from);
	const scaleY = high / (view.high - view.low);
	const users = plan.trace.user, colours = theme.users;

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
				colours[(Math.abs(users[boxes.job[k]]) * 2 +
					boxes.job[k] % 2) %
					colours.length]);
		}
	});
}

function paintSchedule(wide, high) {
	const { boxes, pyramid } = plan;
	const second = (view.to - view.from) / wide;
	const coarse = pyramid && second >= pyramid.bin &&
		countBoxes(boxes, view.from, view.to) > FEW;
	let out;

	if (!pixels || pixels.width !== wide || pixels.height !== high)
		pixels = context.createImageData(wide, high);
	out = new Uint32Array(pixels.data.buffer);
	out.fill(theme.free);
	if (coarse)
		paintCells(out, wide, high, pyramid);
	else
		paintBoxes(out, wide, high, boxes);
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

function drawProcs(high) {
	const least = (view.high - view.low) * 24 / high;
	const power = 10 ** Math.floor(Math.log10(least));
	const step = Math.max(1, [1, 2, 5, 10].map((s) => s * power)
		.find((s) => s >= least));

	context.textAlign = "right";
	for (let p = Math.ceil(view.low / step) * step; p <= view.high;
		p += step) {
		const y = TOP + (view.high - p) * high /
			(view.high - view.low);

		context.fillRect(LEFT - 5, y, 5, 1);
		context.fillText(p, LEFT - 8, Math.max(TOP + 8, y + 4));
	}
}

/* The chosen job: its boxes, and its wait as a line before them. */
function drawChosen(wide, high) {
	const { boxes, trace } = plan, i = chosen;
	const x = (t) => LEFT + (t - view.from) * wide /
		(view.to - view.from);
	const y = (p) => TOP + (view.high - p) * high /
		(view.high - view.low);

	if (i < 0)
		return;
	context.save();
	context.beginPath();
	context.rect(LEFT, TOP, wide, high);
	context.clip();
	context.strokeStyle = theme.ink;
	context.lineWidth = 2;
	for (const k of boxesOfJob(i)) {
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
	let coarse;

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
	coarse = paintSchedule(Math.round(wide * ratio),
		Math.round(high * ratio));
	context.putImageData(pixels, Math.round(LEFT * ratio),
		Math.round(TOP * ratio));
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.fillStyle = theme.ink;
	context.font = "12px system-ui, sans-serif";
	drawTimes(wide, high);
	drawProcs(high);
	drawChosen(wide, high);
	canvas.dataset.view = [view.from, view.to, view.low, view.high,
		coarse ? "cells" : "boxes"].join(" ");
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

function* boxesOfJob(i) {
	const { boxes } = plan;
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

function duration(s) {
	const parts = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
	const text = [];

	for (const [unit, name] of parts) {
		if (s >= unit && text.length < 2)
			text.push(Math.floor(s / unit) + " " + name);
		s %= unit;
	}
	return text.join(" ") || "0 s";
}

function describe(i) {
	const { trace, boxes } = plan;

	says.textContent = "Job " + trace.id[i] + " of user " +
		trace.user[i] + ": " + trace.procsOf[i] +
		" processors, waits " +
		duration(boxes.start[i] - trace.submit[i]) + " from " +
		timeText(trace.submit[i], 0) + ", runs " +
		duration(trace.run[i]) + " of the " +
		duration(trace.estimate[i]) + " planned, on " +
		[...boxesOfJob(i)].map((k) => boxes.high[k] -
			boxes.low[k] > 1 ? boxes.low[k] + "-" +
			(boxes.high[k] - 1) : boxes.low[k]).join(" ") + ".";
}

function choose(i) {
	chosen = i;
	if (i >= 0)
		describe(i);
	else
		says.textContent = plan.trace.id.length + " jobs from " +
			timeText(plan.from, 0) + " to " +
			timeText(plan.to, 0) + ".";
	redraw();
}

/* [from, to) as it is if [a, z) is in it, or else with that in the middle. */
function around(from, to, a, z) {
	const half = Math.max(to - from, 2 * (z - a)) / 2;

	return a >= from && z <= to ? [from, to] :
		[(a + z) / 2 - half, (a + z) / 2 + half];
}

function goTo(i) {
	const { boxes } = plan, at = [...boxesOfJob(i)];
	const start = boxes.start[i], end = start + plan.trace.run[i];

	show(...around(view.from, view.to, start, end),
		...around(view.low, view.high,
			Math.min(...at.map((k) => boxes.low[k])),
			Math.max(...at.map((k) => boxes.high[k]))));
	choose(i);
}

/* The next in the order of starts, or the first in view. */
function goOn(by) {
	const { order, start } = plan.boxes;
	const at = chosen < 0 ?
		order.findIndex((i) => start[i] >= view.from) :
		order.indexOf(chosen) + by;

	if (at >= 0 && at < order.length)
		goTo(order[at]);
}

function jobAt(t, p) {
	const { boxes } = plan;
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

/* Where in view, 0 to 1, from the left and from below. */
function placeOf(event) {
	const box = canvas.getBoundingClientRect();

	return [(event.clientX - box.left - LEFT) /
		(box.width - LEFT - RIGHT),
		1 - (event.clientY - box.top - TOP) /
		(box.height - TOP - BOTTOM)];
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
	const was = fingers.get(event.pointerId), is = placeOf(event);

	if (!was || !plan)
		return;
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
	const [x, y] = placeOf(event);

	fingers.delete(event.pointerId);
	if (!moved && plan)
		choose(jobAt(view.from + x * (view.to - view.from),
			Math.floor(view.low + y * (view.high - view.low))));
});
canvas.addEventListener("pointercancel", (event) =>
	fingers.delete(event.pointerId));

document.getElementById("plan-find").addEventListener("submit", (event) => {
	const text = document.getElementById("plan-job").value.trim();
	const id = text ? +text : NaN;
	const i = plan ? plan.trace.id.indexOf(id) : -1;

	event.preventDefault();
	if (i >= 0)
		goTo(i);
	else
		says.textContent = text ? "There is no job " + text + "."
			: "Give the number of a job.";
});

/* ---- which one ---- */

const traceChoice = document.getElementById("plan-trace");
const policyChoice = document.getElementById("plan-policy");

function use(trace, keep) {
	const was = keep && plan ? view : null;

	plan = planOf(trace, +policyChoice.value);
	context.font = "12px system-ui, sans-serif";
	LEFT = Math.max(48,
		Math.ceil(context.measureText(plan.procs).width) + 14);
	if (was)
		show(was.from, was.to, was.low, was.high);
	else
		all();
	choose(was ? chosen : -1);
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
open();
