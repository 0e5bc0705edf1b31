const found = JSON.parse(document.getElementById("findings").textContent);
const groups = found.components.rows;
const main = document.querySelector("main");
const tip = document.querySelector(".tip");

/* elements: text is only ever set as text, so that no name becomes markup */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") for (const [event, act] of Object.entries(value)) element.addEventListener(event, act);
    else if (name === "group") { element.dataset.group = value; paint(element, value); }
    else element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}
const html = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) =>
  fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

/* each element has a colour for white and one for black paper; the style sheet takes one of them */
function paint(element, group) {
  const own = colour(group);
  for (const [paper, code] of [["day", own], ["night", lightened(own)]]) {
    element.style.setProperty(`--${paper}`, code);
    element.style.setProperty(`--on-${paper}`, luminance(code) > 0.179 ? "#111" : "#fff");
  }
  element.classList.add("painted");
}

const isNoise = (group) => groups[group].name === "noise";
const clusterOf = (group) => (found.clusters ? found.clusters.of_components[group] : group);
const label = (group) => (isNoise(group) ? "noise" : `component ${groups[group].name}${found.clusters ? ` of cluster ${clusterOf(group)}` : ""}`);

/* components of one cluster have the same colour and shape */
function colour(group) {
  if (isNoise(group)) return found.noise_colour;
  const n = found.clusters ? found.clusters.rows.length : groups.length - (found.noise_colour ? 1 : 0);
  const place = clusterOf(group);
  if (n <= found.palette.length) return found.palette[place];
  return `hsl(${Math.round((360 * place) / n)} 65% ${[38, 52, 66][place % 3]}%)`;
}

