/* how certain assignments are: all of them, stacked by component */
function certaintyChart(width) {
  const bins = found.certainty[0].length;
  const totals = found.certainty[0].map((_, bin) => found.certainty.reduce((sum, counts) => sum + counts[bin], 0));
  const first = Math.max(0, Math.min(totals.findIndex((one) => one > 0), bins - 10));
  const space = frame({ width, height: 220, x: [first / bins, 1], y: [0, Math.max(...totals) * 1.1 || 1], xLabel: "probability of the assigned component", yLabel: found.noun, left: 66, bottom: 40, about: "Histogram of how probable the assigned component is" });
  const { chart, sx, sy, inner } = space;
  const stack = Array(bins).fill(0);
  found.certainty.forEach((counts, group) => {
    let bars = "";
    counts.forEach((one, bin) => {
      if (!one) return;
      bars += `M${sx(bin / bins) + 1} ${sy(stack[bin])}V${sy(stack[bin] + one)}H${sx((bin + 1) / bins) - 1}V${sy(stack[bin])}Z`;
      stack[bin] += one;
    });
    chart.append(svg("path", { class: "area", group, d: bars }));
  });
  if (width > 560) totals.forEach((total, bin) => {
    if (total) chart.append(svg("text", { x: sx((bin + 0.5) / bins), y: sy(total) - 5, "text-anchor": "middle" }, whole(total)));
  });
  chart.addEventListener("pointermove", (event) => {
    const bin = first + Math.floor(((pointer(event, chart)[0] - inner.left) / (inner.right - inner.left)) * (bins - first));
    if (bin < first || bin >= bins) return hideTip();
    const own = found.certainty.map((counts, group) => [counts[bin], group]).filter(([n]) => n).sort((p, q) => q[0] - p[0]);
    showTip(event, `probability ${short(bin / bins)} to ${short((bin + 1) / bins)}`, [["in all", whole(totals[bin])], ...own.slice(0, 8).map(([n, group]) => [label(group), whole(n)])]);
  });
  chart.addEventListener("pointerleave", hideTip);
  return chart;
}

function certaintySection() {
  const { unsure } = found.components;
  const n = groups.reduce((sum, one) => sum + one.n_unsure, 0);
  return section("Certainty", `${whole(found.n - n)} of ${plural(found.n, found.noun)} (${percent(1 - n / found.n, 1)}) belong to their component with a probability of ${unsure} or more; the table of components has the mean of each.`, figure(certaintyChart));
}

/* the steps of the run: three drawings over the same steps */
const story = found.training;

function overSteps(width, height, y, yLabel, last) {
  const [left, right, steps] = [80, 12, Math.max(story.n_steps - 1, 1)];
  const places = story.phases.map(({ at }) => left + (Math.max(at - 0.5, 0) / steps) * (width - left - right));
  const levels = nameLevels(places);
  const room = 13 * (1 + Math.max(0, ...levels));
  const space = frame({ width, height: height + room - 13, x: [0, steps], y, yLabel, left, right, top: 7 + room, bottom: last ? 40 : 12, xLabel: last ? "step" : null, xTicks: last ? undefined : [], about: `${yLabel} at every step` });
  story.phases.forEach(({ name, at }, phase) => {
    if (levels[phase] >= MOST_NAMES) return;
    const [x, y] = [places[phase], 2 + room - 13 * levels[phase]];
    if (at) space.chart.append(svg("line", { class: "cursor", x1: x, x2: x, y1: y - 9, y2: space.inner.bottom }));
    const beyond = x + 7 * name.length > width;
    space.chart.append(svg("text", { x: beyond ? x - 3 : x + 4, y, "text-anchor": beyond ? "end" : "start" }, name));
  });
  return space;
}

/* the line of each name of a phase: the lowest in which it runs into no other one */
const MOST_NAMES = 4;
function nameLevels(places) {
  const firsts = [], levels = [];
  for (let phase = places.length - 1; phase >= 0; phase--) {
    const end = places[phase] + 7 * story.phases[phase].name.length + 10;
    let level = firsts.findIndex((first) => end <= first);
    if (level < 0) level = Math.min(firsts.length, MOST_NAMES);
    if (level < MOST_NAMES) firsts[level] = places[phase];
    levels.unshift(level);
  }
  return levels;
}

function scoreLimits(scores) {
  const known = scores.filter((one) => one !== null).sort((p, q) => p - q);
  if (!known.length) return [0, 1];
  const top = known.at(-1), usual = known[Math.floor(known.length * 0.1)];
  const low = Math.max(known[0], top - 3 * (top - usual));
  const least = 1e-4 * Math.max(Math.abs(top), 1e-12);
  return widened(top - low > least ? [low, top] : [top - least, top + least], 0.06);
}

/* recipes may have different scores, so their lines are not connected */
function inPhase(phase, values) {
  const [from, until] = [story.phases[phase].at, phase + 1 < story.phases.length ? story.phases[phase + 1].at : Infinity];
  const own = [...story.steps.keys()].filter((i) => story.steps[i] >= from && story.steps[i] < until);
  return [own.map((i) => story.steps[i]), own.map((i) => values[i])];
}
const phaseLines = (values, space) => story.phases.map((_, phase) => line(...inPhase(phase, values), space)).join("");

