const picture = found.picture;
const DEVIATIONS = 2;
const EDGE = 4; // distance of far points from the frame

/* an ellipse of two standard deviations, on axes a and b */
function ellipse({ mean, covariance }, a, b, { sx, sy }) {
  const first = Math.sqrt(Math.max(covariance[a][a], 0));
  const across = first > 0 ? covariance[a][b] / first : 0;
  const second = Math.sqrt(Math.max(covariance[b][b] - across * across, 0));
  const places = [];
  for (let k = 0; k <= 72; k++) {
    const [cos, sin] = [Math.cos((k * Math.PI) / 36), Math.sin((k * Math.PI) / 36)];
    const x = mean[a] + DEVIATIONS * first * cos;
    const y = mean[b] + DEVIATIONS * (across * cos + second * sin);
    places.push(`${sx(x).toFixed(1)} ${sy(y).toFixed(1)}`);
  }
  return `M${places.join("L")}Z`;
}

/* the curve of a component on axes a and b: with a band over the input, else a path */
function curve(group, a, b, space) {
  const { at, components } = picture.curves;
  const { means, deviations } = components[group];
  const on = (axis) => (axis < picture.n_inputs ? at : means[axis - picture.n_inputs]);
  const path = line(on(a), on(b), space);
  const parts = [];
  if (a < picture.n_inputs && b >= picture.n_inputs) {
    const wide = deviations[b - picture.n_inputs];
    const upper = on(b).map((value, i) => value + DEVIATIONS * wide[i]);
    const lower = on(b).map((value, i) => value - DEVIATIONS * wide[i]);
    const back = line([...at].reverse(), lower.reverse(), space).replace("M", "L");
    parts.push(svg("path", { class: "band", d: `${line(at, upper, space)}${back}Z` }));
  }
  return [...parts, svg("path", { class: "halo", d: path }), svg("path", { class: "edge", d: path })];
}

/* where the number of a component is written: at its mean, or amid its points */
function middle(group, a, b) {
  const shape = picture.ellipses && picture.ellipses[group];
  if (shape) return [shape.mean[a], shape.mean[b]];
  const median = (axis) => {
    const own = picture.values[axis].filter((value, i) => picture.groups[i] === group && value !== null).sort((p, q) => p - q);
    return own.length ? own[own.length >> 1] : null;
  };
  return [median(a), median(b)];
}

/* all points but far ones, and what ellipses add, as long as it is not much */
function reachOf(axis) {
  const [low, high] = extent([picture.ranges[axis]]);
  const room = 0.15 * (high - low);
  const ends = (picture.ellipses || []).filter(Boolean).flatMap(({ mean, covariance }) => {
    const wide = DEVIATIONS * Math.sqrt(Math.max(covariance[axis][axis], 0));
    return [mean[axis] - wide, mean[axis] + wide];
  });
  if (picture.curves && axis >= picture.n_inputs) {
    for (const { means, deviations } of picture.curves.components) {
      const [mean, wide] = [means[axis - picture.n_inputs], deviations[axis - picture.n_inputs]];
      ends.push(...mean.map((value, i) => value + DEVIATIONS * wide[i]), ...mean.map((value, i) => value - DEVIATIONS * wide[i]));
    }
  }
  return [Math.max(Math.min(low, ...ends), low - room), Math.min(Math.max(high, ...ends), high + room)];
}

function scatter(width, [a, b]) {
  const [xs, ys] = [picture.values[a], picture.values[b]];
  const height = Math.round(Math.min(Math.max(width * 0.58, 300), 560));
  const space = frame({
    width, height, x: widened(reachOf(a)), y: widened(reachOf(b)), xLabel: picture.axes[a],
    yLabel: picture.axes[b], left: 60, bottom: 40,
    about: `${picture.axes[b]} against ${picture.axes[a]}, by component`,
  });
  const { chart } = space;
  const place = placesWithin(space, a, b);
  const radius = xs.length > 1500 ? 2.4 : 3.3;
  const paths = groups.map(() => []);
  picture.groups.forEach((group, i) => {
    if (xs[i] !== null && ys[i] !== null) paths[group].push(shape(group)(...place(i), radius));
  });
  const order = groups.map((_, group) => group).sort((p, q) => isNoise(q) - isNoise(p));
  for (const group of order) chart.append(svg("path", { class: "points", group, d: paths[group].join("") }));
  const clip = `clip-${a}-${b}`;
  chart.append(svg("clipPath", { id: clip }, svg("rect", {
    x: space.inner.left, y: space.inner.top, width: space.inner.right - space.inner.left, height: space.inner.bottom - space.inner.top,
  })));
  for (const group of order) {
    const outline = picture.ellipses && picture.ellipses[group] && ellipse(picture.ellipses[group], a, b, space);
    const shown = outline
      ? [svg("path", { class: "halo", d: outline }), svg("path", { class: "edge", d: outline })]
      : picture.curves && !isNoise(group) ? curve(group, a, b, space) : [];
    if (shown.length) chart.append(svg("g", { group, "clip-path": `url(#${clip})` }, shown));
  }
  const taken = [];
  for (const group of order.filter((one) => !isNoise(one))) {
    const places = picture.curves ? placesOnCurve(group, a, b, space) : picture.kind === "points" ? placesAround(group, a, b, space) : [];
    if (places.length) chart.append(badge(group, ...freePlace(places, taken)));
  }
  noteFarPoints(space, a, b);
  walk(space, a, b);
  return chart;
}

