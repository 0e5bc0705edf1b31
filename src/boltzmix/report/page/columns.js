/* one row per component: how its values are distributed */
function ridges(column, width) {
  const isCategory = Boolean(column.categories);
  const n = column.counts[0].length;
  const shown = groups.map((_, group) => group).filter((group) => groups[group].size > 0);
  const rowHeight = shown.length > 10 ? 20 : 30;
  const longest = isCategory ? Math.max(...column.categories.map((name) => name.length)) : 0;
  const band = (width - 54) / n;
  const leaning = isCategory && longest * 7 > band;
  const bottom = leaning ? 22 + Math.min(longest, 14) * 4.6 : 22;
  const height = shown.length * (rowHeight + 4) + bottom + 4;
  const x = isCategory ? [-0.5, n - 0.5] : [column.low, column.high];
  const space = frame({
    width, height, x, y: [0, 1], left: found.noise_colour ? 46 : 30, right: 8, top: 4, bottom, xTicks: isCategory ? [] : undefined, yTicks: [],
    about: `Distribution of ${column.name} by component`,
  });
  const { chart, sx, inner } = space;
  const edge = (bin) => sx(x[0] + (bin / n) * (x[1] - x[0]));
  shown.forEach((group, row) => {
    const counts = column.counts[group];
    const total = counts.reduce((sum, one) => sum + one, 0) || 1;
    const base = inner.top + (row + 1) * (rowHeight + 4) - 2;
    const expected = !isCategory && column.curves && column.curves.densities[group]
      ? column.curves.densities[group].map((value) => (value / groups[group].weight) * ((x[1] - x[0]) / n)) : [];
    const peak = isCategory ? 1 : Math.max(...counts.map((one) => one / total), ...expected) || 1;
    const up = (share) => base - (share / peak) * (rowHeight - 3);
    const part = svg("g", { group }, svg("path", { class: "axis", d: `M${inner.left} ${base}H${inner.right}` }));
    let bars = "";
    counts.forEach((one, bin) => {
      if (!one) return;
      const gap = isCategory ? Math.min(4, band * 0.15) : 0;
      bars += `M${(edge(bin) + gap).toFixed(1)} ${base}V${up(one / total).toFixed(1)}H${(edge(bin + 1) - gap).toFixed(1)}V${base}Z`;
    });
    part.append(svg("path", { class: "area", d: bars }));
    if (expected.length) part.append(svg("path", { class: "edge", d: line(column.curves.at, expected, { sx, sy: up }) }));
    part.append(svg("text", { class: "strong", x: inner.left - 8, y: base - 6, "text-anchor": "end" }, isNoise(group) ? "noise" : groups[group].name));
    chart.append(part);
  });
  if (isCategory) {
    column.categories.forEach((name, at) => {
      const text = name.length > 14 ? `${name.slice(0, 13)}…` : name;
      const [tx, ty] = [sx(at), inner.bottom + (leaning ? 10 : 16)];
      chart.append(svg("text", leaning
        ? { transform: `translate(${tx} ${ty}) rotate(-35)`, "text-anchor": "end" }
        : { x: tx, y: ty, "text-anchor": "middle" }, text));
    });
  }
  hoverBins(space, column, shown, rowHeight + 4, n);
  return chart;
}

function hoverBins({ chart, inner }, column, shown, rowHeight, n) {
  chart.addEventListener("pointermove", (event) => {
    const [x, y] = pointer(event, chart);
    const bin = Math.floor(((x - inner.left) / (inner.right - inner.left)) * n);
    const group = shown[Math.floor((y - inner.top) / rowHeight)];
    if (bin < 0 || bin >= n || group === undefined) return hideTip();
    const counts = column.counts[group];
    const total = counts.reduce((sum, one) => sum + one, 0) || 1;
    const wide = (column.high - column.low) / n;
    const what = column.categories ? column.categories[bin] : `${short(column.low + bin * wide)} to ${short(column.low + (bin + 1) * wide)}`;
    showTip(event, `${column.name}: ${what}`, [[label(group), percent(counts[bin] / total, 1)], [found.noun, whole(counts[bin])]]);
  });
  chart.addEventListener("pointerleave", hideTip);
}

/* a single column: all components on top of each other, with their densities */
function mixture(column, width) {
  const n = column.counts[0].length;
  const wide = (column.high - column.low) / n;
  const total = column.counts.flat().reduce((sum, one) => sum + one, 0) || 1;
  const heights = column.counts.map((counts) => counts.map((one) => one / (total * wide)));
  const stack = Array(n).fill(0);
  const tops = heights.map((own) => own.map((one, bin) => (stack[bin] += one)));
  const curves = column.curves ? column.curves.densities : [];
  const high = Math.max(...stack, ...curves.flat());
  const space = frame({ width, height: 360, x: [column.low, column.high], y: [0, high * 1.04], xLabel: column.name, yLabel: "density", left: 60, bottom: 40, about: `Histogram of ${column.name} with the density of each component` });
  const { chart, sx, sy } = space;
  heights.forEach((own, group) => {
    let bars = "";
    own.forEach((one, bin) => {
      if (one) bars += `M${sx(column.low + bin * wide)} ${sy(tops[group][bin] - one)}V${sy(tops[group][bin])}H${sx(column.low + (bin + 1) * wide)}V${sy(tops[group][bin] - one)}Z`;
    });
    chart.append(svg("path", { class: "area light", group, d: bars }));
  });
  const taken = [];
  curves.forEach((values, group) => {
    const path = line(column.curves.at, values, space);
    const places = values.map((value, i) => [value, i]).sort((p, q) => q[0] - p[0]).map(([value, i]) => [sx(column.curves.at[i]), sy(value)]);
    chart.append(svg("g", { group }, svg("path", { class: "halo", d: path }), svg("path", { class: "edge", d: path })),
      badge(group, ...freePlace(places, taken)));
  });
  return chart;
}

function columnsSection() {
  const columns = found.columns;
  const left = (column) => [
    column.missing ? `${whole(column.missing)} missing` : null,
    column.beyond ? `${whole(column.beyond)} farther out` : null,
  ].filter(Boolean).join(", ");
  const single = columns.length === 1 && !columns[0].categories;
  const panels = columns.map((column) => figure((width) => [
    html("figcaption", {}, html("h3", {}, column.name), html("span", { class: "soft" }, left(column))),
    single ? mixture(column, width) : ridges(column, width)]));
  const fewer = columns.length < found.n_columns ? `The ${columns.length} of ${found.n_columns} columns in which components differ most. ` : "";
  const note = single ? `All ${plural(found.n, found.noun)}, with the density of each component times its weight.`
    : `${fewer}Counted over all ${found.noun}; one row of bars for each component, as fractions of its observations: numbers are scaled to the highest bar, categories to 100%.`;
  return section(single ? "Distribution" : "Columns", note, html("div", { class: "controls" }, legend()),
    html("div", { class: single ? "" : "grid" }, panels));
}
