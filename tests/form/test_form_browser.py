"""The form in a real JupyterLab and in Voila, in a real browser, with the network cut off."""

import json
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from discoreport import examples, load
from tests.servers import environment, lab, notebook

pytestmark = pytest.mark.browser

PICTURES = os.environ.get("DISCOREPORT_PICTURES")
"""Folder to keep screenshots in."""
LOCAL = re.compile(r"^(https?|wss?)://127\.0\.0\.1[:/]|^(data|blob|about|file):")
GIVEN_UP = "Canceled future for create_subshell_request"
"""What Lab says at a restart, once a widget, where it has missed that the kernel was done with Lab's own request."""


@pytest.fixture
def page(browser, request):
    """A page that reaches this machine and nothing else; what it asked for elsewhere is in `elsewhere`."""
    context = browser.new_context(viewport={"width": 1300, "height": 1600})
    opened = context.new_page()
    opened.set_default_timeout(90_000)
    opened.elsewhere, opened.failed = [], []

    def only_here(route):
        if LOCAL.match(route.request.url):
            route.continue_()
        else:
            opened.elsewhere.append(route.request.url)
            route.abort()

    context.route("**/*", only_here)

    def failed(error):
        if GIVEN_UP not in str(error):
            opened.failed.append(str(error))

    opened.on("pageerror", failed)
    yield opened
    picture(opened, f"end-of-{request.node.name}")
    context.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    pytest.importorskip("jupyterlab")
    made = tmp_path_factory.mktemp("lab")
    for name in ("original", "synthetic_1"):
        examples.read(name).to_csv(made / f"{name}.csv", index=False)
    return made


@pytest.fixture(scope="module")
def server(folder):
    with lab(folder) as address:
        yield address


def picture(page, name):
    if PICTURES:
        Path(PICTURES).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=str(Path(PICTURES, f"{name}.png")), full_page=True)