/* where points are drawn: those outside the frame at its edge */
function placesWithin({ sx, sy, inner }, a, b) {
  const [xs, ys] = [picture.values[a], picture.values[b]];
  const between = (at, low, high) => +Math.min(Math.max(at, low), high).toFixed(1);
  return (i) => [between(sx(xs[i]), inner.left + EDGE, inner.right - EDGE), between(sy(ys[i]), inner.top + EDGE, inner.bottom - EDGE)];
}

/* how many points are not in their place, because they are far from all others */
function noteFarPoints({ chart, inner }, a, b) {
  const far = (axis, i) => picture.values[axis][i] !== null && (picture.values[axis][i] < picture.ranges[axis][0] || picture.values[axis][i] > picture.ranges[axis][1]);
  const n = picture.groups.filter((_, i) => far(a, i) || far(b, i)).length;
  if (n) chart.append(svg("text", { class: "note", x: inner.right - 8, y: inner.top + 14, "text-anchor": "end" }, `${plural(n, "points")} far away, drawn at the edge`));
}

/* places of a badge on a curve: from its end backwards, as far as it is inside the frame */
function placesOnCurve(group, a, b, { sx, sy, inner }) {
  const { at, components } = picture.curves;
  const on = (axis) => (axis < picture.n_inputs ? at : components[group].means[axis - picture.n_inputs]);
  const [xs, ys] = [on(a).map(sx), on(b).map(sy)];
  return xs.map((x, i) => [x, ys[i]]).reverse().filter(([x, y]) => x >= inner.left && x <= inner.right && y >= inner.top && y <= inner.bottom);
}

/* places of the badge of points: their middle, then its ellipse */
function placesAround(group, a, b, { sx, sy }) {
  const [x, y] = middle(group, a, b);
  if (x === null || y === null) return [];
  const outline = picture.ellipses && picture.ellipses[group];
  const edge = outline ? ellipse(outline, a, b, { sx, sy }).slice(1, -1).split("L").map((pair) => pair.split(" ").map(Number)) : [];
  return [[sx(x), sy(y)], ...edge];
}

/* hovering and the arrow keys show the nearest or the next point */
function walk(space, a, b) {
  const { chart } = space;
  const [xs, ys] = [picture.values[a], picture.values[b]];
  const place = placesWithin(space, a, b);
  const ring = svg("circle", { class: "ring", r: 6, visibility: "hidden" });
  const shown = (i) => xs[i] !== null && ys[i] !== null && (looked === null || looked === picture.groups[i]);
  let current = -1;
  const visit = (i, event) => {
    current = i;
    const [x, y] = place(i);
    ring.setAttribute("cx", x);
    ring.setAttribute("cy", y);
    ring.setAttribute("visibility", "visible");
    const box = chart.getBoundingClientRect(), scale = box.width / chart.viewBox.baseVal.width;
    const at = event || { clientX: box.left + x * scale, clientY: box.top + y * scale };
    const axes = [...new Set([a, b, ...picture.axes.keys()])].filter((axis) => axis >= (picture.n_principal || 0) || axis === a || axis === b);
    showTip(at, `${found.noun.replace(/s$/, "")} ${picture.rows[i]}`, [
      ["assigned to", label(picture.groups[i])], ["probability", short(picture.certainty[i])],
      ...axes.slice(0, 8).map((axis) => [picture.axes[axis], short(picture.values[axis][i])]),
    ]);
  };
  const leave = () => { ring.setAttribute("visibility", "hidden"); hideTip(); };
  chart.append(ring);
  chart.setAttribute("tabindex", "0");
  chart.setAttribute("role", "application");
  chart.setAttribute("aria-description", "The arrow keys walk from point to point.");
  chart.addEventListener("pointermove", (event) => {
    const [x, y] = pointer(event, chart);
    let [best, least] = [-1, 400];
    for (let i = 0; i < xs.length; i++) {
      if (!shown(i)) continue;
      const [px, py] = place(i);
      const apart = (px - x) ** 2 + (py - y) ** 2;
      if (apart < least) [best, least] = [i, apart];
    }
    if (best < 0) leave(); else visit(best, event);
  });
  chart.addEventListener("pointerleave", leave);
  chart.addEventListener("blur", leave);
  chart.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    for (let tries = 0, i = current; tries < xs.length; tries++) {
      i = (i + step + xs.length) % xs.length;
      if (shown(i)) return visit(i);
    }
  });
}

function scatterSection() {
  const chosen = picture.kind === "curves" ? [0, picture.n_inputs] : [0, 1];
  const place = figure((width) => scatter(width, chosen));
  const controls = html("div", { class: "controls" }, legend());
  if (picture.axes.length > 2) {
    ["Across", "Up"].forEach((text, at) => controls.append(
      chooser(text, picture.axes, chosen[at], (axis) => { chosen[at] = axis; place.redraw(); })));
  }
  const sampled = picture.rows.length < found.n
    ? `A sample of ${whole(picture.rows.length)} of ${plural(found.n, found.noun)} is drawn, so chosen that small components are seen; all figures on this page are over all of them. ` : "";
  const outlined = picture.curves ? "Lines are the components’ means. Bands are two standard deviations of the values to either side, noise included: most points of a component lie in its band."
    : picture.ellipses && picture.ellipses.some(Boolean) ? "Ellipses are two standard deviations wide." : "";
  const turned = picture.n_principal ? " Principal components are of columns scaled to unit variance." : "";
  return section(picture.curves ? "Curves" : "Points", sampled + outlined + turned, controls, place);
}