function channels(code) {
  if (code[0] === "#") return [1, 3, 5].map((at) => parseInt(code.slice(at, at + 2), 16));
  const [hue, strength, light] = code.match(/[\d.]+/g).map(Number);
  const reach = (strength / 100) * Math.min(light / 100, 1 - light / 100);
  return [0, 8, 4].map((shift) => {
    const k = (shift + hue / 30) % 12;
    return 255 * (light / 100 - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  });
}

function luminance(code) {
  const [red, green, blue] = channels(code).map((one) => (one / 255) ** 2.2);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/* a colour mixed with white until it is easy to see on black */
function lightened(code) {
  for (let share = 0; share <= 0.6; share += 0.05) {
    const [red, green, blue] = channels(code).map((one) => Math.round(one + share * (255 - one)));
    const mixed = `#${[red, green, blue].map((one) => one.toString(16).padStart(2, "0")).join("")}`;
    if (luminance(mixed) > 0.24) return mixed;
  }
  return "#cfa79f";
}

/* markers differ by shape as well as by colour; each is a path around (x, y) */
const SHAPES = [
  (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  (x, y, r) => `M${x - r * 0.9} ${y - r * 0.9}h${r * 1.8}v${r * 1.8}h${-r * 1.8}z`,
  (x, y, r) => `M${x} ${y - r * 1.2}l${r * 1.15} ${r * 2}h${-r * 2.3}z`,
  (x, y, r) => `M${x} ${y - r * 1.3}l${r * 1.3} ${r * 1.3}l${-r * 1.3} ${r * 1.3}l${-r * 1.3} ${-r * 1.3}z`,
  (x, y, r) => `M${x} ${y + r * 1.2}l${r * 1.15} ${-r * 2}h${-r * 2.3}z`,
  (x, y, r) => `M${x - r * 1.3} ${y - r * 0.45}h${r * 0.85}v${-r * 0.85}h${r * 0.9}v${r * 0.85}h${r * 0.85}v${r * 0.9}h${-r * 0.85}v${r * 0.85}h${-r * 0.9}v${-r * 0.85}h${-r * 0.85}z`,
];
const shape = (group) => SHAPES[isNoise(group) ? 5 : clusterOf(group) % SHAPES.length];

/* numbers */
const short = (value, digits = 4) => {
  if (value === null || value === undefined) return "–";
  const size = Math.abs(value);
  const enough = size >= 1 ? Math.max(digits, Math.floor(Math.log10(size)) + 1) : digits;
  const text = size >= 1e9 || (size < 1e-3 && size > 0)
    ? value.toExponential(digits > 4 ? digits - 1 : 2)
    : Number.isInteger(value) ? value.toLocaleString("en") : (+value.toPrecision(enough)).toLocaleString("en", { maximumFractionDigits: 12 });
  return text.replace("-", "−");
};
const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)}%`;
const cut = (name, letters = 48) => (name.length > letters ? `${name.slice(0, letters - 1)}…` : name);
const whole = (count) => count.toLocaleString("en");
const plural = (n, one) => `${whole(n)} ${n === 1 ? one.replace(/ies$/, "y").replace(/s$/, "") : one}`;

function extent(lists) {
  let [low, high] = [Infinity, -Infinity];
  for (const list of lists) {
    for (const value of list) {
      if (value === null) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  if (low > high) return [0, 1];
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}
const widened = ([low, high], share = 0.04) => [low - share * (high - low), high + share * (high - low)];

function ticks(low, high, most) {
  const rough = (high - low) / Math.max(most, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((one) => one * power >= rough) * power;
  const places = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) places.push(+(k * step).toPrecision(12));
  return places;
}

/* so many digits that neighbouring ticks differ */
const digitsOf = (places) => {
  if (places.length < 2) return 4;
  const largest = Math.max(...places.map(Math.abs));
  return Math.min(12, Math.max(4, Math.ceil(Math.log10(largest / (places[1] - places[0]))) + 1));
};

/* ticks whose labels have room beside each other */
const LETTER = 7; // width of a letter, about
const longestOf = (places) => Math.max(0, ...places.map((at) => short(at, digitsOf(places)).length));
const roomyTicks = (x, width) => {
  const places = ticks(...x, width / 90);
  return ticks(...x, width / Math.max(90, LETTER * longestOf(places) + 24));
};

/* a frame to draw in: scales, axes, and layers on top */
function frame({ width, height, x, y, xLabel, yLabel, left = 46, bottom = 34, top = 8, right = 8, xTicks, yTicks, about }) {
  const across = xTicks || roomyTicks(x, width), upwards = yTicks || ticks(...y, height / 50);
  const inner = { left: Math.max(left, yLabel ? 20 + LETTER * longestOf(upwards) : 0), right: width - right, top, bottom: height - bottom };
  const sx = (value) => inner.left + ((value - x[0]) / (x[1] - x[0])) * (inner.right - inner.left);
  const sy = (value) => inner.bottom - ((value - y[0]) / (y[1] - y[0])) * (inner.bottom - inner.top);
  const chart = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": about });
  for (const at of across) {
    chart.append(
      svg("line", { class: "axis", x1: sx(at), x2: sx(at), y1: inner.bottom, y2: inner.bottom + 4 }),
      svg("text", { x: sx(at), y: inner.bottom + 16, "text-anchor": "middle" }, short(at, digitsOf(across))),
    );
  }
  for (const at of upwards) {
    chart.append(
      svg("line", { class: "grid-line", x1: inner.left, x2: inner.right, y1: sy(at), y2: sy(at) }),
      svg("text", { x: inner.left - 6, y: sy(at) + 4, "text-anchor": "end" }, short(at, digitsOf(upwards))),
    );
  }
  chart.append(svg("path", { class: "axis", d: `M${inner.left} ${inner.bottom}H${inner.right}` }));
  if (xLabel) chart.append(svg("text", { class: "strong", x: (inner.left + inner.right) / 2, y: height - 2, "text-anchor": "middle" }, cut(xLabel)));
  if (yLabel) chart.append(svg("text", { class: "strong", x: 0, y: 0, "text-anchor": "middle", transform: `translate(11 ${(inner.top + inner.bottom) / 2}) rotate(-90)` }, cut(yLabel, Math.floor(height / 8))));
  return { chart, sx, sy, inner, width, height };
}

const line = (xs, ys, { sx, sy }) => {
  let path = "", pen = "M";
  for (let i = 0; i < xs.length; i++) {
    if (ys[i] === null || xs[i] === null) { pen = "M"; continue; }
    path += `${pen}${sx(xs[i]).toFixed(1)} ${sy(ys[i]).toFixed(1)}`;
    pen = "L";
  }
  return path;
};

const badge = (group, x, y) => isNoise(group)
  ? svg("text", { group, x, y: y + 4, class: "strong", "text-anchor": "middle" }, "noise")
  : svg("g", { class: "mark", group }, svg("circle", { cx: x, cy: y, r: 9 }), svg("text", { x, y: y + 4 }, groups[group].name));

/* what the pointer is on */
function showTip(event, heading, pairs) {
  tip.replaceChildren(html("b", {}, heading), ...pairs.map(([name, value]) => html("div", {}, html("span", {}, cut(name, 32)), html("span", {}, value))));
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  const left = event.clientX + 14 + width > innerWidth ? event.clientX - width - 14 : event.clientX + 14;
  const top = event.clientY + 14 + height > innerHeight ? event.clientY - height - 10 : event.clientY + 14;
  tip.style.left = `${Math.max(4, left)}px`;
  tip.style.top = `${Math.max(4, top)}px`;
}
const hideTip = () => { tip.hidden = true; };

/* where the pointer is, in the units of the drawing */
function pointer(event, chart) {
  const box = chart.getBoundingClientRect();
  const view = chart.viewBox.baseVal;
  return [((event.clientX - box.left) / box.width) * view.width, ((event.clientY - box.top) / box.height) * view.height];
}

/* one component can be looked at, everywhere on the page */
let looked = null;
function lookAt(group) {
  looked = looked === group ? null : group;
  refocus();
}
function refocus() {
  main.classList.toggle("focused", looked !== null);
  for (const element of main.querySelectorAll("[data-group]")) element.classList.toggle("focus", +element.dataset.group === looked);
  for (const button of main.querySelectorAll("button.chip")) button.setAttribute("aria-pressed", +button.dataset.chip === looked);
  for (const row of main.querySelectorAll("tr[data-row]")) row.classList.toggle("focus", +row.dataset.row === looked);
}
addEventListener("keydown", (event) => { if (event.key === "Escape") { looked = null; refocus(); hideTip(); } });

function chip(group) {
  const button = html("button", {
    type: "button", class: "chip", "data-chip": group, "aria-pressed": "false",
    "aria-label": `highlight ${label(group)}`, title: `Highlight ${label(group)}`,
    on: { click: () => lookAt(group) },
  }, svg("svg", { viewBox: "-6 -6 12 12", "aria-hidden": "true" }, svg("path", { d: shape(group)(0, 0, 4.5) })), groups[group].name);
  paint(button, group);
  return button;
}
const legend = () => html("div", { class: "legend", role: "group", "aria-label": "Highlight a component" }, groups.map((_, group) => chip(group)));

function chooser(text, names, chosen, act) {
  const select = html("select", { on: { change: (event) => act(+event.target.value) } },
    names.map((name, at) => html("option", { value: at, selected: at === chosen ? "" : null }, cut(name))));
  return html("label", {}, text, select);
}

/* drawings fill the width of the page, and are drawn again when it changes */
const drawings = [];
function figure(draw, attributes = {}) {
  const place = html("figure", attributes);
  const redraw = () => { place.replaceChildren(...[draw(Math.max(260, place.clientWidth || 680))].flat()); refocus(); };
  drawings.push(redraw);
  place.redraw = redraw;
  return place;
}
const section = (heading, note, ...children) =>
  html("section", {}, html("h2", {}, heading), note ? html("p", { class: "note" }, note) : null, ...children);

/* a table that scrolls in both directions; its first row and column stay in sight */
const scrolling = (about, table) => html("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": about }, table);

/* the first of several places that is not taken by another badge */
function freePlace(places, taken) {
  const free = places.find(([x, y]) => taken.every(([p, q]) => Math.hypot(x - p, y - q) > 20)) || places[0];
  taken.push(free);
  return free;
}

function tableOf({ headings, lines }) {
  return scrolling("Table", html("table", { class: "candidates" },
    html("thead", {}, html("tr", {}, headings.map((name) => html("th", { scope: "col" }, name)))),
    html("tbody", {}, lines.map((cells) => html("tr", {}, cells.map((cell) => html("td", { class: "cell" }, cell)))))));
}
