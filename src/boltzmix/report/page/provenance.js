/* where this report comes from, and how to make it again */
const provenance = found.provenance;

function provenanceSection() {
  const { facts, code, is_command, notes } = provenance;
  const how = is_command ? "This command makes the same report from the same file." : "These lines of Python make the same report from the same data.";
  return section("How to repeat this report", `${how} The same data have the same checksum.`, html("pre", {}, html("code", {}, code)),
    notes.map((words) => html("p", { class: "note" }, words)),
    html("dl", { class: "origin" }, facts.flatMap(([name, value]) => [html("dt", {}, name), html("dd", {}, value)])));
}
