function summarySection() {
  return html("header", {}, html("h1", {}, found.title), html("dl", { class: "facts" }, found.summary.map(([name, value]) =>
    html("div", { class: value.length > 34 ? "wide" : "" }, html("dt", {}, name), html("dd", {}, value)))),
    found.choice ? html("p", { class: "lead" }, found.choice.sentence) : null, found.problems.map((sentence) => html("p", { class: "problem" }, sentence)));
}

function meter(group, share) {
  const bar = html("span", { class: "meter", "aria-hidden": "true" }, html("i", { style: `width:${percent(share, 1)}` }));
  paint(bar, group);
  return bar;
}

const isLost = (agreement) => agreement !== null && agreement < found.components.least_found;

/* clusters of merged components, whose colour they share */
function clustersSection() {
  const { rows } = found.clusters;
  const known = rows.some((row) => row.agreement !== null);
  const head = (name, kind) => html("th", { scope: "col", class: kind }, name);
  const body = rows.map((row, place) => html("tr", {},
    html("td", { class: "number tight" }, String(place)),
    html("td", { class: "number tight" }, whole(row.size)),
    html("td", { class: "number tight" }, row.weight.toFixed(3)),
    known ? html("td", { class: `number tight${isLost(row.agreement) ? " lost" : ""}` }, row.agreement.toFixed(2)) : null,
    html("td", { class: "words" }, row.components.flatMap((group) => [chip(group), " "]))));
  const found_again = known ? " Agreement says how far fits to halves of the data find the cluster again, from 0 to 1." : "";
  return section("Clusters", `Components that overlap are merged: together, they describe a cluster of any shape, and have its colour.${found_again}`, scrolling("Table of clusters", html("table", {},
    html("thead", {}, html("tr", {}, head("cluster", "number tight"), head(found.noun, "number tight"), head("weight", "number tight"), known ? head("agreement", "number tight") : null, head("components", "first"))),
    html("tbody", {}, body))));
}

function componentsSection() {
  const { headings, by_column, rows, unsure, n_columns, has_agreement } = found.components;
  const largest = Math.max(...rows.map((row) => row.size), 1);
  const head = (name, kind) => html("th", { scope: "col", class: kind }, name);
  const body = rows.map((row, group) => html("tr", { "data-row": group },
    html("td", { class: "tight" }, chip(group)),
    html("td", { class: "number tight" }, meter(group, row.size / largest), whole(row.size)),
    html("td", { class: "number tight" }, row.weight.toFixed(3)),
    html("td", { class: "number tight" }, row.certainty === null ? "–" : row.certainty.toFixed(3)),
    html("td", { class: "number tight" }, whole(row.n_unsure)),
    has_agreement ? html("td", { class: `number tight${isLost(row.agreement) ? " lost" : ""}` }, row.agreement === null ? "–" : row.agreement.toFixed(2)) : null,
    found.clusters ? html("td", { class: "number tight" }, isNoise(group) ? "–" : String(clusterOf(group))) : null,
    headings.map((_, at) => html("td", { class: !by_column || (row.words[at] || "").length > 28 ? "words" : "cell", title: row.full }, row.words[at] || ""))));
  const found_again = has_agreement ? " Agreement says how far fits to halves of the data find the component again, from 0 to 1." : "";
  const fewer = by_column && headings.length < n_columns ? ` The ${headings.length} of ${n_columns} columns that tell components apart most are described.` : "";
  return section("Components", `Choose one to see it everywhere; Escape shows all again.${found_again}${fewer}`, scrolling("Table of components", html("table", {},
    html("thead", {}, html("tr", {}, head("component", "tight"), head(found.noun, "number tight"), head("weight", "number tight"), head("mean certainty", "number tight"), head(`below ${unsure}`, "number tight"), has_agreement ? head("agreement", "number tight") : null, found.clusters ? head("cluster", "number tight") : null, headings.map((name) => head(name, "first")))),
    html("tbody", {}, body))));
}

function pictureSections() {
  const parts = [];
  if (picture && picture.kind === "sequences") {
    parts.push(membersSection());
    if (picture.chains.length) parts.push(chainsSection());
  } else if (picture) parts.push(scatterSection());
  if (found.columns.length) parts.push(columnsSection());
  return parts;
}

main.replaceChildren(summarySection(), ...(found.clusters ? [clustersSection()] : []), componentsSection(), ...(found.differences && groups.length > 1 ? [wordsSection()] : []), ...(agreement ? [agreementSection()] : []), ...pictureSections(), ...(profiles ? [profilesSection()] : []), ...(membership ? [membershipSection()] : []), certaintySection(), ...(choice ? [choiceSection()] : []), trainingSection(), provenanceSection(),
  html("footer", {}, "Made by boltzmix. This file needs no network."));
for (const draw of drawings) draw();

let drawnAt = main.clientWidth;
addEventListener("resize", () => {
  if (main.clientWidth === drawnAt) return;
  drawnAt = main.clientWidth;
  for (const draw of drawings) draw();
});
