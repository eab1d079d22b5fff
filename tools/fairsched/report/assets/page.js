/* page.js - charts out of the tables of the page */
const fairsched = window.fairsched = {};

/* Told apart by those who see few colours [Okabe, Ito]; then dashes. */
const colours = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9",
	"#d55e00", "#8c8c8c"];
const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
const BARS = 12; /* rows drawn of a long table */
const WORST = -200; /* percent: where bars of an improvement end */
const LABEL = 14; /* letters of a row, on a phone */
const SAMPLE = " (sample)"; /* behind the name of a row */
const policies = [...document.getElementById("plan-policy").options]
	.map((option) => option.textContent);
let charts = [];

fairsched.colours = colours;
fairsched.style = (name) =>
	getComputedStyle(document.documentElement)
		.getPropertyValue(name).trim();

function read(figure) {
	const rows = [...figure.querySelectorAll("tbody tr")];
	/* What is worse than any percentage ends with the longest bars. */
	const number = (cell) => {
		const value = parseFloat(cell.textContent);
		return isFinite(value) ? value :
			cell.textContent === "worse" ? 2 * WORST : null;
	};
	const error = (cell) =>
		parseFloat(cell.textContent.split("\u00b1")[1]) || 0;

	return {
		names: [...figure.querySelectorAll("thead th")].slice(1)
			.map((cell) => cell.textContent),
		rows: rows.map((row) => row.cells[0].textContent),
		x: rows.map((row) => +row.cells[0].dataset.x),
		values: rows.map((row) => [...row.cells].slice(1)
			.map(number)),
		errors: rows.map((row) => [...row.cells].slice(1).map(error)),
	};
}

/* As the page is asked to show it: less what the first policy has. */
const scale = document.getElementById("scale");
function shownAs(table) {
	if (scale.value === "difference") {
		table.values = table.values.map((row) => row.map((value) =>
			value === null || row[0] === null ? null :
				value - row[0]));
		table.errors = table.errors.map((row) => row.map(() => 0));
	}
	return table;
}
const isHidden = (name) => [...document.querySelectorAll("#shown input")]
	.some((box) => box.value === name && !box.checked);
/* Logarithmic on both sides of 0. */
const distribution = () => scale.value === "log" ? 4 : 1;
const dated = (u, ticks, axis, space, step) => ticks.map((t) => {
	const text = new Date(t * 1e3).toISOString();

	return step >= 86400 ? text.slice(0, 10) : text.slice(5, 16)
		.replace("T", " ");
});

/* One policy looks the same everywhere. */
const look = (name) => policies.indexOf(name);
const colourOf = (name) => colours[look(name) % colours.length];
const column = (table, k) => table.values.map((row) => row[k]);
const axis = (more) => Object.assign({
	stroke: fairsched.style("--ink"),
	grid: { stroke: fairsched.style("--line"), width: 1 },
	ticks: { stroke: fairsched.style("--line"), width: 1 },
}, more);

const short = (v) => Math.abs(v) >= 1e6 ? v / 1e6 + "M" :
	Math.abs(v) >= 1e3 ? v / 1e3 + "k" : String(v);

/* Over seconds, days or slowdowns. */
function lines(kind, table, unit) {
	const x = kind === "days" ? table.x.map((s) => s / 86400) :
		table.x;

	return {
		height: 280,
		tzDate: (t) => uPlot.tzDate(new Date(t * 1e3), "UTC"),
		scales: {
			x: { time: kind === "time",
				distr: kind === "curve" ? 3 : 1 },
			y: scale.value === "difference" ? {} :
				{ range: [0, 100], distr: distribution(),
					asinh: 1 },
		},
		axes: [
			axis(kind === "time" ? { values: dated, space: 90 } : {
				values: (u, ticks) => ticks.map((v) =>
					v === null ? "" : short(v)),
			}),
			axis({ values: (u, ticks) =>
				ticks.map((v) => v + " " + unit) }),
		],
		series: [
			{ label: kind === "curve" ? "at most" : "from",
				value: (u, v) => v === null ? "--" :
					kind === "time" ? new Date(v * 1e3)
						.toISOString().slice(0, 16)
						.replace("T", " ") :
						String(+v.toPrecision(4)) },
			...table.names.map((label) => ({
				label,
				show: !isHidden(label),
				stroke: colourOf(label),
				dash: dashes[look(label) % dashes.length],
				width: 2,
				points: { show: false },
				paths: kind === "curve" ? undefined :
					uPlot.paths.stepped({ align: 1 }),
			})),
		],
		data: [x, ...table.names.map((_, k) => column(table, k))],
	};
}

function drawZero(u) {
	const x = Math.round(u.valToPos(0, "y", true));

	u.ctx.fillStyle = fairsched.style("--ink");
	u.ctx.fillRect(x, u.bbox.top, 1, u.bbox.height);
}

/* Cut: a single bad one would leave nothing to see of the others. */
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

