/* agreement with classes that are known: a cross table, darker where there are more */
const agreement = found.agreement;

function crossTable({ headings, lines }) {
  const counts = lines.map(([, ...cells]) => cells.map((cell) => +cell.replace(/,/g, "")));
  const shade = (row, at) => {
    const total = counts[row].reduce((sum, one) => sum + one, 0) || 1;
    return `--share:${Math.round((100 * counts[row][at]) / total)}%`;
  };
  return scrolling("Cross table of components and known classes", html("table", { class: "cross" },
    html("thead", {}, html("tr", {}, headings.map((name, at) => html("th", { scope: "col", class: at ? "number" : "" }, name)))),
    html("tbody", {}, lines.map(([name, ...cells], row) => html("tr", {}, html("td", {}, name),
      cells.map((cell, at) => html("td", { class: "number share", style: shade(row, at) }, cell)))))));
}

function agreementSection() {
  return section("Agreement", agreement.sentences.join(" "), crossTable(agreement));
}
