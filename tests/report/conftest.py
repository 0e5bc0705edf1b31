import shutil

import pytest

from boltzmix.report import Report

NAMES = ("chromium", "chromium-browser", "google-chrome")
QUIET = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run"
    " --disable-background-networking --disable-component-update --disable-sync"
)


@pytest.fixture(scope="session")
def browser():
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip("Chromium is not installed: apt-get install chromium to run this test.")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=program, args=QUIET.split())
        yield browser
        browser.close()


@pytest.fixture
def visit(browser, tmp_path):
    """Return a function that opens a report; fail if a page logs an error or sends a request."""
    contexts, events = [], []

    def open_report(report: Report, **options):
        path = tmp_path / "report.html"
        report.save(path)
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(5000)
        page.on("console", lambda message: events.append(message.text))
        page.on("pageerror", lambda error: events.append(str(error)))
        page.on("dialog", lambda dialog: events.append(dialog.message))
        page.on("request", lambda request: events.append(request.url))
        page.goto(path.as_uri())
        events.remove(path.as_uri())
        return page

    yield open_report
    for context in contexts:
        context.close()
    assert events == []