/* phases of a single step are dots */
function phaseDots(values, { sx, sy }) {
  return story.phases.map((_, phase) => inPhase(phase, values)).filter(([steps]) => steps.length === 1)
    .map(([[step], [value]]) => (value === null ? null : svg("circle", { cx: sx(step), cy: sy(value), r: 2.5, fill: "var(--accent)", "clip-path": "url(#score)" })));
}

function scoreChart(width) {
  const space = overSteps(width, 190, scoreLimits(story.score), "score", false);
  const { chart, sx, inner } = space;
  chart.append(svg("clipPath", { id: "score" }, svg("rect", { x: inner.left, y: inner.top - 2, width: inner.right - inner.left, height: inner.bottom - inner.top + 3 })));
  chart.append(svg("path", { class: "plain-line", d: phaseLines(story.score, space), "clip-path": "url(#score)" }), ...phaseDots(story.score, space).filter(Boolean));
  story.moves.forEach(({ at, what }) => {
    const mark = svg("path", { d: SHAPES[4](sx(at), inner.top, 4), fill: "var(--ink)" });
    mark.addEventListener("pointermove", (event) => { event.stopPropagation(); showTip(event, `step ${at}`, [[what, ""]]); });
    chart.append(mark);
  });
  return followSteps(space);
}

function temperatureChart(width) {
  const space = overSteps(width, 130, [0, Math.max(...story.temperature, 1e-9) * 1.08], "temperature", false);
  space.chart.append(svg("path", { class: "plain-line", d: phaseLines(story.temperature, space) }));
  return followSteps(space);
}

function allocationChart(width) {
  const totals = story.steps.map((_, i) => story.counts.reduce((sum, counts) => sum + counts[i], 0) || 1);
  const space = overSteps(width, 230, [0, 1], "fraction of observations", true);
  let below = story.steps.map(() => 0);
  story.counts.forEach((counts, group) => {
    const above = below.map((low, i) => low + counts[i] / totals[i]);
    const back = line([...story.steps].reverse(), [...below].reverse(), space).replace("M", "L");
    const middle = (above.at(-1) + below.at(-1)) / 2;
    space.chart.append(svg("path", { class: "area", group, d: `${line(story.steps, above, space)}${back}Z` }));
    if (above.at(-1) - below.at(-1) > 0.06) space.chart.append(badge(group, space.inner.right - (isNoise(group) ? 22 : 14), space.sy(middle)));
    below = above;
  });
  return followSteps(space);
}

function followSteps({ chart, sx, inner }) {
  const cursor = svg("line", { class: "cursor", y1: inner.top, y2: inner.bottom, visibility: "hidden" });
  chart.append(cursor);
  chart.addEventListener("pointermove", (event) => {
    const [x] = pointer(event, chart);
    let i = 0;
    while (i < story.steps.length - 1 && sx(story.steps[i + 1]) <= x) i++;
    const step = story.steps[i];
    cursor.setAttribute("x1", sx(step));
    cursor.setAttribute("x2", sx(step));
    cursor.setAttribute("visibility", "visible");
    const phase = story.phases.filter(({ at }) => at <= step).at(-1);
    const largest = story.counts.map((counts, group) => [counts[i], group]).sort((p, q) => q[0] - p[0]).slice(0, 8);
    showTip(event, `step ${step}, ${phase ? phase.name : ""}`, [
      ["score", short(story.score[i])], ["temperature", short(story.temperature[i])],
      ...largest.map(([count, group]) => [label(group), short(count)]),
      ...story.moves.filter(({ at }) => at === step).map(({ what }) => ["move", what])]);
  });
  chart.addEventListener("pointerleave", () => { cursor.setAttribute("visibility", "hidden"); hideTip(); });
  return chart;
}

function trainingSection() {
  const moves = story.moves.length ? html("ol", { class: "moves" }, story.moves.map(({ at, what }) => html("li", {}, `Step ${at}: ${what}`))) : null;
  const more = story.n_moves > story.moves.length ? html("p", { class: "note" }, `and ${story.n_moves - story.moves.length} more moves`) : null;
  const first = story.phases.length > 1 ? ` Its recipes were ${story.phases.map(({ name }) => name).join(", then ")}.` : "";
  const marks = story.moves.length ? " Small triangles are moves of components, listed below." : "";
  const { number, accepted, iterations } = story.trials;
  const tried = number ? ` Trials of the search took ${plural(number, "runs")} of ${plural(iterations, "iterations")} in all, which are not drawn; ${plural(accepted, "changes")} ${accepted === 1 ? "was" : "were"} accepted.` : "";
  return section("Training", `The run took ${plural(story.n_steps, "steps")}.${first} Each recipe has a score of its own, which it raises: compare scores within a recipe only.${marks}${tried}`,
    figure((width) => [scoreChart(width), temperatureChart(width), allocationChart(width)]), moves, more);
}
