/* symbols have colours that no component has, lighter on dark paper */
const symbolColour = (code, n) => {
  const t = n > 1 ? code / (n - 1) : 0;
  const on = (lightness) => `oklch(${lightness} ${0.1 + 0.04 * t} ${300 - 200 * t})`;
  return `light-dark(${on(0.3 + 0.6 * t)}, ${on(0.48 + 0.45 * t)})`;
};

function members(shown, feature, width, reach) {
  const isSymbols = picture.symbols[feature].length > 0;
  const caption = html("figcaption", {}, chip(shown.group), html("span", { class: "soft" },
    `${plural(shown.size, found.noun)}${shown.paths.length < shown.size ? `, ${shown.paths.length} drawn` : ""}`));
  return [caption, isSymbols ? symbolRows(shown, feature, width, reach) : memberLines(shown, feature, width, reach)];
}

function memberLines(shown, feature, width, reach) {
  const space = frame({ width, height: 190, x: reach.x, y: reach.y[feature], left: 44, bottom: 34, xLabel: picture.step, about: `${picture.axes[feature]} of members of ${label(shown.group)}` });
  const { chart } = space;
  const opacity = Math.min(0.85, Math.max(0.22, 6 / shown.paths.length));
  const lines = shown.paths.map(({ at, values }) => svg("path", at.length > 1
    ? { class: "thin", d: line(at, values[feature], space), "stroke-opacity": opacity }
    : { class: "points", d: SHAPES[0](space.sx(at[0]), space.sy(values[feature][0]), 2.5) }));
  const part = svg("g", { group: shown.group }, lines);
  if (shown.band) part.prepend(svg("path", { class: "band", d: bandAround(shown, feature, space) }));
  if (shown.mean) {
    const path = line(shown.mean.at, shown.mean.values[feature], space);
    part.append(svg("path", { class: "halo", d: path }), svg("path", { class: "mean", d: path }));
  }
  chart.append(part);
  hoverMembers(space, shown, feature, lines);
  return chart;
}

function bandAround({ mean, band }, feature, space) {
  const back = line([...mean.at].reverse(), [...band.low[feature]].reverse(), space).replace("M", "L");
  return `${line(mean.at, band.high[feature], space)}${back}Z`;
}

function hoverMembers({ chart, sx, sy }, shown, feature, lines) {
  const clear = () => { for (const one of lines) one.removeAttribute("style"); hideTip(); };
  chart.addEventListener("pointermove", (event) => {
    const [x, y] = pointer(event, chart);
    let [best, step, least] = [-1, -1, 300];
    shown.paths.forEach(({ at, values }, member) => at.forEach((place, i) => {
      const apart = (sx(place) - x) ** 2 + (sy(values[feature][i]) - y) ** 2;
      if (apart < least) [best, step, least] = [member, i, apart];
    }));
    clear();
    if (best < 0) return;
    lines[best].setAttribute("style", "stroke-opacity:1;stroke-width:2.4");
    const path = shown.paths[best];
    showTip(event, `${picture.noun} ${shown.rows[best]}`, [
      ["assigned to", label(shown.group)], ["probability", short(shown.certainty[best])],
      [picture.step, short(path.at[step])], [picture.axes[feature], short(path.values[feature][step])]]);
  });
  chart.addEventListener("pointerleave", clear);
}

/* a row of colours for each member, those that begin alike side by side */
function symbolRows(shown, feature, width, reach) {
  const names = picture.symbols[feature];
  const order = shown.paths.map((_, i) => i).sort((p, q) => {
    const [one, other] = [shown.paths[p].values[feature], shown.paths[q].values[feature]];
    const i = one.findIndex((code, at) => code !== other[at]);
    return i < 0 ? one.length - other.length : one[i] - (other[i] ?? -1);
  });
  const height = Math.max(90, Math.min(190, order.length * 8 + 42));
  const space = frame({ width, height, x: [reach.x[0], reach.x[1] + 1], y: [Math.max(order.length, 1), 0], yTicks: [], left: 8, bottom: 34, xLabel: picture.step, about: `Symbols of members of ${label(shown.group)}` });
  const { chart, sx, sy } = space;
  const part = svg("g", { group: shown.group });
  order.forEach((member, row) => {
    const { at, values } = shown.paths[member];
    const codes = values[feature];
    for (let i = 0; i < codes.length;) {
      let end = i + 1;
      while (end < codes.length && codes[end] === codes[i]) end++;
      const stop = end < codes.length ? at[end] : at[end - 1] + 1;
      part.append(svg("rect", { x: sx(at[i]), y: sy(row), width: Math.max(sx(stop) - sx(at[i]), 0.5), height: Math.max(sy(row + 1) - sy(row) - 0.6, 0.5), style: `fill:${symbolColour(codes[i], names.length)}` }));
      i = end;
    }
  });
  chart.append(part);
  chart.addEventListener("pointermove", (event) => {
    const [x, y] = pointer(event, chart);
    const row = Math.floor((y - space.inner.top) / (sy(1) - sy(0)));
    const member = order[row];
    if (member === undefined) return hideTip();
    const { at, values } = shown.paths[member];
    let step = -1;
    for (let i = 0; i < at.length && sx(at[i]) <= x; i++) step = i;
    if (step < 0 || x > sx(at.at(-1) + 1)) return hideTip();
    showTip(event, `${picture.noun} ${shown.rows[member]}`, [
      ["assigned to", label(shown.group)], ["probability", short(shown.certainty[member])],
      [picture.step, short(at[step])], [picture.axes[feature], names[values[feature][step]]]]);
  });
  chart.addEventListener("pointerleave", hideTip);
  return chart;
}

function symbolLegend(feature) {
  const names = picture.symbols[feature];
  if (!names.length) return null;
  return html("div", { class: "legend" }, names.slice(0, 24).map((name, code) => html("span", { class: "symbol" },
    html("i", { style: `background:${symbolColour(code, names.length)}` }), name)), names.length > 24 ? `… ${names.length - 24} more` : null);
}

function membersSection() {
  let feature = 0;
  const steps = picture.members.flatMap(({ paths }) => paths.map(({ at }) => at));
  const reach = {
    x: extent(steps),
    y: picture.axes.map((_, axis) => widened(extent(picture.members.flatMap(({ paths }) => paths.map(({ values }) => values[axis]))))),
  };
  const key = html("div", {});
  const panels = picture.members.map((shown) => figure((width) => members(shown, feature, width, reach)));
  const choose = (axis) => {
    feature = axis;
    key.replaceChildren(...[symbolLegend(axis)].filter(Boolean));
    for (const panel of panels) if (panel.isConnected) panel.redraw();
  };
  choose(0);
  const controls = html("div", { class: "controls" }, picture.axes.length > 1 ? chooser("Column", picture.axes, 0, choose) : null, key);
  const fewer = picture.axes.length < picture.n_features ? ` The first ${picture.axes.length} of ${picture.n_features} columns can be chosen.` : "";
  const largest = picture.members.length < groups.length ? ` The ${picture.members.length} largest components are shown.` : "";
  return section("Members", picture.note + largest + fewer, controls, html("div", { class: "grid" }, panels));
}
