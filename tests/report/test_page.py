"""Tests of the report in a browser."""

import re
import time

import numpy as np
import pytest

from boltzmix import DegenerateMixtureWarning, Mixture
from boltzmix.comparison.words import describe_choice
from boltzmix.datasets import make_mixture
from boltzmix.families import Gaussian, LinearRegression
from boltzmix.metrics import adjusted_rand_score
from tests.report import cases

HEADINGS = {
    cases.points: ["Points", "Columns"],
    cases.many_columns: ["Points", "Columns"],
    cases.mixed: ["Columns"],
    cases.merged: ["Points", "Columns"],
    cases.sequences: ["Members", "States"],
    cases.symbols: ["Members", "Transitions"],
    cases.curves: ["Curves"],
}


def report_of(case):
    model, given = case()
    return model.report(*given)


@pytest.mark.parametrize("case", cases.ALL_CASES)
def test_every_kind_of_data_has_its_picture_without_errors(visit, case):
    page = visit(report_of(case))
    headings = page.locator("h2").all_inner_texts()
    rest = ["Profiles", "Certainty", "Training", "How to repeat this report"]
    first = ["Clusters"] if case is cases.merged else []
    assert headings == [*first, "Components", "Differences", *HEADINGS[case], *rest]
    assert page.locator("section svg.chart").count() >= 4
    assert page.locator("img").count() == 0
    assert "NaN" not in page.content().split('id="findings"')[0]
    assert page.locator("[d*=NaN], [d*=Infinity], [d*=undefined]").count() == 0


