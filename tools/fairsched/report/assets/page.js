/* page.js - what is compared with, shares, and charts out of the tables */
const fairsched = window.fairsched = {};

/* Told apart by those who see few colours [Okabe, Ito]; then dashes. */
const colours = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9",
	"#d55e00", "#8c8c8c"];
const dashes = ["", "8 4", "2 3", "10 3 2 3"];
const BARS = 12; /* rows drawn of a long table */
const WORST = -200; /* percent: where bars of an improvement end */
const HIGH = 240; /* of a chart of lines, with its axis */
const SAMPLE = " (sample)"; /* behind the name of a row */
const DAY = 86400;
const byId = (id) => document.getElementById(id);
const all = (what, of) => [...(of || document).querySelectorAll(what)];
const policies = all("#plan-policy option").map((one) => one.textContent);

fairsched.colours = colours;
fairsched.style = (name) =>
	getComputedStyle(document.documentElement)
		.getPropertyValue(name).trim();

/* "15 h 5 min" */
fairsched.duration = (s) => {
	const text = [];

	for (const [unit, name] of [[DAY, "d"], [3600, "h"], [60, "min"],
		[1, "s"]]) {
		if (s >= unit && text.length < 2)
			text.push(Math.floor(s / unit) + " " + name);
		s %= unit;
	}
	return text.join(" ") || "0 s";
};

/* ---- what is compared with, and under which policy ---- */

/* Of the children of one parent that have data-KIND, that of @value is shown. */
function choose(kind, value) {
	const groups = new Map();

	for (const e of all("[data-" + kind + "]"))
		groups.set(e.parentNode, [...(groups.get(e.parentNode) || []),
			e]);
	for (const [parent, list] of groups) {
		const is = (name) => list.find((e) =>
			e.dataset[kind] === name);
		const shown = is(value) || is(policies[0]);
		const figure = parent.closest("figure");

		list.forEach((e) => e.hidden = e !== shown);
		if (figure)
			all(".base", figure).forEach((e) =>
				e.textContent = shown.dataset.base);
	}
}

/* ---- tables ---- */

function read(figure) {
	const rows = all("tbody:not([hidden]) tr", figure);
	/* What is worse than any percentage ends with the longest bars. */
	const number = (cell) => {
		const value = parseFloat(cell.textContent);

		return isFinite(value) ? value :
			cell.textContent === "worse" ? 2 * WORST : null;
	};
	const error = (cell) =>
		parseFloat(cell.textContent.split("\u00b1")[1]) || 0;

	return {
		names: all("thead th", figure).slice(1)
			.map((cell) => cell.textContent),
		rows: rows.map((row) => row.cells[0].textContent),
		x: rows.map((row) => +row.cells[0].dataset.x),
		values: rows.map((row) => [...row.cells].slice(1).map(number)),
		errors: rows.map((row) => [...row.cells].slice(1).map(error)),
	};
}

/* Without the policies that are hidden; less what the base has, if so asked. */
function shownAs(table) {
	const hidden = all("#shown input").filter((box) => !box.checked)
		.map((box) => box.value);
	const keep = table.names.map((name) => !hidden.includes(name));
	const base = [byId("base").value, policies[0]]
		.map((name) => table.names.indexOf(name)).find((k) => k >= 0);
	const kept = (row) => row.filter((_, k) => keep[k]);

	if (byId("scale").value === "difference") {
		table.values = table.values.map((row) => row.map((value) =>
			value === null || row[base] === null ? null :
				value - row[base]));
		table.errors = table.errors.map((row) => row.map(() => 0));
	}
	table.values = table.values.map(kept);
	table.errors = table.errors.map(kept);
	table.names = kept(table.names);
	return table;
}

/* One policy looks the same everywhere; what the log recorded is grey. */
function look(name) {
	const i = policies.indexOf(name), n = colours.length;

	return i < 0 ? { stroke: colours[n - 1], dash: dashes[2] } :
		{ stroke: colours[i % n], dash: dashes[i % dashes.length] };
}

/* ---- drawing ---- */

function put(parent, tag, attributes, text) {
	const e = document.createElementNS("http://www.w3.org/2000/svg", tag);

	for (const name in attributes)
		e.setAttribute(name, attributes[name]);
	if (text !== undefined)
		e.textContent = text;
	return parent.appendChild(e);
}

/* Round numbers, about @n of them. */
function ticksOf(low, high, n) {
	const least = (high - low) / n || 1;
	const power = 10 ** Math.floor(Math.log10(least));
	const step = power * [1, 2, 5, 10].find((s) => s * power >= least);
	const list = [];

	for (let t = Math.ceil(low / step) * step; t <= high; t += step)
		list.push(+t.toPrecision(9));
	return list;
}

