/* how covariates change membership: a table of odds ratios */
const membership = found.membership;

function membershipSection() {
  return section("Membership", "How covariates change the odds of each component against component 0.",
    tableOf(membership), membership.notes.map((words) => html("p", { class: "note" }, words)));
}