@pytest.mark.parametrize("case", cases.ALL_CASES)
def test_a_narrow_window_does_not_scroll_sideways(visit, case):
    page = visit(report_of(case), viewport={"width": 380, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_number_that_was_chosen_has_its_table_and_its_curve(visit):
    model, given = cases.chosen()
    page = visit(model.report(*given), viewport={"width": 380, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    headings = page.locator("h2").all_inner_texts()
    wanted = ["Points", "Columns", "Profiles", "Certainty", "Comparison", "Training"]
    assert headings == ["Components", "Differences", *wanted, "How to repeat this report"]
    part = page.locator("section", has=page.get_by_role("heading", name="Comparison"))
    assert part.locator("p").first.inner_text().startswith(describe_choice(model.comparison_))
    assert part.locator("tbody tr").count() == 10  # all numbers, and all candidates
    row = part.locator("tr.chosen")
    assert row.count() == 1
    assert row.locator("td").nth(1).inner_text() == str(model.n_components_)
    assert part.locator("path.curve").count() == 1
    assert part.locator("line.spread").count() == 4
    assert part.locator("path.needed").count() == 1
    part.locator("circle.ring").scroll_into_view_if_needed()
    ring = part.locator("circle.ring").bounding_box()
    page.mouse.move(ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2)
    assert page.locator(".tip b").inner_text() == f"{model.n_components_} components"
    lead = page.locator("header p.lead").inner_text()
    assert lead == describe_choice(model.comparison_)


def test_components_of_a_cluster_have_its_colour(visit):
    page, (model, _) = visit(report_of(cases.merged)), cases.merged()
    table = page.get_by_role("region", name="Table of clusters")
    assert table.locator("tbody tr").count() == 2
    colours = [
        page.locator("tr[data-row] button.chip")
        .nth(k)
        .evaluate("one => one.style.getPropertyValue('--day')")
        for k in range(8)
    ]
    assert len(set(colours)) == 2
    first = colours[int(np.flatnonzero(model.clusters_ == 0)[0])]
    assert [colour == first for colour in colours] == (model.clusters_ == 0).tolist()


def test_a_number_that_was_given_has_no_comparison(visit):
    assert "Comparison" not in visit(report_of(cases.points)).locator("h2").all_inner_texts()


def test_names_with_markup_are_shown_as_text(visit):
    page = visit(report_of(cases.points))
    assert cases.MARKUP in page.locator("h3").all_inner_texts()


def test_choosing_an_axis_draws_other_points(visit):
    page = visit(report_of(cases.many_columns))
    points = page.locator("path.points").first
    before = points.get_attribute("d")
    page.get_by_label("Across").select_option(label="column 2")
    assert points.get_attribute("d") != before
    assert page.get_by_text("column 2", exact=True).count() >= 1
    page.get_by_label("Across").select_option(label="principal component 1")
    assert points.get_attribute("d") == before


@pytest.mark.parametrize("way", ["click", "keyboard"])
def test_a_component_can_be_highlighted_everywhere(visit, way):
    page = visit(report_of(cases.points))
    button = page.locator("table button.chip").nth(2)
    if way == "click":
        button.click()
    else:
        button.focus()
        page.keyboard.press("Enter")
    assert button.get_attribute("aria-pressed") == "true"
    bright = page.locator(".focused [data-group].focus")
    assert bright.count() >= 5
    assert set(bright.evaluate_all("all => all.map(one => one.dataset.group)")) == {"2"}
    faint = page.locator('path.points[data-group="1"]')
    page.wait_for_timeout(200)
    assert float(faint.evaluate("one => getComputedStyle(one).opacity")) < 0.2
    page.keyboard.press("Escape")
    assert page.locator(".focused").count() == 0
    assert button.get_attribute("aria-pressed") == "false"


def test_the_pointer_and_the_arrow_keys_show_points(visit):
    model, (X,) = cases.many_columns()
    page = visit(model.report(X))
    drawing = page.locator("svg[role=application]")
    drawing.focus()
    page.keyboard.press("ArrowRight")
    shown = page.locator(".tip").inner_text()
    assert shown.startswith("row 0")
    assert f"component {model.labels_[0]}" in shown
    page.keyboard.press("ArrowRight")
    assert page.locator(".tip").inner_text().startswith("row 1")
    place = drawing.locator(".ring").bounding_box()
    page.keyboard.press("Escape")
    assert page.locator(".tip").is_hidden()
    page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    assert page.locator(".tip").inner_text().startswith("row 1")


def test_every_control_has_a_name(visit):
    page = visit(report_of(cases.many_columns))
    for role in ("button", "combobox"):
        controls = page.get_by_role(role)
        assert controls.count() > 0
        names = page.get_by_role(role, name="").evaluate_all(
            "all => all.map(one => one.ariaLabel || (one.labels && one.labels[0].innerText))"
        )
        assert all(names)


def test_text_has_contrast_in_light_and_dark(visit):
    for scheme in ("light", "dark"):
        page = visit(report_of(cases.points), color_scheme=scheme)
        paper = _luminance(page, "html", "backgroundColor")
        assert (paper < 0.1) == (scheme == "dark")
        for place in ("dd", "dt", ".note"):
            ink = _luminance(page, place, "color")
            low, high = sorted([ink, paper])
            assert (high + 0.05) / (low + 0.05) > 4.5
        for k in range(4):
            chip = f"table tbody tr:nth-child({k + 1}) button.chip"
            low, high = sorted(
                _luminance(page, chip, what) for what in ("color", "backgroundColor")
            )
            assert (high + 0.05) / (low + 0.05) > 4.5


def test_print_is_dark_on_white_without_controls(visit):
    page = visit(report_of(cases.many_columns), color_scheme="dark")
    page.emulate_media(media="print")
    assert not page.get_by_label("Across").is_visible()
    assert _luminance(page, "dd", "color") < 0.05


def test_a_notebook_shows_the_report_in_a_frame(browser):
    page = browser.new_page()
    page.set_content(report_of(cases.mixed)._repr_html_())
    frame = page.frame_locator("iframe")
    assert frame.locator("h1").inner_text() == "2 mixed components in 200 rows"
    page.close()


@pytest.mark.slow
def test_a_million_rows_open_quickly_from_a_small_file(visit):
    X, _ = make_mixture(5000, 6, 4, random_state=0)
    model = Mixture(n_components=6, random_state=0).fit(X)
    rows = np.tile(X, (200, 1))
    began = time.perf_counter()
    report = model.report(rows)
    assert time.perf_counter() - began < 15
    assert len(report.html.encode()) < 5e6
    began = time.perf_counter()
    page = visit(report)
    assert time.perf_counter() - began < 3
    assert "A sample of" in page.inner_text("main")
    assert "of 1,000,000 rows is drawn" in page.inner_text("main")


def _luminance(page, place, what):
    colour = page.locator(place).first.evaluate(f"one => getComputedStyle(one).{what}")
    red, green, blue = (float(part) / 255 for part in colour[4:-1].split(",")[:3])
    linear = [part / 12.92 if part <= 0.04 else ((part + 0.055) / 1.055) ** 2.4
              for part in (red, green, blue)]  # fmt: skip
    return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))


def test_what_may_mislead_is_below_the_facts(visit):
    X, _ = make_mixture(60, 3, 4, random_state=0)
    with pytest.warns(DegenerateMixtureWarning) as noted:
        model = Mixture(n_components=30, random_state=0).fit(X)
    page = visit(model.report(X))
    assert page.locator("header p").all_inner_texts() == [str(one.message) for one in noted]


def test_points_are_easy_to_see_on_dark_paper(visit):
    X, _ = make_mixture(400, 8, 2, separation=4, random_state=0)
    model = Mixture(Gaussian(), 8, random_state=0).fit(X)
    page = visit(model.report(X), color_scheme="dark")
    found = page.locator("path.points").evaluate_all(
        "all => all.map((one) => [getComputedStyle(one).fill, getComputedStyle(one).fillOpacity])"
    )
    paper = channels(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))
    assert len(found) == 8
    for fill, opacity in found:
        seen = float(opacity) * channels(fill) + (1 - float(opacity)) * paper
        assert contrast(seen, paper) > 3


def channels(text):
    return np.array([float(one) for one in re.findall(r"[\d.]+", text)[:3]])


def contrast(one, other):
    dark, light = sorted(
        (colour / 255) ** 2.2 @ [0.2126, 0.7152, 0.0722] for colour in (one, other)
    )
    return (light + 0.05) / (dark + 0.05)


def test_the_table_of_many_columns_and_components_scrolls_below_its_headings(visit):
    X, _ = make_mixture(600, 20, 12, random_state=0)
    model = Mixture(Gaussian("diag"), 20, random_state=0).fit(X)
    page = visit(model.report(X), viewport={"width": 700, "height": 900})
    box = page.get_by_role("region", name="Table of components")
    assert box.evaluate("one => one.scrollWidth > one.clientWidth + 50")
    assert box.evaluate("one => one.scrollHeight > one.clientHeight + 50")
    places = (
        "one => [...one.querySelectorAll('thead th, tbody tr:last-child td')]"
        ".map((cell) => cell.getBoundingClientRect())"
    )
    before = box.evaluate(places)
    box.evaluate("one => one.scrollTo(200, 200)")
    after = box.evaluate(places)
    assert after[0]["top"] == pytest.approx(before[0]["top"], abs=1)
    n_columns = len(before) // 2
    assert after[n_columns]["left"] == pytest.approx(before[n_columns]["left"], abs=1)
    assert after[3]["left"] < before[3]["left"] - 100


def test_badges_lie_on_their_own_lines_and_not_on_each_other(visit):
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 10, 400)
    side = rng.integers(2, size=400)
    y = np.where(side, 20 - x, x) + rng.normal(0, 0.5, 400)
    x[side == 1] /= 2  # its line leaves the picture before the right edge
    model = Mixture(LinearRegression(), 2, random_state=0).fit(x[:, None], y)
    page = visit(model.report(x[:, None], y))
    part = page.locator("section", has=page.get_by_role("heading", name="Curves"))
    places = part.locator(".mark circle").evaluate_all(
        "all => all.map((one) => [+one.getAttribute('cx'), +one.getAttribute('cy')])"
    )
    assert len(places) == 2
    assert np.hypot(*np.subtract(*places)) > 20
    lines = part.locator("path.edge").evaluate_all("all => all.map((one) => one.getAttribute('d'))")
    lines = [np.reshape(re.findall(r"-?[\d.]+", line), (-1, 2)).astype(float) for line in lines]
    for place in places:
        assert min(np.hypot(*(line - place).T).min() for line in lines) < 2