const short = (v) => Math.abs(v) >= 1e6 ? v / 1e6 + "M" :
	Math.abs(v) >= 1e3 ? v / 1e3 + "k" : String(v);

/* Logarithmic on both sides of 0. */
const isLog = () => byId("scale").value === "log";
const bend = (v) => isLog() ? Math.asinh(v) : v;
const bent = (low, high, n) => isLog() ?
	[-1e4, -1e3, -100, -10, -1, 0, 1, 10, 100, 1e3, 1e4, 1e5, 1e6]
		.filter((v) => v >= low && v <= high) : ticksOf(low, high, n);

const dateOf = (t, length) => new Date(t * 1e3).toISOString().replace("T", " ")
	.slice(0, length);

/* Of each kind of x: how it is scaled, ticks on @wide pixels, and words. */
const axes = {
	waits: {
		scale: Math.log10, words: fairsched.duration, tick: fairsched.duration,
		ticks: (low, high, wide) => (wide < 500 ?
			[10, 600, 3600 * 6, 5 * DAY, 100 * DAY] :
			[10, 60, 600, 3600, 3600 * 6, DAY, 7 * DAY, 30 * DAY,
				365 * DAY]).filter((t) => t >= low && t <= high),
	},
	curve: {
		scale: Math.log10, words: (v) => String(+v.toPrecision(4)), tick: short,
		ticks: (low, high) => [0, 1, 2, 3, 4, 5, 6, 7, 8].map((k) =>
			10 ** k).filter((t) => t <= high),
	},
	days: {
		scale: (t) => t, words: (t) => "day " + +(t / DAY).toFixed(2),
		tick: (t) => "day " + +(t / DAY).toFixed(3),
		ticks: (low, high, wide) => ticksOf(low / DAY, high / DAY,
			wide / 90).map((t) => t * DAY),
	},
	time: {
		scale: (t) => t, words: (t) => dateOf(t, 16),
		tick: (t) => dateOf(t, t % DAY ? 16 : 10).slice(t % DAY ? 5 : 0),
		ticks(low, high, wide) {
			const least = (high - low) * 95 / wide, list = [];
			const step = [3600, 10800, 21600, 43200, DAY, 2 * DAY,
				7 * DAY, 14 * DAY, 30 * DAY, 91 * DAY, 182 * DAY,
				365 * DAY, 730 * DAY].find((s) => s >= least) ||
				3650 * DAY;

			for (let t = Math.ceil(low / step) * step; t <= high;
				t += step)
				list.push(t);
			return list;
		},
	},
};

/* Names with their colours; what the pointer is at is written behind them. */
function legend(place, names, looks) {
	const list = place.appendChild(document.createElement("ul"));

	list.className = "legend";
	return names.map((name, k) => {
		const item = list.appendChild(document.createElement("li"));
		const box = item.appendChild(document.createElement("i"));

		box.style.background = looks[k].stroke;
		item.append(name + " ");
		return item.appendChild(document.createElement("b"));
	});
}

/* Over seconds, days or slowdowns. */
function lines(place, table, { kind, unit }, wide, looks) {
	const axis = axes[kind], { x, values } = table, right = wide - 8;
	const stepped = kind === "days" || kind === "time";
	const flat = values.flat().filter((v) => v !== null);
	const percent = unit === "%" && byId("scale").value !== "difference";
	const low = Math.min(0, ...flat);
	const high = percent ? 100 : Math.max(...flat, low + 1e-9);
	const left = 56, top = 6, down = HIGH - 24;
	const first = axis.scale(x[0]);
	const last = axis.scale(x[x.length - 1] +
		(stepped && x.length > 1 ? x[1] - x[0] : 0));
	const atX = (v) => left + (axis.scale(v) - first) * (right - left) /
		(last - first || 1);
	const atY = (v) => down - (bend(v) - bend(low)) * (down - top) /
		(bend(high) - bend(low));
	const svg = put(place, "svg", { width: wide, height: HIGH });
	const cells = legend(place, ["", ...table.names],
		[{ stroke: "transparent" }, ...looks]);
	const cursor = put(svg, "path", { class: "cursor" });

	for (const v of bent(low, high, 5)) {
		put(svg, "path", { class: "grid",
			d: `M${left} ${atY(v)}H${right}` });
		put(svg, "text", { x: left - 6, y: atY(v) + 4,
			"text-anchor": "end" }, short(v) + " " + unit);
	}
	for (const t of axis.ticks(x[0], x[x.length - 1], right - left)) {
		put(svg, "path", { class: "grid", d: `M${atX(t)} ${top}V${down}` });
		put(svg, "text", { x: Math.min(atX(t), right - 12), y: HIGH - 8,
			"text-anchor": "middle" }, axis.tick(t));
	}
	table.names.forEach((name, k) => {
		const points = values.map((row, i) => row[k] === null ? "" :
			(stepped && i ? "H" + atX(x[i]).toFixed(1) + "V" +
				atY(row[k]).toFixed(1) :
				(i ? "L" : "M") + atX(x[i]).toFixed(1) + " " +
				atY(row[k]).toFixed(1)));

		put(svg, "path", { class: "line", "data-name": name,
			stroke: looks[k].stroke,
			"stroke-dasharray": looks[k].dash,
			d: points.join("") + (stepped ? "H" + right : "") });
	});
	svg.addEventListener("pointermove", (event) => {
		const at = event.clientX - svg.getBoundingClientRect().left;
		let i = x.findIndex((v) => atX(v) > at);

		i = Math.max(0, (i < 0 ? x.length : i) - 1);
		cursor.setAttribute("d", `M${atX(x[i])} ${top}V${down}`);
		cells[0].textContent = axis.words(x[i]);
		values[i].forEach((v, k) => cells[k + 1].textContent =
			v === null ? "" : +v.toFixed(2) + " " + unit);
	});
}

