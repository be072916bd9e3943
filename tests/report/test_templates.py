"""An organisation's own templates, and what may never happen through them, through words or through a logo."""

import re

import pytest

from discoreport import Documentation, Report, read_policy
from discoreport.errors import BrokenTemplateError, SettingsError
from tests.pages import contents

PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9" fill="#123456"/></svg>'
)


@pytest.fixture
def own(tmp_path):
    folder = tmp_path / "own"
    (folder / "sections").mkdir(parents=True)
    return folder


@pytest.mark.slow
def test_a_folder_changes_the_logo_adds_a_section_and_translates(small, own):
    (own / "logo.svg").write_text(PICTURE)
    (own / "contents.html").write_text(
        '{% import "discoreport/contents.html" as ours %}\n'
        '{% set german = {"request": "Antrag", "identity": "Identifikationsrisiko"} %}\n'
        "{% set named = namespace(sections=[]) %}\n"
        "{% for name, heading, everybody in ours.sections %}"
        "{% set named.sections = named.sections + [(name, german.get(name, heading), everybody)] %}{% endfor %}\n"
        '{% set sections = named.sections + [("ethics", "Ethik", true)] %}\n{% set appendix = ours.appendix %}\n'
    )
    (own / "words.html").write_text(
        '{% import "discoreport/words.html" as ours %}{% set words = dict(ours.words, contents="Inhalt",'
        ' empty="Keine Angaben.", labels={"request": {"purpose": "Zweck"}}) %}'
    )
    (own / "sections" / "ethics.html").write_text("<p>Looked at by {{ report.organisation or 'nobody' }}.</p>")
    (own / "look.css").write_text('{% include "discoreport/look.css" %}\n:root { --synthetic: #123456; }\n')
    page = Report(small, templates=own).html
    assert "data:image/svg+xml;base64," in page
    for said in ("Antrag</h2>", "Identifikationsrisiko</h2>", "Inhalt</h2>", "Ethik</h2>", "Looked at by nobody."):
        assert said in page
    assert '<th scope="row">Zweck</th>' in page
    assert "Keine Angaben." in page
    assert "--synthetic: #123456" in page
    assert "Ethik</h2>" in Report(small, edition="external", templates=own).html
    assert "Comparability of the files</h2>" in page


@pytest.mark.slow
def test_the_policy_names_the_folder(small, own, tmp_path):
    (own / "sections" / "uses.html").write_text("<p>For nothing.</p>")
    (tmp_path / "policy.toml").write_text('templates = "own"\n')
    governed = small.with_policy(read_policy(tmp_path / "policy.toml"))
    assert "For nothing." in Report(governed).html
    with pytest.raises(SettingsError, match="There is no template folder"):
        Report(small, templates=tmp_path / "nowhere").html  # noqa: B018  # renders


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("name", "content", "line", "reason"),
    [
        ("sections/uses.html", "<p>\n{% if %}", 2, "Expected an expression"),
        ("sections/uses.html", "<p>\n\n{{ report.nothing }}", 3, "no attribute 'nothing'"),
        ("sections/uses.html", "{{ 1 / 0 }}", 1, "division by zero"),
        ("sections/uses.html", "\n{{ ''.__class__.__mro__ }}", 2, "unsafe"),
        ("sections/uses.html", "{{ report.assessment.save('/tmp/x') }}", 1, ""),
        ("sections/uses.html", "{% include 'nowhere.html' %}", 1, "nowhere.html"),
        ("sections/uses.html", "{% include '../../../../etc/hostname' %}", 1, "etc/hostname"),
        ("sections/uses.html", "{{ range(99999999) | list | length }}", 1, "Range too big"),
        ("sections/uses.html", "{{ 'x' | nofilter }}", 1, "No filter named 'nofilter'"),
        ("contents.html", "{% set sections = 1 %}", None, ""),
    ],
)
def test_a_broken_template_gives_file_line_and_reason(small, own, name, content, line, reason):
    (own / name).write_text(content)
    with pytest.raises(BrokenTemplateError) as raised:
        Report(small, templates=own).html  # noqa: B018  # renders
    said = str(raised.value)
    assert reason in said
    if line is not None:
        assert str(own / name) in said
        assert f"line {line}" in said


def test_a_template_that_is_not_in_utf_8_is_named(small, own):
    (own / "page.html").write_bytes("<p>Straße</p>".encode("latin-1"))
    with pytest.raises(BrokenTemplateError, match=r"page\.html' isn't text in UTF-8"):
        _ = Report(small, templates=own).html