@pytest.mark.parametrize("width", [380, 1200])
def test_names_of_phases_do_not_overlap(visit, width):
    page = visit(report_of(cases.many_columns), viewport={"width": width, "height": 900})
    part = page.locator("section", has=page.get_by_role("heading", name="Training"))
    names = {
        phase["name"] for phase in report_of(cases.many_columns).findings["training"]["phases"]
    }
    for chart in part.locator("svg.chart").all():
        texts = [one for one in chart.locator("text").all() if one.text_content() in names]
        boxes = [one.bounding_box() for one in texts]
        assert len(boxes) == len(names)
        for place, one in enumerate(boxes):
            assert all(apart(one, other) for other in boxes[:place])


def apart(one, other):
    return (
        one["x"] + one["width"] <= other["x"]
        or other["x"] + other["width"] <= one["x"]
        or one["y"] + one["height"] <= other["y"] + 3
        or other["y"] + other["height"] <= one["y"] + 3
    )


def test_agreement_with_known_classes_is_a_table(visit):
    X, known = make_mixture(200, 3, 2, separation=5, random_state=0)
    model = Mixture(Gaussian(), 3, random_state=0).fit(X)
    page = visit(model.report(X, compare_with=np.array(["<b>x</b>", "y", "z"])[known]))
    part = page.locator("section", has=page.get_by_role("heading", name="Agreement"))
    assert part.locator("tbody tr").count() == 3
    assert part.locator("tbody td").first.inner_text() == "<b>x</b>"
    assert f"adjusted Rand index of {adjusted_rand_score(known, model.labels_):.3f}" in (
        part.inner_text()
    )