/* Cut before what it says of a sample. */
function shorten(text, letters) {
	const sample = text.endsWith(SAMPLE) ? SAMPLE : "";

	return text.length <= letters ? text :
		text.slice(0, letters - 1 - sample.length) + "\u2026" + sample;
}

/* Rows from above, their policies side by side, half of an interval each way. */
function bars(place, table, { unit }, wide, looks) {
	const rows = table.rows.slice(0, BARS), n = table.names.length;
	const letters = Math.floor(Math.min(wide / 25,
		Math.max(...rows.map((text) => text.length))));
	const values = table.values.slice(0, BARS), flat = values.flatMap(
		(row, i) => row.map((v, k) => [v - table.errors[i][k],
			v + table.errors[i][k]]).flat());
	const low = Math.max(unit === "%" ? WORST : -Infinity,
		Math.min(0, ...flat));
	const high = Math.max(0, ...flat) || (low < 0 ? 0 : 1);
	const left = Math.max(60, 8 * letters + 10), right = wide - 14;
	const each = Math.max(24, 6 * n + 8), thick = (each - 8) / n;
	const down = each * rows.length;
	const at = (v) => left + (bend(Math.max(low, v)) - bend(low)) *
		(right - left) / (bend(high) - bend(low));
	const svg = put(place, "svg", { width: wide, height: down + 22 });

	for (const v of bent(low, high, wide / 90)) {
		put(svg, "path", { class: v ? "grid" : "zero",
			d: `M${at(v)} 0V${down}` });
		put(svg, "text", { x: Math.min(at(v), right - 8), y: down + 16,
			"text-anchor": "middle" }, short(v));
	}
	rows.forEach((text, i) => {
		put(svg, "text", { x: left - 6, y: each * (i + 0.5) + 4,
			"text-anchor": "end" }, shorten(text, letters));
		values[i].forEach((v, k) => {
			const y = each * i + 4 + thick * k, e = table.errors[i][k];

			if (v === null)
				return;
			put(svg, "rect", { "data-name": table.names[k],
				x: Math.min(at(0), at(v)), y, height: thick - 1,
				width: Math.abs(at(v) - at(0)),
				fill: looks[k].stroke });
			if (e > 0)
				put(svg, "path", { class: "interval",
					d: `M${at(v - e)} ${y + thick / 2}H` +
						Math.min(right, at(v + e)) });
		});
	});
	legend(place, table.names, looks);
}

/* A single bad one would leave nothing to see of the others. */
function remark(figure, table) {
	const note = figure.querySelector("figcaption");

	if (note.dataset.noted)
		return;
	if (Math.min(...table.values.flat()) < WORST)
		note.append(" Bars end at " + WORST + " %.");
	if (table.errors.flat().some((error) => error > 0))
		note.append(" Lines: 95 % intervals of a sample.");
	note.dataset.noted = "yes";
}

function chart(figure, place, table, data, width, looks) {
	const wide = width || Math.max(200, place.clientWidth);

	place.replaceChildren();
	place.className = "chart";
	place.setAttribute("role", "img");
	place.setAttribute("aria-label", figure.querySelector("b").textContent +
		": a chart of the numbers below");
	if (table.x.length && table.names.length)
		(data.kind === "bars" ? bars : lines)(place, table, data, wide,
			looks || table.names.map(look));
}