def open_notebook(page, server, path):
    page.goto(f"{server}/lab/tree/{path.name}?reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    page.wait_for_function("document.querySelector('.jp-Notebook-ExecutionIndicator')?.dataset.status === 'idle'")
    page.keyboard.press("Control+B")


def run_cell(page, nth=0):
    cell = page.locator(".jp-Notebook .jp-CodeCell").nth(nth)
    for _ in range(4):  # Lab drops what is run while it is still connecting to the kernel
        if page.locator(".jp-Dialog").count():  # asks for a kernel, where Lab was slow to find the one of the notebook
            print("\na dialog of Lab:", page.locator(".jp-Dialog").inner_text())
            page.locator(".jp-Dialog .jp-mod-accept").first.click()
        cell.locator(".cm-content").first.click()
        page.keyboard.press("Control+Enter")
        for _ in range(20):  # a cell that waits is not run twice: the form would find what it saved a moment before
            page.wait_for_timeout(500)
            if cell.locator(".jp-InputPrompt").inner_text() != "[ ]:":
                return
    raise AssertionError("the cell was not run")


def settled(page, path, said):
    """Give what a file holds once it holds something, and doesn't change any more."""
    before = b""
    for _ in range(30):
        page.wait_for_timeout(2000)
        now = path.read_bytes()
        if said in now and now == before:
            return now
        before = now
    raise AssertionError(f"{path.name} doesn't hold it, or goes on changing")


def press(page, label, nth=0):
    page.locator(f".discoreport button:visible:has-text('{label}')").nth(nth).click()


def step(page, name):
    page.locator(f".discoreport .d-steps button:has-text('{name}')").click()


def field(page, label, nth=0):
    return page.locator(".discoreport").get_by_label(label, exact=True).locator("visible=true").nth(nth)


def fill(page, label, text, nth=0):
    one = field(page, label, nth)
    one.fill(text)
    one.press("Tab")


def wait_for(page, text):
    page.locator(f".discoreport :text('{text}')").locator("visible=true").first.wait_for()


def save(page, path):
    """Save the notebook, and give what its file holds once its widgets are in it."""
    page.keyboard.press("Control+S")
    page.locator(".jp-mod-current.jp-mod-dirty").wait_for(state="detached")
    return settled(page, path, b"widget-state+json").decode()


def restart(page):
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement?.blur()")
    page.locator(
        ".jp-Toolbar [data-jp-item-name='restart'] jp-button, .jp-Toolbar [data-jp-item-name='restart']"
    ).first.click()
    page.locator(".jp-Dialog button:has-text('Restart')").click()
    page.wait_for_function("document.querySelector('.jp-Notebook-ExecutionIndicator')?.dataset.status === 'idle'")
    page.wait_for_timeout(1000)


def test_leads_from_paths_to_a_report_and_survives_the_kernel(page, server, folder):
    cells = (
        "from discoreport import DisclosureForm\nform = DisclosureForm()\nform",
        "from discoreport import DisclosureForm\nform = DisclosureForm.load('disclosure-report.form.json')\nform",
    )
    path = notebook(folder / "paths.ipynb", *cells)
    open_notebook(page, server, path)
    started = time.monotonic()
    run_cell(page)
    page.wait_for_selector(".discoreport .d-steps button")
    print(f"\nform on screen, cold kernel, imports included: {time.monotonic() - started:.1f} s")

    began = time.monotonic()
    fill(page, "Original file", "original.csv")
    fill(page, "Synthetic files, one a line", "synthetic_1.csv")
    press(page, "Read the files")
    wait_for(page, "No warnings")
    press(page, "Go on to the scenario")
    press(page, "Take the suggested keys")
    wait_for(page, "3,128 distinct combinations")
    fill(page, "age", "Neighbours know it.")
    press(page, "Go on to the settings")
    press(page, "Take the proposed groups")
    wait_for(page, "done: 2 changed")
    press(page, "Run the assessment")
    page.wait_for_selector(".discoreport .d-figure svg")
    field(page, "Open a target").select_option("marital")
    wait_for(page, "At which step does disclosure happen")
    picture(page, "lab-results")
    step(page, "Flags")
    fill(page, "Your name", "A. Officer")
    fill(page, "Reason", "Nine in ten have never worked abroad.")
    press(page, "Exclude it")
    wait_for(page, "Nine in ten have never worked abroad.")
    wait_for(page, "open: 8 flags")
    picture(page, "lab-checks")
    press(page, "Go on to further questions")
    press(page, "Go on to the report")
    fill(page, "Title", "Northmoor, synthetic")
    press(page, "Write PDF")
    wait_for(page, "Written: 1 file")
    print(f"whole path, by machine: {time.monotonic() - began:.1f} s")
    picture(page, "lab-report")
    assert (folder / "disclosure-report-internal.pdf").read_bytes().startswith(b"%PDF")

    restart(page)
    run_cell(page, 1)
    again = page.locator(".jp-CodeCell").nth(1)
    again.locator(".d-steps").wait_for()
    again.locator("text=open: 8 flags").first.wait_for()
    assert again.get_by_label("Title", exact=True).input_value() == "Northmoor, synthetic"
    again.locator("button:visible:has-text('Write bundle')").click()
    again.locator("text=Written:").first.wait_for()
    record = load(folder / "disclosure-report" / "assessment.json")
    assert record.settings.exclude[0].reason == "Nine in ten have never worked abroad."
    assert record.documentation.title == "Northmoor, synthetic"
    assert page.elsewhere == []
    assert page.failed == []


def test_running_the_cell_again_offers_the_earlier_form_after_a_restart_too(page, server, folder):
    cell = "from discoreport import DisclosureForm\nDisclosureForm('original.csv', 'synthetic_1.csv', out='again')"
    open_notebook(page, server, notebook(folder / "again.ipynb", cell))
    run_cell(page)
    press(page, "Take the suggested keys")
    wait_for(page, "3,128 distinct combinations")
    fill(page, "age", "Neighbours know it.")
    wait_for(page, "Saved in again.form.json")
    role = page.locator(".discoreport .d-variable .widget-toggle-buttons").first
    assert role.locator("button[aria-pressed=true]").inner_text() == "Key"
    assert page.locator(".discoreport [aria-current=step]").inner_text().startswith("2 Scenario")
    assert page.locator("[role=main] .discoreport [role=main]").count() == 0
    before = settled(page, folder / "again.form.json", b"Neighbours know it.")
    page.locator(".jp-Notebook .jp-CodeCell .cm-content").first.click()
    page.keyboard.press("Control+Enter")
    for name in ("again", "restart"):
        wait_for(page, "There is an earlier form of the same files")
        picture(page, f"lab-earlier-form-{name}")
        assert page.locator(".discoreport .d-steps").count() == 0
        assert (folder / "again.form.json").read_bytes() == before
        press(page, "Go on with it")
        wait_for(page, "3,128 distinct combinations")
        assert field(page, "age").input_value() == "Neighbours know it."
        if name == "again":
            before = settled(page, folder / "again.form.json", b"Neighbours know it.")
            restart(page)
            run_cell(page)
    assert not list(folder.glob("again.earlier*"))
    assert page.failed == []


ACTIVE = "words => document.activeElement.innerText == words"
UNFOLDED = "document.activeElement.parentElement.querySelector('input, textarea')"


def test_the_parts_of_the_last_step_are_unfolded_and_filled_in_by_keyboard(page, server, folder):
    cell = (
        "from discoreport import DisclosureForm\nform = DisclosureForm(out='keyboard')\nform.open_step('Report')\nform"
    )
    open_notebook(page, server, notebook(folder / "keyboard.ipynb", cell))
    run_cell(page)
    page.wait_for_selector(".discoreport .d-fold >> visible=true")
    folds = page.locator(".discoreport .d-fold >> visible=true").all_inner_texts()
    titles = [one for one in folds if not one.startswith("Show: files for")]
    field(page, "Title").focus()
    reached = []
    for _ in range(60):
        page.keyboard.press("Tab")
        now = page.evaluate("document.activeElement.innerText || ''")
        if now.startswith("Show: "):
            reached.append(now)
            page.keyboard.press("Enter")
            page.wait_for_function(ACTIVE, arg=now.replace("Show", "Hide"))
            if now == titles[0]:
                page.wait_for_function(UNFOLDED)  # fields are there a moment after the button says so
                page.keyboard.press("Tab")
                page.keyboard.type("By keyboard")
                page.keyboard.press("Tab")
                wait_for(page, "Saved in keyboard.form.json")
                settled(page, folder / "keyboard.form.json", b"By keyboard")
                picture(page, "lab-folds")
                page.keyboard.press("Shift+Tab")
                page.keyboard.press("Shift+Tab")
            page.keyboard.press("Space")  # folds it away again
            page.wait_for_function(ACTIVE, arg=now)
        if len(reached) == len(titles):
            break
    assert reached == titles
    assert len(titles) == 14
    assert page.failed == []


def test_a_saved_notebook_with_its_widgets_holds_no_record(page, server, folder, tmp_path):
    rng = np.random.default_rng(3)
    n = 300
    secret = [f"Secret{number:06d}" for number in rng.choice(10**6, n, replace=False)]
    frame = pd.DataFrame(
        {
            "sex": rng.choice(["f", "m"], n),
            "age": rng.integers(20, 40, n),
            "name": secret,
            "height": (rng.random(n) * 50 + 150).round(9),
            "ill": rng.choice(["no", "yes"], n, p=[0.9, 0.1]),
        }
    )
    for name in ("confidential", "made_up"):
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    path = notebook(
        folder / "upload.ipynb", "from discoreport import DisclosureForm\nform = DisclosureForm(out='up')\nform"
    )
    open_notebook(page, server, path)
    run_cell(page)
    page.wait_for_selector(".discoreport .d-steps button")
    with page.expect_file_chooser() as chosen:
        press(page, "Upload the original")
    chosen.value.set_files(tmp_path / "confidential.csv")
    page.wait_for_function(
        "[...document.querySelectorAll('.discoreport input')].some(i => i.value == 'upload: confidential.csv')"
    )
    with page.expect_file_chooser() as chosen:
        press(page, "Upload synthetic files")
    chosen.value.set_files(tmp_path / "made_up.csv")
    page.wait_for_function(
        "[...document.querySelectorAll('.discoreport textarea')].some(i => i.value == 'upload: made_up.csv')"
    )
    press(page, "Read the files")
    wait_for(page, "to explain")
    picture(page, "lab-upload")
    field(page, "Levels of").select_option("name")
    press(page, "Go on to the scenario")
    press(page, "Take the suggested keys")
    wait_for(page, "distinct combinations")
    step(page, "Results")
    press(page, "Run the assessment")
    page.wait_for_selector(".discoreport .d-figure svg")
    field(page, "Open a target").select_option("name")
    wait_for(page, "At which step does disclosure happen")
    for name in ("Settings", "Flags", "Report"):
        step(page, name)
        page.wait_for_timeout(700)
    press(page, "Show preview")
    page.wait_for_selector(".discoreport iframe")
    written = save(page, path)
    state = json.loads(written)["metadata"].get("widgets", {})
    assert len(state["application/vnd.jupyter.widget-state+json"]["state"]) > 100
    assert "original record" in written
    assert [value for value in secret if value in written] == []
    assert [value for value in frame["height"].astype(str) if value in written] == []
    saved = (folder / "up.form.json").read_text(encoding="utf-8")
    assert "Secret" not in saved
    assert page.elsewhere == []
    assert page.failed == []


SURVEY_OF_50_000 = """
import numpy as np, pandas as pd
from discoreport import DisclosureForm
from discoreport.form.model import session
session.LIVE = 60  # figures follow, however slow the machine is
rng = np.random.default_rng(1)
def made(n=50_000):
    values = {"sex": rng.integers(0, 2, n), "age": rng.integers(16, 90, n), "region": rng.integers(0, 12, n),
              "size": rng.integers(0, 6, n)}
    for place in range(10):
        values[f"target{place}"] = (values["age"] // 10 + rng.integers(0, 3, n) + place) % (3 + place)
    return pd.DataFrame(values)
DisclosureForm(made(), made(), out="fast")
"""

WATCH = """
async () => {
  const strip = () => document.querySelector('.discoreport .d-strip').textContent;
  const worst = () => document.querySelectorAll('.discoreport .d-strip > div')[2].textContent;
  const rows = () => [...document.querySelectorAll('.discoreport .d-variable')];  // made anew when one changes
  const row = name => rows().find(r => r.textContent.startsWith(name));
  const button = (role, of = 'size') => [...row(of).querySelectorAll('button')].find(b => b.textContent.trim() == role);
  const times = [];
  const pause = milliseconds => new Promise(done => setTimeout(done, milliseconds));
  const settled = async () => {  // nothing is stale, and nothing has changed for a while
    let before = '';
    while (document.querySelector('.discoreport .d-stale') || strip() != before) {
      before = strip();
      await pause(1500);
    }
  };
  for (const [role, name] of [['Neither', 'size'], ['Key', 'sex'], ['Key', 'age'], ['Key', 'region']]) {
    button(role, name).click();
    await settled();
  }
  for (const name of ['Key', 'Neither', 'Key', 'Neither', 'Key', 'Neither', 'Key', 'Neither']) {
    const keys = strip(), targets = worst(), began = performance.now();
    let first = 0;
    button(name).click();
    while (worst() == targets && performance.now() - began < 90000) {
      if (!first && strip() != keys) first = performance.now() - began;
      await new Promise(requestAnimationFrame);
    }
    times.push([Math.round(first), Math.round(performance.now() - began)]);
    await settled();
  }
  return times;
}
"""

AWAIT_FORM = """
() => {
  window.shown = new Promise(done => {
    let began = 0;
    document.addEventListener('keydown', () => { began ||= performance.now(); }, {capture: true});
    const look = () => {
      if (document.querySelector('.discoreport .d-steps button')) done(performance.now() - began);
      else requestAnimationFrame(look);
    };
    look();
  });
}
"""


@pytest.mark.generated
def test_figures_follow_a_change_of_keys(page, server, folder):
    """Reported, not asserted: under 300 ms is the aim on an idle machine."""
    path = notebook(folder / "fast.ipynb", SURVEY_OF_50_000)
    open_notebook(page, server, path)
    run_cell(page)
    page.wait_for_selector(".discoreport .d-variable")
    page.wait_for_timeout(15_000)  # what draws figures is loaded meanwhile, as while a person reads
    times = page.evaluate(WATCH)
    whole = sorted(of_targets for _, of_targets in times)
    print(f"\n50,000 records, 10 targets: change of keys to figures of keys, and of targets, ms: {times}")
    print(f"median to figures of targets: {statistics.median(whole)} ms")
    assert all(0 < of_targets < 90_000 for of_targets in whole)


IN_VIEW = """
before => {
  const box = document.querySelector('.discoreport .d-stays').getBoundingClientRect();
  const uncovered = () => document.elementFromPoint(box.x + 20, box.y + 30)?.closest('.d-stays');
  return box.y >= 0 && box.y != before && uncovered();
}
"""


def stays_in_view(page):
    """Scroll to the end of a step: the figures are still there, and nothing of the step covers them."""
    head = page.locator(".discoreport .d-stays")
    end = page.locator(".discoreport .d-foot").locator("visible=true").first
    before = head.bounding_box()["y"]
    end.scroll_into_view_if_needed()
    page.wait_for_function(IN_VIEW, arg=before)


def test_the_head_stays_in_view_and_what_was_written_is_downloaded(page, server, folder):
    path = notebook(
        folder / "head.ipynb",
        "from discoreport import DisclosureForm\nDisclosureForm('original.csv', 'synthetic_1.csv', out='head')",
    )
    open_notebook(page, server, path)
    page.set_viewport_size({"width": 1300, "height": 700})
    run_cell(page)
    page.wait_for_selector(".discoreport .d-variable")
    press(page, "Take the suggested keys")
    wait_for(page, "3,128 distinct combinations")
    step(page, "Results")
    page.locator(".discoreport .d-figure svg").first.wait_for()
    stays_in_view(page)
    picture(page, "head-in-lab")
    page.locator(".discoreport .d-open-items").click()
    page.locator(".discoreport button:visible:has-text('No decision')").click()
    wait_for(page, "Sign-off: preparer")
    fold = page.locator(".discoreport button:visible:has-text('Hide: Decision')").bounding_box()
    assert fold["y"] >= sum(page.locator(".discoreport .d-stays").bounding_box()[side] for side in ("y", "height"))
    press(page, "Write HTML")
    wait_for(page, "Written: 1 file")
    with page.expect_download() as download:
        press(page, "Download")
    assert download.value.suggested_filename == "head-internal.html"
    assert Path(download.value.path()).read_bytes() == (folder / "head-internal.html").read_bytes()
    with page.context.expect_page() as opened:
        page.locator(".discoreport").get_by_role("button", name="Open", exact=True).click()
    opened.value.wait_for_load_state()
    assert opened.value.title().startswith("Disclosure report")
    assert not page.failed


@pytest.mark.generated
def test_shows_itself_soon_after_its_import(page, server, folder):
    """Reported, not asserted: under 2 s is the aim on an idle machine."""
    path = notebook(folder / "first.ipynb", "from discoreport import DisclosureForm", "DisclosureForm(out='first')")
    open_notebook(page, server, path)
    run_cell(page)
    page.wait_for_function("document.querySelector('.jp-InputPrompt').textContent.includes('1')")
    page.evaluate(AWAIT_FORM)
    run_cell(page, 1)
    taken = page.evaluate("window.shown")
    print(f"\nfirst display after the import: {taken:.0f} ms")
    assert taken < 60_000


@pytest.fixture
def voila(tmp_path):
    pytest.importorskip("voila")
    for name in ("original", "synthetic_1"):
        examples.read(name).to_csv(tmp_path / f"{name}.csv", index=False)
    command = [sys.executable, "-m", "discoreport", "form", "--no-browser", "--theme", "dark"]
    started = subprocess.Popen(
        command, cwd=tmp_path, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        yield re.search(r"http://\S+", started.stdout.readline())[0]
    finally:
        started.terminate()
        started.wait(20)
        started.stdout.close()


def upload(page, label, path, control):
    with page.expect_file_chooser() as chosen:
        press(page, label)
    chosen.value.set_files(path)
    page.wait_for_function(
        f"[...document.querySelectorAll('.discoreport {control}')].some(i => i.value == 'upload: {path.name}')"
    )


CUT_OFF = """
[...document.querySelectorAll('.discoreport table')]
  .filter(table => [table, table.parentElement].some(one => one.clientWidth && one.scrollWidth > one.clientWidth + 1))
  .map(table => table.innerText.slice(0, 80))
"""


def test_is_a_page_of_its_own(page, voila, tmp_path):
    port = re.search(r":(\d+)", voila)[1]
    assert page.request.get(f"http://127.0.0.1:{port}/", max_redirects=0).status == 302  # to the login
    page.goto(voila)
    page.wait_for_selector(".discoreport .d-steps button")
    picture(page, "voila-data")
    field(page, "Files and tables").select_option("original.csv")
    press(page, "Take as original")
    upload(page, "Upload synthetic files", tmp_path / "synthetic_1.csv", "textarea")
    press(page, "Read the files")
    wait_for(page, "No warnings")
    press(page, "Go on to the scenario")
    press(page, "Take the suggested keys")
    wait_for(page, "3,128 distinct combinations")
    picture(page, "voila-scenario")
    press(page, "Go on to the settings")
    press(page, "Take the proposed groups")
    wait_for(page, "done: 2 changed")
    press(page, "Go on to the results")
    press(page, "Run the assessment")  # on a slow machine figures don't follow by themselves
    page.wait_for_selector(".discoreport .d-figure svg")
    field(page, "Open a target").select_option("marital")
    wait_for(page, "At which step does disclosure happen")
    picture(page, "voila-results")
    press(page, "Go on to the flags")
    fill(page, "Your name", "A. Officer")
    fill(page, "Reason", "Nine in ten have never worked abroad.")
    press(page, "Exclude it")
    wait_for(page, "open: 8 flags")
    picture(page, "voila-checks")
    press(page, "Go on to further questions")
    press(page, "Go on to the report")
    press(page, "Write PDF")
    wait_for(page, "Written: 1 file")
    picture(page, "voila-report")
    assert (tmp_path / "disclosure-report-internal.pdf").read_bytes().startswith(b"%PDF")
    for width in (1600, 1300, 620):
        page.set_viewport_size({"width": width, "height": 1600})
        for name in ("Data", "Scenario", "Settings", "Results", "Flags", "Report"):
            step(page, name)
            page.wait_for_timeout(300)
            picture(page, f"voila-{name.lower()}-{width}")
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (name, width)
            assert page.evaluate(CUT_OFF) == [], (name, width)

    page.goto(voila)  # another kernel: uploads are gone, nothing else
    press(page, "Go on with it")
    wait_for(page, "Upload it again")
    upload(page, "Upload synthetic files", tmp_path / "synthetic_1.csv", "textarea")
    press(page, "Read the files")
    wait_for(page, "done: 2 files")
    step(page, "Results")
    press(page, "Run the assessment")
    wait_for(page, "open: 8 flags")
    assert page.failed == []


def test_leads_to_a_report_in_notebook_7(page, folder):
    pytest.importorskip("notebook")
    path = notebook(
        folder / "seven.ipynb",
        "from discoreport import DisclosureForm\nDisclosureForm('original.csv', 'synthetic_1.csv', out='seven')",
    )
    with lab(folder, application="notebook") as address:
        page.goto(f"{address}/notebooks/{path.name}")
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        page.wait_for_function("document.querySelector('.jp-Notebook-ExecutionIndicator')?.dataset.status === 'idle'")
        page.failed.clear()  # Notebook stumbles over a schema of its own, whatever is in the notebook
        run_cell(page)
        page.wait_for_selector(".discoreport .d-variable")
        press(page, "Take the suggested keys")
        wait_for(page, "3,128 distinct combinations")
        step(page, "Results")
        page.wait_for_selector(".discoreport .d-figure svg")
        field(page, "Open a target").select_option("marital")
        wait_for(page, "At which step does disclosure happen")
        picture(page, "notebook-results")
        step(page, "Report")
        press(page, "Write PDF")
        wait_for(page, "Written: 1 file")
    assert (folder / "seven-internal.pdf").read_bytes().startswith(b"%PDF")
    assert page.elsewhere == []
    assert page.failed == []


def test_takes_large_uploads_on_the_page_of_its_own(page, voila, tmp_path):
    large = tmp_path / "large.csv"
    large.write_text("sex,age\n" + "f,45\nm,54\n" * 1_500_000)
    assert large.stat().st_size > 14e6
    page.goto(voila)
    page.wait_for_selector(".discoreport .d-steps button")
    wait_for(page, "up to 500 MB")
    upload(page, "Upload the original", large, "input")
    assert page.failed == []


def test_works_by_keyboard_alone(page, server, folder):
    path = notebook(
        folder / "keys.ipynb",
        "from discoreport import DisclosureForm\nDisclosureForm('original.csv', 'synthetic_1.csv', out='keys')",
    )
    open_notebook(page, server, path)
    run_cell(page)
    page.wait_for_selector(".discoreport .d-variable")
    page.locator(".discoreport .d-steps button").first.focus()

    def go_to(label):
        page.locator(f".discoreport button:visible:enabled:has-text('{label}')").first.wait_for()
        for _ in range(120):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.textContent").startswith(label):
                return
        raise AssertionError(f"'{label}' can't be reached by the Tab key")

    go_to("Take the suggested keys")
    page.keyboard.press("Enter")
    wait_for(page, "3,128 distinct combinations")
    go_to("Go on to the settings")
    page.keyboard.press("Enter")
    page.wait_for_function("document.activeElement.matches('.d-here')")  # the kernel moves the keyboard to the step
    go_to("Run the assessment")
    page.keyboard.press("Space")
    page.wait_for_selector(".discoreport .d-figure svg")