def test_far_noise_is_drawn_at_the_edge_of_the_picture_of_points(visit):
    points, _ = make_mixture(200, 2, 2, separation=6, random_state=0)
    X = np.vstack([points, 1e6 * np.random.default_rng(0).normal(size=(7, 2))])
    model = Mixture(Gaussian(), 2, noise=True, random_state=0).fit(X)
    page = visit(model.report(X))
    part = page.locator("section", has=page.get_by_role("heading", name="Points"))
    assert "7 points far away, drawn at the edge" in part.inner_text()
    paths = part.locator("path.points").evaluate_all(
        "all => all.map((one) => one.getBoundingClientRect().width)"
    )
    assert sum(width > 80 for width in paths) == 3


def test_ticks_far_from_zero_differ_and_lie_apart(visit):
    X, _ = make_mixture(200, 2, 2, separation=6, random_state=0)
    model = Mixture(Gaussian(), 2, random_state=0).fit(10 * X + [500_000, 5_812_345])
    page = visit(model.report(10 * X + [500_000, 5_812_345]))
    part = page.locator("section", has=page.get_by_role("heading", name="Points"))
    texts = [one for one in part.locator("svg.chart > text").all() if "," in one.text_content()]
    words = [one.text_content() for one in texts]
    assert len(set(words)) == len(words) > 4
    boxes = [one.bounding_box() for one in texts]
    assert min(box["x"] for box in boxes) > part.locator("svg.chart").bounding_box()["x"]
    for place, one in enumerate(boxes):
        assert all(apart(one, other) for other in boxes[:place])


@pytest.mark.parametrize(("scheme", "low", "high"), [("light", 0.25, 0.91), ("dark", 0.45, 0.95)])
def test_colours_of_symbols_are_seen_on_their_paper(visit, scheme, low, high):
    page = visit(report_of(cases.symbols), color_scheme=scheme)
    part = page.locator("section", has=page.get_by_role("heading", name="Members"))
    fills = part.locator("svg.chart rect").evaluate_all(
        "all => all.map((one) => getComputedStyle(one).fill)"
    )
    lightness = [float(one) for fill in fills for one in re.findall(r"oklch\(([\d.]+)", fill)]
    assert lightness
    assert low < min(lightness) <= max(lightness) < high