/* Cut before what it says of a sample. */
function shorten(text, letters) {
	const sample = text.endsWith(SAMPLE) ? SAMPLE : "";

	return text.length <= letters ? text :
		text.slice(0, letters - 1 - sample.length) + "\u2026" + sample;
}

/* Half of the interval to both sides of the end of the bar. */
function drawErrors(u, table, wide) {
	const { left, top, width, height } = u.bbox;
	const at = (value, scale) => Math.round(u.valToPos(value, scale, true));

	u.ctx.save();
	u.ctx.beginPath();
	u.ctx.rect(left, top, width, height);
	u.ctx.clip();
	u.ctx.fillStyle = fairsched.style("--ink");
	table.errors.slice(0, BARS).forEach((row, i) => row.forEach((e, k) => {
		const from = at(table.values[i][k] - e, "y");
		const to = at(table.values[i][k] + e, "y");

		if (e > 0 && u.series[k + 1].show)
			u.ctx.fillRect(from, at(i - 0.4 + (k + 0.45) * wide,
				"x"), to - from, 1);
	}));
	u.ctx.restore();
}

function bars(table, least) {
	const rows = table.rows.slice(0, BARS);
	const wide = 0.8 / table.names.length;
	const at = rows.map((_, i) => i);
	const longest = Math.max(...rows.map((text) => text.length));
	const letters = (u) => Math.max(LABEL, Math.floor(u.width / 25));
	const ends = (u, sign) => at.flatMap((i) => table.values[i].map((v, k) =>
		u.series[k + 1].show ? v + sign * table.errors[i][k] : 0));
	const from0 = (u) =>
		[Math.max(least, Math.min(0, ...ends(u, -1)) * 1.05),
			Math.max(0, ...ends(u, 1)) * 1.05 || 1];

	return {
		height: 60 + rows.length *
			Math.max(24, 10 * table.names.length + 6),
		legend: { live: false },
		cursor: { show: false },
		scales: {
			x: { time: false, ori: 1, dir: -1,
				range: [-0.5, rows.length - 0.5] },
			y: { ori: 0, range: from0, distr: distribution(),
				asinh: 1 },
		},
		hooks: { drawAxes: [drawZero],
			draw: [(u) => drawErrors(u, table, wide)] },
		axes: [
			axis({ side: 3, grid: { show: false },
				size: (u) => 24 + 7 *
					Math.min(longest, letters(u)),
				splits: () => at,
				values: (u) => rows.map((text) =>
					shorten(text, letters(u))) }),
			axis({ side: 2, space: 50, values: (u, ticks) =>
				ticks.map(short) }),
		],
		series: [{}, ...table.names.map((label, k) => ({
			label,
			show: !isHidden(label),
			fill: colourOf(label),
			width: 0,
			points: { show: false },
			paths: uPlot.paths.bars({ disp: {
				x0: { unit: 1, values: () => at.map((i) =>
					i - 0.4 + k * wide) },
				size: { unit: 1, values: () =>
					[0.9 * wide] },
			} }),
		}))],
		data: [at, ...table.names.map((_, k) =>
			column(table, k).slice(0, BARS))],
	};
}

function draw(figure, width) {
	const { kind, unit } = figure.dataset;
	const table = shownAs(read(figure));
	const options = kind === "bars" ?
		bars(table, unit === "%" ? WORST : -Infinity) :
		lines(kind, table, unit);
	const place = figure.querySelector(".chart") ||
		figure.insertBefore(document.createElement("div"),
			figure.querySelector("details"));
	let chart;

	if (!table.rows.length || !table.names.length)
		return;
	if (unit === "%")
		remark(figure, table);
	place.className = "chart";
	place.setAttribute("role", "img");
	place.setAttribute("aria-label",
		figure.querySelector("b").textContent +
		": a chart of the numbers below");
	options.width = width || place.clientWidth;
	options.height *= width ? 0.75 : 1;
	chart = new uPlot(options, options.data, place);
	charts.push({ chart, place });
}

/* On the screen, or on paper of so many pixels. */
fairsched.drawCharts = (width) => {
	charts.forEach(({ chart }) => chart.destroy());
	charts = [];
	document.querySelectorAll("figure[data-kind]")
		.forEach((figure) => draw(figure, width));
};

function resize() {
	charts.forEach(({ chart, place }) => {
		if (place.clientWidth !== chart.width)
			chart.setSize({ width: place.clientWidth,
				height: chart.height });
	});
}

/* Wide tables scroll, also by keys. */
document.querySelectorAll(".scroll").forEach((box) => {
	box.tabIndex = 0;
	box.setAttribute("role", "region");
	box.setAttribute("aria-label", "Table: " + box
		.closest("figure, section").querySelector("b, h2").textContent);
});
document.getElementById("shown").addEventListener("change", () =>
	fairsched.drawCharts());
fairsched.drawCharts();
addEventListener("resize", resize);
addEventListener("beforeprint", () => fairsched.drawCharts(660));
addEventListener("afterprint", () => fairsched.drawCharts());
matchMedia("(prefers-color-scheme: dark)")
	.addEventListener("change", () => fairsched.drawCharts());
