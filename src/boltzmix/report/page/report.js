function summarySection() {
  return html("header", {}, html("h1", {}, found.title), html("dl", { class: "facts" }, found.summary.map(([name, value]) =>
    html("div", { class: value.length > 34 ? "wide" : "" }, html("dt", {}, name), html("dd", {}, value)))),
    found.problems.map((sentence) => html("p", { class: "problem" }, sentence)));
}

function meter(group, share) {
  const bar = html("span", { class: "meter", "aria-hidden": "true" }, html("i", { style: `width:${percent(share, 1)}` }));
  paint(bar, group);
  return bar;
}

function componentsSection() {
  const { headings, by_column, rows, unsure, n_columns } = found.components;
  const largest = Math.max(...rows.map((row) => row.size), 1);
  const head = (name, kind) => html("th", { scope: "col", class: kind }, name);
  const body = rows.map((row, group) => html("tr", { "data-row": group },
    html("td", { class: "tight" }, chip(group)),
    html("td", { class: "number tight" }, meter(group, row.size / largest), whole(row.size)),
    html("td", { class: "number tight" }, row.weight.toFixed(3)),
    html("td", { class: "number tight" }, row.certainty === null ? "–" : row.certainty.toFixed(3)),
    html("td", { class: "number tight" }, whole(row.n_unsure)),
    headings.map((_, at) => html("td", { class: !by_column || (row.words[at] || "").length > 28 ? "words" : "cell", title: row.full }, row.words[at] || ""))));
  const fewer = by_column && headings.length < n_columns ? ` The ${headings.length} of ${n_columns} columns that tell components apart most are described.` : "";
  return section("Components", `Choose one to see it everywhere; Escape shows all again.${fewer}`, scrolling("Table of components", html("table", {},
    html("thead", {}, html("tr", {}, head("component", "tight"), head(found.noun, "number tight"), head("weight", "number tight"), head("mean certainty", "number tight"), head(`below ${unsure}`, "number tight"), headings.map((name) => head(name, "first")))),
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

main.replaceChildren(summarySection(), componentsSection(), ...(found.differences && groups.length > 1 ? [wordsSection()] : []), ...(agreement ? [agreementSection()] : []), ...pictureSections(), ...(profiles ? [profilesSection()] : []), ...(membership ? [membershipSection()] : []), certaintySection(), ...(choice ? [choiceSection()] : []), trainingSection(), provenanceSection(),
  html("footer", {}, "Made by boltzmix. This file needs no network."));
for (const draw of drawings) draw();

let drawnAt = main.clientWidth;
addEventListener("resize", () => {
  if (main.clientWidth === drawnAt) return;
  drawnAt = main.clientWidth;
  for (const draw of drawings) draw();
});