function draw(figure, width) {
	const table = shownAs(read(figure));
	const place = figure.querySelector(".chart") ||
		figure.insertBefore(document.createElement("div"),
			figure.querySelector("details"));

	if (figure.dataset.unit === "%")
		remark(figure, table);
	chart(figure, place, table, figure.dataset, width);
}

/* ---- the share of an account or a user ---- */

const who = byId("share-who");
let shares = null; /* { of, unix } of the trace that is shown */

function drawShare(width) {
	const names = shares && shares.of.length > policies.length ?
		["recorded", ...policies] : policies;
	const mine = byId("mine").value, number = names.indexOf(mine);
	const data = shares && JSON.parse(shares.of[Math.max(0, number)]);
	const was = who.value, sum = [0, 0];

	if (!data)
		return;
	/* Who is alone has all. */
	const kinds = ["accounts", "users"].filter((kind) =>
		kind === "users" || data[kind].length > 1);

	who.replaceChildren(...kinds.map((kind) => {
		const group = document.createElement("optgroup");

		group.label = kind;
		group.append(...data[kind].map(([name]) => new Option(name,
			kind + " " + name)));
		return group;
	}));
	who.value = was;
	if (who.selectedIndex < 0)
		who.selectedIndex = 0;
	const [, name] = who.value.match(/ (.*)/s) || [0, ""];
	const [, parts] = data[who.value.split(" ")[0]].find((one) =>
		one[0] === name);
	const n = Math.max(...data.users.map(([, list]) =>
		(list[list.length - 3] || 0) + 1));
	const values = Array.from({ length: n }, () => [0, 0]);

	for (let i = 0; i < parts.length; i += 3) {
		values[parts[i]] = [parts[i + 1], parts[i + 2]];
		sum[0] += parts[i + 1];
		sum[1] += parts[i + 2];
	}
	byId("share-says").textContent = `${name}, under ` +
		`${names[Math.max(0, number)]}: due ${Math.round(sum[0])}, got ` +
		`${Math.round(sum[1])} processor-hours` + (sum[0] > 0 ?
		` (${Math.round(100 * sum[1] / sum[0])} % of what was due).` : ".");
	chart(byId("share"), byId("share-chart"), { names: ["due", "got"], values,
		x: values.map((_, i) => data.from + i * data.step +
			(shares.unix || 0)) },
	{ kind: shares.unix === undefined ? "days" : "time", unit: "h" }, width,
	[{ stroke: "#8c8c8c", dash: dashes[1] }, { stroke: colours[0], dash: "" }]);
}

fairsched.showShares = (of, unix) => {
	shares = { of, unix };
	drawShare();
};

/* ---- all of it ---- */

/* On the screen, or on paper of so many pixels. */
fairsched.drawCharts = (width) => {
	all("figure[data-kind]").forEach((figure) => draw(figure, width));
	drawShare(width);
};

/* A table that is wider than its place says so, and scrolls also by keys. */
function sign(box) {
	const wide = box.scrollWidth > box.clientWidth + 1;

	box.classList.toggle("more", wide);
	if (wide || box.scrollHeight > box.clientHeight + 1)
		box.tabIndex = 0;
	else
		box.removeAttribute("tabindex");
}

const sizes = new ResizeObserver((list) => list.forEach(({ target }) =>
	sign(target)));
all(".scroll").forEach((box) => {
	const heading = box.previousElementSibling;

	box.setAttribute("role", "region");
	box.setAttribute("aria-label", "Table: " + (heading &&
		heading.matches("h3, h4") ? heading : box.closest(
			"figure, details, section").querySelector(
			"b, summary, h2")).textContent);
	sizes.observe(box);
});
byId("base").addEventListener("change", () => {
	choose("base", byId("base").value);
	fairsched.drawCharts();
});
byId("mine").addEventListener("change", () => {
	choose("policy", byId("mine").value);
	drawShare();
});
who.addEventListener("change", () => drawShare());
byId("shown").addEventListener("change", () => fairsched.drawCharts());
choose("base", byId("base").value);
choose("policy", byId("mine").value);
fairsched.drawCharts();

let was = document.body.clientWidth;
addEventListener("resize", () => {
	if (document.body.clientWidth !== was)
		fairsched.drawCharts();
	was = document.body.clientWidth;
});
addEventListener("beforeprint", () => fairsched.drawCharts(660));
addEventListener("afterprint", () => fairsched.drawCharts());
