/* what makes each component different from all others, in words */
function wordsSection() {
  const named = found.differences.map((sentence, group) => html("li", {}, chip(group), html("span", {}, sentence)));
  return section("Differences", "How each component differs from all others together, by the means of columns; the clearest difference comes first.",
    html("ul", { class: "sayings" }, named));
}