def test_a_template_can_not_write_or_read_files(small, own, tmp_path):
    (tmp_path / "secret.html").write_text("SECRET")
    (own / "sections" / "uses.html").symlink_to(tmp_path / "secret.html")
    with pytest.raises(BrokenTemplateError, match="leads out of"):
        Report(small, templates=own).html  # noqa: B018  # renders


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    "call",
    [
        "report.assessment.summary['DiSCO'].to_csv('OUT')",
        "report.assessment.summary.style.to_html('OUT')",
        "theme.FONT_FOLDER.joinpath('OUT').write_text('x')",
        "theme.Path('OUT').touch()",
        "font('../../../CHANGELOG.md')",
        "report.documentation.parse_file('OUT')",
        "report.documentation.parse_raw('cos\nmkdir\n(S\\'OUT\\'\ntR.'.encode(), proto='pickle', allow_pickle=True)",
    ],
)
def test_a_template_calls_nothing_but_what_words_need(small, own, tmp_path, call):
    (own / "sections" / "uses.html").write_text("{{ " + call.replace("OUT", str(tmp_path / "out")) + " }}")
    with pytest.raises(BrokenTemplateError) as raised:
        Report(small, templates=own).html  # noqa: B018  # renders
    assert "\n" not in str(raised.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_template_may_use_what_jinja_gives(small, own):
    (own / "sections" / "uses.html").write_text(
        "{% macro twice(x) %}{{ x }}{{ caller() }}{% endmacro %}{% call twice('a') %}b{% endcall %}"
        "{% for x in range(2) %}{{ loop.cycle('c', 'd') }}{% endfor %}{{ '{}-{}'.format('e', cycler('f').next()) }}"
        "{{ report.created.strftime('g%%') }}{{ dict(h='h').get('h') }}{{ report.facts('request')[0].label.upper() }}"
    )
    assert "abcde-fg%hPURPOSE" in Report(small, templates=own).html


def test_a_fault_of_our_own_templates_is_not_blamed_on_the_organisation(small, own, monkeypatch):
    monkeypatch.setattr("discoreport.report.internal_edition.InternalEdition.setting_rows", property(lambda _: 1 / 0))
    with pytest.raises(ZeroDivisionError):
        Report(small).html  # noqa: B018  # renders


@pytest.mark.parametrize("picture", ["logo.svg", "logo.png"])
def test_a_logo_that_leads_out_is_refused(small, own, tmp_path, picture):
    (tmp_path / picture).write_text(PICTURE)
    (own / picture).symlink_to(tmp_path / picture)
    with pytest.raises(SettingsError, match="leads out of"):
        Report(small, templates=own).html  # noqa: B018  # renders


HOSTILE_PICTURE = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9">'
    '<script>alert(1)</script><image href="file:///etc/hostname" width="9" height="9"/>'
    '<image xlink:href="https://example.org/x.png" width="9" height="9"/>'
    "<style>@import url(https://example.org/x.css);</style></svg>"
)
HOSTILE = (
    "<script>alert(1)</script><img src=https://example.org/x.png onerror=alert(1)>{{ 7 * 7 }}{% raw %}"
    '"); } body { background: url(https://example.org/) } /* \\22 \\a </style></title>'
)


@pytest.mark.slow
@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("edition", ["internal", "external"])
def test_nothing_that_is_entered_runs_or_is_fetched(small, own, edition):
    (own / "logo.svg").write_text(HOSTILE_PICTURE)
    fields = dict.fromkeys(("id", "title", "version"), HOSTILE)
    said = Documentation.model_validate(
        {
            **fields,
            **{
                section: {
                    field: HOSTILE
                    for field, declared in Documentation.model_fields[section].annotation.model_fields.items()
                    if declared.annotation is str
                }
                for section in (
                    "request",
                    "context",
                    "source",
                    "synthesis",
                    "labelling",
                    "scenario",
                    "uses",
                    "decision",
                )
            },
            "synthesis": {"method": HOSTILE, "seed": "271828"},
            "scenario": {"keys": {"village": HOSTILE}, "rejected": {HOSTILE: HOSTILE}},
            "answers": [{"target": "trade", "level": HOSTILE, "prior_knowledge": True, "reason": HOSTILE}],
            "mitigation": [{"what": HOSTILE}],
            "checklist": [{"item": "keys", "answer": "no", "comment": HOSTILE}],
        }
    )
    policy = small.policy.model_copy(update={"organisation": HOSTILE, "marking": HOSTILE, "external_marking": HOSTILE})
    report = Report(small.with_documentation(said).with_policy(policy), edition=edition, templates=own)
    page = report.html
    assert "<script" not in page
    assert "49" not in re.findall(r"<h1>(.*?)</h1>", page, re.DOTALL)[0]
    assert re.findall(r"<img\b[^>]*>", page) == re.findall(r'<img class="logo" src="data:[^"]*" alt="[^"<>]*">', page)
    style = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert len(style) == 1
    assert "example.org" not in style[0]
    files = contents(report)  # the PDF would stop at an address it may not fetch, or say so aloud
    assert files["report.pdf"].startswith(b"%PDF")
    assert not [name for name in files if ".." in name or "<" in name]


def test_templates_that_may_not_be_read_are_not_taken_for_none(small, tmp_path, close):
    (tmp_path / "words.html").write_text("ours", encoding="utf-8")
    close(tmp_path)
    with pytest.raises(SettingsError, match=r"Can't read the templates in .*: Permission denied"):
        Report(small, templates=tmp_path).html  # noqa: B018
