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
        pytest.skip("There is no Chromium here: apt-get install chromium runs this test too.")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=program, args=QUIET.split())
        yield browser
        browser.close()


@pytest.fixture
def visit(browser, tmp_path):
    """Open reports; at the end, no page may have logged an error or made a request."""
    contexts, heard = [], []

    def open_report(report: Report, **options):
        path = tmp_path / "report.html"
        report.save(path)
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(5000)
        page.on("console", lambda message: heard.append(message.text))
        page.on("pageerror", lambda error: heard.append(str(error)))
        page.on("dialog", lambda dialog: heard.append(dialog.message))
        page.on("request", lambda request: heard.append(request.url))
        page.goto(path.as_uri())
        heard.remove(path.as_uri())
        return page

    yield open_report
    for context in contexts:
        context.close()
    assert heard == []
