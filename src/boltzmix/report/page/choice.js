/* what was compared: a criterion, or the agreement of halves, against the number of components or
   clusters; and tables */
const choice = found.choice;

function lineColour(place) {
  const n = choice.lines.length;
  return n <= found.palette.length ? found.palette[place] : `oklch(${[0.55, 0.72, 0.82][place % 3]} 0.13 ${(360 * place) / n})`;
}

function choiceChart(width) {
  const { lines, limits, plausible, needed } = choice;
  const numbers = [...new Set(lines.flatMap((one) => one.numbers))].sort((p, q) => p - q);
  const every = Math.ceil(numbers.length / (width / 40));
  const space = frame({ width, height: 300, x: widened(extent([numbers]), 0.03), y: limits, xLabel: choice.x_label, yLabel: choice.y_label, left: 66, bottom: 40, xTicks: numbers.filter((_, at) => at % every === 0), about: `${choice.y_label} against the number of ${choice.x_label}` });
  const { chart, sx, sy, inner } = space;
  chart.append(svg("clipPath", { id: "choice" }, svg("rect", { x: inner.left, y: inner.top, width: inner.right - inner.left, height: inner.bottom - inner.top + 1 })));
  const drawn = svg("g", { "clip-path": "url(#choice)" });
  for (const number of plausible) drawn.append(svg("rect", { class: "plausible", x: sx(number - 0.5), y: inner.top, width: sx(number + 0.5) - sx(number - 0.5), height: inner.bottom - inner.top }));
  if (needed) drawn.append(svg("path", { class: "needed", d: line(needed.numbers, needed.values, space) }));
  lines.forEach((one, place) => {
    const style = `--colour:${lineColour(place)}`;
    if (one.spread && place === 0) one.numbers.forEach((number, at) => drawn.append(svg("line", { class: "spread", style, x1: sx(number), x2: sx(number), y1: sy(one.spread[0][at]), y2: sy(one.spread[1][at]) })));
    drawn.append(svg("path", { class: "curve", style, d: line(one.numbers, one.values, space) }));
    one.numbers.forEach((number, at) => {
      if (one.values[at] !== null) drawn.append(svg("path", { class: "dot", style, d: SHAPES[place % 5](sx(number), sy(one.values[at]), 4) }));
    });
  });
  chart.append(drawn);
  const { best, numbers: own, values: heights } = lines[0];
  if (best !== null && heights[best] !== null) chart.append(svg("circle", { class: "ring", cx: sx(own[best]), cy: sy(heights[best]), r: 9 }));
  chart.addEventListener("pointermove", (event) => {
    const [x] = pointer(event, chart);
    const number = numbers.reduce((near, one) => (Math.abs(sx(one) - x) < Math.abs(sx(near) - x) ? one : near));
    const values = lines.map((one) => [one.name, one.values[one.numbers.indexOf(number)]]).filter(([, value]) => value !== undefined);
    values.sort((p, q) => (needed ? q[1] - p[1] : p[1] - q[1]));
    showTip(event, plural(number, choice.x_label), values.slice(0, 8).map(([name, value]) => [name, short(value)]));
  });
  chart.addEventListener("pointerleave", hideTip);
  return chart;
}

function choiceTable() {
  const isText = (at) => choice.headings[at] === "family";
  const kind = (at) => (isText(at) ? "cell" : "number");
  return scrolling("Table of candidates", html("table", { class: "candidates" },
    html("thead", {}, html("tr", {}, choice.headings.map((name, at) => html("th", { scope: "col", class: isText(at) ? "" : "number" }, name)), html("th", {}))),
    html("tbody", {}, choice.rows.map(({ cells, chosen }) => html("tr", { class: chosen ? "chosen" : "" },
      cells.map((cell, at) => html("td", { class: kind(at) }, cell)), html("td", {}, chosen ? "chosen" : ""))))));
}

function choiceSection() {
  const names = html("div", { class: "legend" }, choice.lines.map(({ name }, place) => html("span", { class: "symbol" },
    svg("svg", { viewBox: "-6 -6 12 12", width: 12, height: 12, "aria-hidden": "true" }, svg("path", { class: "dot", style: `--colour:${lineColour(place)}`, d: SHAPES[place % 5](0, 0, 4.5) })), name)));
  const left = choice.n_candidates - choice.rows.length;
  const more = left > 0 ? html("p", { class: "note" }, `The best ${choice.rows.length} of ${whole(choice.n_candidates)} candidates are listed.`) : null;
  const reading = !choice.needed ? "Of all criteria, lower values are better."
    : `Agreement is 1 if fits to both halves find the same; bars are the range over several random splits${choice.plausible.length ? ", and the shaded numbers are about as good" : ""}. Numbers below the dotted line agree no more than by chance, where there is one cluster.`;
  const ringed = choice.lines[0].best === null ? "" : " A ring marks the choice.";
  return section("Comparison", `${choice.sentence} ${reading}${ringed}`, names, figure(choiceChart), choice.numbers ? tableOf(choice.numbers) : null, choiceTable(), more);
}
