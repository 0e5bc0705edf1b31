/* what columns are like in each component: a row for each column or category, a line for each component */
const profiles = found.profiles;
const profiled = groups.map((_, group) => group).filter((group) => !isNoise(group));

function profileChart(width) {
  const { rows, standardised } = profiles;
  const n = profiled.length;
  const each = Math.min(64, Math.max(22, 7 * n + 8));
  const letters = Math.max(...rows.map((row) => row.label.length));
  const left = Math.min(0.4 * width, 18 + 7 * letters);
  const x = standardised ? widened(extent(rows.flatMap((row) => [row.low, row.high]))) : [-0.02, 1.02];
  const unit = width < 520 ? "standard deviations" : "standard deviations from the mean of all";
  const space = frame({ width, height: 46 + each * rows.length, x, y: [rows.length, 0], xLabel: standardised ? unit : "probability", left, bottom: 40, yTicks: [], about: "Means or probabilities of columns in each component" });
  const { chart, sx, sy, inner } = space;
  if (standardised) chart.append(svg("line", { class: "axis", x1: sx(0), x2: sx(0), y1: inner.top, y2: inner.bottom }));
  rows.forEach((row, at) => {
    chart.append(svg("line", { class: "grid-line", x1: inner.left, x2: inner.right, y1: sy(at), y2: sy(at) }),
      svg("text", { x: inner.left - 8, y: sy(at + 0.5) + 4, "text-anchor": "end" }, cut(row.label, Math.floor(left / 7))));
  });
  profiled.forEach((group) => chart.append(profileLine(rows, group, space)));
  chart.addEventListener("pointermove", (event) => {
    const [, y] = pointer(event, chart);
    const row = rows[Math.floor(((y - inner.top) / (inner.bottom - inner.top)) * rows.length)];
    if (!row) return hideTip();
    const value = (one) => (one === null ? "–" : one.toFixed(2).replace("-", "−"));
    showTip(event, row.label, profiled.slice(0, 12).map((group) => [label(group), `${value(row.means[group])} [${value(row.low[group])}, ${value(row.high[group])}]`]));
  });
  chart.addEventListener("pointerleave", hideTip);
  return chart;
}

function profileLine(rows, group, space) {
  const { sx, sy } = space;
  const place = (at) => at + 0.2 + (0.6 * (group + 0.5)) / profiled.length;
  const part = svg("g", { group }, svg("path", { class: "thin", d: line(rows.map((row) => row.means[group]), rows.map((_, at) => place(at)), space) }));
  rows.forEach((row, at) => {
    const [mean, low, high] = [row.means[group], row.low[group], row.high[group]];
    if (mean === null) return;
    const y = sy(place(at));
    if (low !== null) part.append(svg("path", { class: "curve", d: `M${sx(low).toFixed(1)} ${y.toFixed(1)}H${sx(high).toFixed(1)}` }));
    part.append(svg("path", { class: "dot", d: shape(group)(sx(mean), y, 4) }));
  });
  return part;
}

function profilesSection() {
  const left = profiles.n_lines - profiles.lines.length;
  const more = left > 0 ? html("p", { class: "note" }, `The first ${profiles.lines.length} of ${whole(profiles.n_lines)} rows are listed.`) : null;
  return section("Profiles", `${profiles.sentence} Observations count by their probability of each component, and intervals take the components as known.`,
    html("div", { class: "controls" }, legend()), figure(profileChart), tableOf(profiles), more);
}
