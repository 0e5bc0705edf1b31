const MOST_NODES = 10, FAINTEST = 0.05;

/* states on a circle: the size of a node is the time spent there, the width of an arrow its probability */
function stateDiagram(chain, width) {
  const n = chain.initial.length;
  const height = Math.min(width, 300);
  const [cx, cy, radius] = [width / 2, height / 2, height / 2 - 42];
  const place = (state) => {
    const angle = (2 * Math.PI * state) / n - Math.PI / 2;
    return n === 1 ? [cx, cy] : [cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)];
  };
  const size = (state) => 13 + 15 * Math.sqrt(chain.time[state] || 0);
  const chart = svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Transitions between the states of ${label(chain.group)}` });
  const part = svg("g", { group: chain.group });
  for (let from = 0; from < n; from++) {
    for (let to = 0; to < n; to++) {
      if (from !== to && chain.transitions[from][to] >= FAINTEST) part.append(...arrow(place(from), place(to), size(from), size(to), chain.transitions[from][to]));
    }
  }
  for (let state = 0; state < n; state++) {
    const [x, y] = place(state);
    const name = chain.hidden ? String(state) : chain.states[state][0];
    const node = svg("g", {}, svg("circle", { class: "node", cx: x, cy: y, r: size(state) }),
      svg("text", { class: "strong", x, y: y + 4, "text-anchor": "middle" }, name.length > 6 ? `${name.slice(0, 5)}…` : name));
    node.addEventListener("pointermove", (event) => showTip(event, `${chain.hidden ? "state" : "symbol"} ${name}`, [
      ["time spent here", percent(chain.time[state])], ["starts here", percent(chain.initial[state])], ["stays", percent(chain.transitions[state][state])],
      ...chain.transitions[state].map((chance, to) => [chance, to]).filter(([chance, to]) => to !== state && chance >= 0.005)
        .sort((p, q) => q[0] - p[0]).slice(0, 6).map(([chance, to]) => [`then ${chain.hidden ? to : chain.states[to][0]}`, percent(chance)])]));
    node.addEventListener("pointerleave", hideTip);
    part.append(node);
  }
  chart.append(part);
  return chart;
}

/* an arrow that bends to one side, so that those to and fro do not meet */
function arrow([x0, y0], [x1, y1], from, to, chance) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const long = Math.hypot(dx, dy);
  const [mx, my] = [(x0 + x1) / 2 - dy * 0.16, (y0 + y1) / 2 + dx * 0.16];
  const towards = (x, y, tx, ty, apart) => { const far = Math.hypot(tx - x, ty - y); return [x + ((tx - x) / far) * apart, y + ((ty - y) / far) * apart]; };
  const start = towards(x0, y0, mx, my, from + 1);
  const wide = 0.8 + 4 * chance;
  const tipAt = towards(x1, y1, mx, my, to + 2);
  const end = towards(x1, y1, mx, my, to + 3 + 2.2 * wide + 3);
  const angle = Math.atan2(tipAt[1] - end[1], tipAt[0] - end[0]);
  const side = 2.5 + wide;
  const head = `M${tipAt[0]} ${tipAt[1]}L${end[0] - Math.sin(angle) * side} ${end[1] + Math.cos(angle) * side}L${end[0] + Math.sin(angle) * side} ${end[1] - Math.cos(angle) * side}Z`;
  const parts = [
    svg("path", { class: "arrow", d: `M${start}Q${mx} ${my} ${end}`, "stroke-width": wide }),
    svg("path", { class: "head", d: head }),
  ];
  if (chance >= 0.1 && long > 60) {
    const [tx, ty] = [(x0 + x1) / 2 - dy * 0.11, (y0 + y1) / 2 + dx * 0.11];
    parts.push(svg("text", { x: tx, y: ty + 4, "text-anchor": "middle", style: "paint-order:stroke;stroke:var(--paper);stroke-width:4px" }, percent(chance)));
  }
  return parts;
}

/* many states: the matrix of transition probabilities, darker where more probable */
function heatMap(chain, width) {
  const n = chain.initial.length;
  const side = Math.min(width, 340);
  const noun = chain.hidden ? "state" : "symbol";
  const name = (state) => (chain.hidden ? String(state) : chain.states[state][0]);
  const space = frame({ width: side, height: side, x: [-0.5, n - 0.5], y: [n - 0.5, -0.5], left: 44, bottom: 38, xLabel: `next ${noun}`, yLabel: noun, about: `Transitions of ${label(chain.group)}` });
  const { chart, sx, sy } = space;
  const part = svg("g", { group: chain.group });
  chain.transitions.forEach((row, from) => row.forEach((chance, to) => {
    if (chance < 0.005) return;
    const cell = svg("rect", { class: "heat", x: sx(to - 0.5), y: sy(from - 0.5), width: sx(to + 0.5) - sx(to - 0.5) - 0.5, height: sy(from + 0.5) - sy(from - 0.5) - 0.5, "fill-opacity": chance });
    cell.addEventListener("pointermove", (event) => showTip(event, `${name(from)} → ${name(to)}`, [["chance", percent(chance, 1)]]));
    cell.addEventListener("pointerleave", hideTip);
    part.append(cell);
  }));
  chart.append(part);
  chart.style.maxWidth = `${side}px`;
  return chart;
}

function stateTable(chain) {
  const hasNames = chain.states[0].length === picture.axes.length;
  const headings = chain.hidden ? (hasNames ? picture.axes : ["what it emits"]) : [];
  const cell = (text) => html("td", { class: "number" }, text);
  return scrolling("Table of states", html("table", {},
    html("thead", {}, html("tr", {}, html("th", { scope: "col" }, chain.hidden ? "state" : "symbol"),
      ["time", "starts", "stays"].map((name) => html("th", { class: "number", scope: "col" }, name)), headings.map((name) => html("th", { scope: "col" }, name)))),
    html("tbody", {}, chain.initial.map((chance, state) => html("tr", {}, html("td", {}, chain.hidden ? String(state) : chain.states[state][0]),
      cell(percent(chain.time[state])), cell(percent(chance)), cell(percent(chain.transitions[state][state])),
      chain.hidden ? chain.states[state].map((words) => html("td", { class: hasNames ? "cell" : "words" }, words)) : null)))));
}

function chainsSection() {
  const panels = picture.chains.map((chain) => figure((width) => [
    html("figcaption", {}, chip(chain.group)),
    chain.initial.length <= MOST_NODES ? stateDiagram(chain, width) : heatMap(chain, width), stateTable(chain)]));
  const noun = picture.chains[0].hidden ? "states" : "symbols";
  return section(picture.chains[0].hidden ? "States" : "Transitions", `Circles are ${noun}, larger where more time is spent; arrows are transitions of 5% or more, wider where more probable.`,
    html("div", { class: "grid large" }, panels));
}
