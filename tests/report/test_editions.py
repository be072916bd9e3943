"""The external edition gives nothing away: every artefact is searched for what must stay inside."""

import io
import re
import warnings
from datetime import UTC, datetime

import numpy as np
import pandas as pd
import pikepdf
import pypdf
import pytest

from discoreport import ComparisonWarning, Documentation, Report, analyse, assess, user_note
from discoreport.assessment.analyses import ANALYSES
from discoreport.assessment.analyses.utility.counting import _of_common
from discoreport.charts import CHARTS
from discoreport.errors import SettingsError
from discoreport.report.external_edition import ExternalEdition
from tests.counting import cell_sums
from tests.engines import unwarned
from tests.pages import _banded, contents, example, fill, internal_tables, public, public_record, words_in
from tests.records import TableUtility
from tests.wording import in_short, number, percentage, points

SEED = "314159"


def text_of(name, content):
    """All that a file says: of a PDF its text, its metadata, its tags and what is attached."""
    if not name.endswith(".pdf"):
        plain = re.sub(r"(?<=base64,)[\w+/=]+", "", content.decode("utf-8"))  # fonts
        return re.sub(r"(?<=line-height: )[\d.]+", "", plain)
    said = [page.extract_text() for page in pypdf.PdfReader(io.BytesIO(content)).pages]
    with pikepdf.open(io.BytesIO(content)) as file:
        said += [str(value) for value in file.docinfo.values()]
        said.append(file.Root.Metadata.read_bytes().decode("utf-8"))
        said += [str(item.get("/Alt", "")) for item in file.objects if isinstance(item, pikepdf.Dictionary)]
        said += [one.get_file().read_bytes().decode("utf-8") for one in file.attachments.values()]
    return "\n".join(said)


def must_stay_inside(assessment):
    """List every text that the external edition may not hold: values, figures, counts, exclusions, the seed."""
    outcomes = [assessment.outcome, assessment.outcome_without_exclusions or assessment.outcome]
    results = [result for outcome in outcomes for result in (*outcome.identity, *outcome.results)]
    figures = {percentage(value) for result in results for value in result.values.values() if value is not None}
    figures |= of_analyses(assessment)
    figures -= {percentage(value) for value in example().values.values() if value is not None}
    counts = {number(size.n_records) for size in assessment.outcome.class_sizes if size.n_records > 9}
    return {
        *figures - {"0.0", "100.0"},
        *counts,
        number(assessment.original.n_records),
        assessment.original.sha256,
        *(rule.reason for rule in assessment.settings.exclude if rule.reason),
        SEED,
    }


def of_analyses(assessment):
    """List the figures of all analyses as tables, charts and texts write them."""
    tables = {**internal_tables(assessment), **{name: chart.table(assessment) for name, chart in CHARTS.items()}}
    tables["membership"] = assessment.analyses.membership.table  # its curves have figures at any base rate
    shown = [
        tables[name]
        for name in (
            *ANALYSES,
            "utility_declared",
            "key_sets",
            "release_size_draws",
            "release_results",
            "mitigation_loss",
        )
        if name in tables
    ]
    numbers = [
        value
        for table in shown
        for column in table.select_dtypes("float")
        if column != "df"  # a few cells less one: a number that any page has
        for value in table[column].dropna()
    ]
    return {form(value) for value in numbers for form in (percentage, points)}


def leaks(files, forbidden):
    """Find what a file says although it must not, as whole words."""
    texts = {name: text_of(name, content) for name, content in files.items()}
    return {
        (name, secret)
        for name, text in texts.items()
        for secret in forbidden
        if re.search(rf"(?<![\w.,]){re.escape(secret)}(?![\w]|[.,]\d)", text)
    }


CONTROL = pd.DataFrame({"village": ["Achterbach"] * 9 + ["Zwischenau"], "trade": ["Beekeeper"] * 10})
STEPS = [{"step": "merge levels", "variable": "village", "fewer_than": 9}, {"step": "remove replicated uniques"}]
WITH_EXCLUSION = {
    "control": {"control": CONTROL},
    "membership": {"control": CONTROL, "differing": 0, "base_rate": 0.5},
    "groups": {"by": ["village", "trade"], "smallest": 2},
    "release_size": {"sizes": [48], "draws": 2},  # none of whose figures reads like a line height or a PDF version
    "releases": {"releases": {"Release R2": CONTROL}},
    "mitigation": {"steps": STEPS},
    "trade_off": {"steps": STEPS},
    "utility": {"declared": ["share of trade = Farmer by village", "count of trade by village"]},
}


@pytest.fixture(scope="module")
def with_exclusion(small_files):
    """The small files with an exclusion, a flag that is left, every analysis, and all that is for the inside only."""
    rule = {"target": "trade", "level": "Farmer", "reason": "the valley has nothing but farms", "by": "C. Hecker"}
    assessment = assess(*small_files, keys=["village"], two_way_threshold=(1, 50), exclude=[rule])
    assert assessment.outcome.flags
    midnight = datetime(2026, 1, 1, tzinfo=UTC)  # so that no hour or minute reads like a count
    provenance = assessment.provenance.model_copy(update={"created": midnight})
    assessment = assessment.model_copy(update={"provenance": provenance})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ComparisonWarning)  # the other release is another file indeed
        for name, analysis in ANALYSES.items():
            run = analysis.run(small_files[0], small_files[1:], assessment.settings, WITH_EXCLUSION.get(name))
            assessment = assessment.with_analysis(run)
    return assessment.with_documentation(
        Documentation.model_validate(
            {
                "title": "A small release",
                "request": {"purpose": "Teaching"},
                "synthesis": {"method": "by hand", "seed": SEED},
                "context": {"recipients": "Recipient Q", "other_data": "Register R"},
                "scenario": {"intruder": "Neighbour N", "keys": {"village": "anybody sees it"}},
                "mitigation": [{"what": "Rare trades merged", "n_records": 4711}],
                "checklist": [{"item": "keys", "answer": "yes", "comment": "Comment K"}],
                "decision": {
                    "decision": "approve",
                    "sign_offs": [{"name": "Signer S", "decision": "approve", "comment": "Comment L"}],
                },
                "after_release": {"contact": "Desk D"},
            }
        )
    )


RARE = {"Achterbach", "Zwischenau", "Hamlet000", "Farmer", "Glassblower", "Beekeeper", "Farrier"}
INSIDE = {
    "Recipient Q", "Register R", "Neighbour N", "anybody sees it", "4711", "4,711", "Comment K", "Signer S",
    "Comment L", "Desk D", "C. Hecker", "original.csv", "Release R2", "this release", "trade_off",
    *(analysis.title for name, analysis in ANALYSES.items() if name != "utility"),  # which has a page outside, too
    *(analysis.question for analysis in ANALYSES.values()),
}  # fmt: skip


def test_no_file_of_the_external_edition_leaks(with_exclusion):
    files = contents(Report(with_exclusion, edition="external"))
    forbidden = must_stay_inside(with_exclusion) | RARE | INSIDE
    assert len(forbidden) > 60
    assert len(of_analyses(with_exclusion) - {"0.0", "100.0"}) > 30
    assert {"report.pdf", "report.html", "release.json", "summary.txt", "tables/variables.csv"} <= set(files)
    assert not any(name.startswith("figures/") for name in files)
    assert leaks(files, forbidden) == set()
    assert "assessment.json" not in files


@pytest.mark.slow
def test_the_search_finds_what_the_internal_edition_says(with_exclusion):
    """The search can fail: in the internal edition it finds nearly all of it."""
    report = Report(with_exclusion)
    files = {"report.html": report.html.encode(), "assessment.json": report.record, "report.pdf": report.pdf}
    found = {secret for _, secret in leaks(files, must_stay_inside(with_exclusion) | RARE | INSIDE)}
    assert {"Farmer", "314159", "4711", "Signer S", "original.csv", "C. Hecker"} <= found
    assert {secret for name, secret in leaks(files, {"Signer S"}) if name == "report.pdf"}


def test_a_deliberate_leak_is_found(with_exclusion, monkeypatch):
    forbidden = must_stay_inside(with_exclusion) | RARE
    leaky = {**public_record.SHOWN_FINDINGS, "levels_only_in_original": "Hamlet000 doesn't occur."}
    monkeypatch.setattr(public_record, "SHOWN_FINDINGS", leaky)
    report = Report(with_exclusion, edition="external")
    files = {"report.html": report.html.encode(), "report.pdf": report.pdf, "release.json": report.record}
    assert leaks(files, forbidden) == {(name, "Hamlet000") for name in files}


@pytest.mark.slow
@pytest.mark.parametrize("place", ["summary", "page"])
def test_a_deliberate_leak_of_an_analysis_is_found(with_exclusion, monkeypatch, tmp_path, place):
    shares = [percentage(one.excess) for one in with_exclusion.analyses.control.largest()]
    report = Report(with_exclusion, edition="external")
    if place == "summary":
        lines = "\n".join(in_short(with_exclusion))
        monkeypatch.setattr("discoreport.report.report.summary", lambda *_: lines)
    else:
        (tmp_path / "external").mkdir()
        (tmp_path / "external" / "synthesis.html").write_text(f"<p>The release adds {shares[0]} points.</p>")
        with pytest.raises(SettingsError, match="the page of these templates holds a measured figure"):
            _ = Report(with_exclusion, edition="external", templates=tmp_path).html
        monkeypatch.setattr("discoreport.report.report.require_discreet", lambda *_: None)
        report = Report(with_exclusion, edition="external", templates=tmp_path)
    files = {"summary.txt": report.summary.encode(), "report.html": report.html.encode()}
    found = leaks(files, must_stay_inside(with_exclusion))
    assert found
    assert {name for name, _ in found} == {"summary.txt" if place == "summary" else "report.html"}


@pytest.mark.fast_cases(5)
@pytest.mark.parametrize(
    ("words", "kind"),
    [
        ({"request": {"purpose": f"made with {SEED}"}}, "request.purpose holds the seed"),
        ({"decision": {"conditions": "only {DiSCO} % are given away"}}, "decision.conditions holds a measured figure"),
        ({"title": "Where Farmer is frequent"}, "title holds a level"),
        ({"mitigation": [{"what": "Farmer was merged"}]}, "mitigation.0.what holds a level"),
        ({"title": "Where every farmer is known"}, "title holds a level"),
        ({"title": "Farms,Farmer"}, "title holds a level"),
        ({"request": {"purpose": f"seed_{SEED}"}}, "request.purpose holds the seed"),
        ({"request": {"purpose": f"Seed{SEED}"}}, "request.purpose holds the seed"),
        ({"request": {"purpose": "approx.{DiSCO} per cent"}}, "request.purpose holds a measured figure"),
        ({"request": {"purpose": "{DiSCO}\n%"}}, "request.purpose holds a measured figure"),
        ({"request": {"purpose": "{COMMA} %"}}, "request.purpose holds a measured figure"),
        ({"request": {"purpose": "the release adds {EXCESS} percentage points"}}, "request.purpose holds a measured"),
        ({"decision": {"conditions": "{AFTER} % after the steps"}}, "decision.conditions holds a measured figure"),
        ({"request": {"purpose": "{EXACT} % of them"}}, "request.purpose holds a measured figure"),
        ({"request": {"purpose": "fewer than < {DiSCO} %"}}, "request.purpose holds a measured figure"),
        ({"request": {"purpose": "DiSCO is {WHOLE} %"}}, "request.purpose holds a measured figure"),
        ({"title": "What is known of Zwischenau"}, "title holds a level"),
    ],
)
def test_words_that_would_leak_are_refused(with_exclusion, words, kind):
    figure = percentage(with_exclusion.value("DiSCO", "trade"))
    found = with_exclusion.analyses
    excess = percentage(found.control.largest()[0].excess)
    after = percentage(next(one.after for one in found.mitigation.figures if one.measure == "CAPd"))
    filled = {
        name: {
            field: text.replace("{DiSCO}", figure)
            .replace("{COMMA}", figure.replace(".", ","))
            .replace("{EXACT}", f"{with_exclusion.value('DiSCO', 'trade'):.3f}")
            .replace("{WHOLE}", f"{with_exclusion.value('DiSCO', 'trade'):.0f}")
            .replace("{EXCESS}", excess)
            .replace("{AFTER}", after)
            for field, text in value.items()
        }
        if isinstance(value, dict)
        else value
        for name, value in words.items()
    }
    said = Documentation.model_validate({**filled, "synthesis": {"seed": SEED}})
    with pytest.raises(SettingsError, match=re.escape(kind)):
        Report(with_exclusion.with_documentation(said), edition="external")


def test_a_whole_number_that_is_no_figure_is_for_everybody(with_exclusion):
    whole = f"{with_exclusion.value('DiSCO', 'trade'):.0f}"
    said = with_exclusion.documentation.model_copy(update={"title": f"A sample of {whole} %"})
    assert whole in Report(with_exclusion.with_documentation(said), edition="external").html


def test_a_level_of_a_fully_exposed_group_is_refused(small, small_files):
    options = {"by": ["village"], "smallest": 1}
    run = ANALYSES["groups"].run(small_files[0], small_files[1:], small.settings, options)
    said = small.documentation.model_copy(update={"title": "All about Hamlet003"})
    Report(small.with_documentation(said), edition="external")  # which no flag has
    with pytest.raises(SettingsError, match="title holds a level of a flag, of an exclusion or of a group"):
        Report(small.with_analysis(run).with_documentation(said), edition="external")


def test_a_file_whose_name_tells_the_seed_is_refused(small, small_files, tmp_path):
    named = tmp_path / f"synthetic_{SEED}.csv"
    named.write_bytes(small_files[1].read_bytes())
    assessment = assess(small_files[0], named, keys=["village"]).with_documentation(small.documentation)
    with pytest.raises(SettingsError, match="the name of synthetic file 1 holds the seed"):
        Report(assessment, edition="external")


def test_the_label_of_a_flagged_code_is_refused(with_exclusion):
    variables = [
        one.model_copy(update={"value_labels": {"Glassblower": "maker of glass"}}) for one in with_exclusion.variables
    ]
    labelled = with_exclusion.model_copy(update={"variables": tuple(variables)})
    said = Documentation.model_validate({"title": "Every maker of glass"})
    with pytest.raises(SettingsError, match="title holds a level"):
        Report(labelled.with_documentation(said), edition="external")


@pytest.mark.parametrize(("level", "seed"), [("yes", "2026"), ("purpose", "1"), ("approve", "11")])
def test_what_people_choose_from_a_list_is_no_leak(small_files, tmp_path, level, seed):
    paths = [tmp_path / path.name for path in small_files]
    for path, new in zip(small_files, paths, strict=True):
        new.write_text(path.read_text().replace("Farmer", level))
    assessment = assess(*paths, keys=["village"], two_way_threshold=(1, 50))
    said = {
        "version": "1",
        "request": {"purpose": "Teaching"},
        "labelling": {"note": "yes"},
        "synthesis": {"seed": seed},
        "decision": {"decision": "approve", "date": "2026-11-20"},
    }
    assert any(level in flag.case for flag in assessment.outcome.flags)
    Report(assessment.with_documentation(Documentation.model_validate(said)), edition="external")


def test_sections_without_content_vanish_outside_and_say_so_inside(small):
    inside, outside = Report(small).html, Report(small, edition="external").html
    (line,) = re.findall("No section, as nothing was entered or found: (.*)</p>", inside)
    assert re.sub("<[^>]+>", "", line).split(", ") == [
        "Changes and their price",
        "Release context",
        "Labelling",
        "Limits of the data",
        "After release",
    ]
    assert "No section, as" not in outside
    assert 'id="labelling"' in inside
    assert 'id="labelling"' not in outside
    for section in ("scenario", "criteria", "identity", "attribute", "checks", "exclusions", "checklist"):
        assert f'id="{section}"' in inside
        assert f'id="{section}"' not in outside
    assert "Approve" in outside
    assert "Only for teaching." in outside


def test_a_small_synthetic_file_has_no_count_outside(small_files, tmp_path):
    few = tmp_path / "few.csv"
    few.write_text("\n".join(small_files[1].read_text().splitlines()[:8]) + "\n")
    assessment = assess(small_files[0], few, keys=["village"])
    assert Report(assessment, edition="external").shown.synthetic[0].n_records is None
    assert ">few<" in Report(assessment, edition="external").html


def test_there_is_no_third_edition(small):
    with pytest.raises(SettingsError, match="Did you mean 'external'"):
        Report(small, edition="externl")


def page_one(assessment):
    page = fill("external/brief.html", ExternalEdition(public(assessment)))
    return " ".join(" ".join(words_in(page)).split())


def test_everybody_is_told_what_the_file_is_and_is_not_in_the_words_that_were_entered(documented):
    said = page_one(documented)
    for expected in (
        "What this file is, and what it is not", "5,000 of them", "Learning to handle the data",
        "Sequential classification", "“Northmoor household survey 2025”",
        "tell Statistics Northmoor, household surveys",
    ):  # fmt: skip
        assert expected in said
    assert not re.search(r"safe|anonym|no risk|\bNone\b|\(\)|\.\.", said)


def test_everybody_is_told_what_the_file_is_and_is_not_where_nobody_has_written_anything(survey):
    said = page_one(survey)
    for expected in (
        "which had learned from",
        "serve to learn, to teach",
        "decisions about anybody",
        "whoever gave it to you",
    ):
        assert expected in said
    assert not re.search(r"safe|anonym|no risk|\bNone\b|\(\)|\.\.| \.| ,", said)


def test_the_external_glossary_has_the_measures_that_are_named_and_no_others(survey):
    assert ExternalEdition(public(survey)).glossary == ()
    named = Documentation.model_validate({"uses": {"unsuitable": "Whoever wants DiSCO or this figure asks us"}})
    groups = ExternalEdition(public(survey.with_documentation(named))).glossary
    assert [(group, [one.name for one in measures]) for group, measures in groups] == [("attribute", ["DiSCO"])]


def test_the_external_edition_explains_the_words_it_uses_and_says_how_it_is_checked(with_exclusion):
    page = Report(with_exclusion, edition="external").html
    for term in ("intruder", "record", "fingerprint (SHA-256)", "mitigation"):
        assert f"<dt>{term}</dt>" in page
    assert "<dt>privacy budget" not in page
    assert "discoreport verify bundle --synthetic synthetic.csv" in page


# Utility outside --------------------------------------------------------------------------------------


def test_utility_is_told_outside_in_bands_and_by_the_names_of_variables_alone(with_exclusion):
    record = public(with_exclusion)
    assert {one.variables for one in record.utility.variables} == {("trade",), ("village",)}
    assert [one.variables for one in record.utility.pairs] == [("trade", "village")]
    files = contents(Report(with_exclusion, edition="external"))
    assert {"tables/utility.csv", "tables/utility_declared.csv"} <= {*files}
    assert [one.what for one in record.utility.declared] == [
        "share of a level of trade by village",
        "count of trade by village",
    ]
    text = " ".join(words_in(files["report.html"].decode()))
    assert "What is reproduced, and how closely." in text
    assert "2406.16826" not in text.partition("What is reproduced")[2][:400]
    assert "arXiv:2109.12717" in text
    nothing = with_exclusion.model_copy(
        update={"analyses": with_exclusion.analyses.model_copy(update={"utility": None})}
    )
    assert public(nothing).utility is None
    assert "What is reproduced" not in Report(nothing, edition="external").html


def banded(d, s, n_d=5000, n_s=4000, limit=10):
    """Give the band of a variable with two levels, one of which d original and s synthetic records have."""
    original, synthetic = np.array([d, n_d - d]), np.array([s, n_s - s])
    table = TableUtility(
        synthesis=1, variables=("a",), **vars(cell_sums(original, synthetic)), common=_of_common(original, synthetic)
    )
    (found,) = _banded([table], limit <= 10)
    return found.band


def test_no_small_count_comes_back_from_a_band():
    """Whoever has the synthetic file, and so s, looks for the d that give the band that is told."""
    for s in (0, 3, 12, 40, 400):
        bands = {d: banded(d, s) for d in range(5000 - 1)}
        if s < 10:
            assert set(bands.values()) == {"not told"}
        assert {bands[d] for d in range(10)} == {"not told"}
        for d in range(10, 4990, 499):
            if bands[d] != "not told":
                assert sum(band == bands[d] for band in bands.values()) >= 10
    assert banded(1250, 1000, limit=25) == "not told"
    assert (banded(1250, 1000), banded(1250, 1070), banded(1250, 1300)) == ("below 3", "3 to 10", "above 10")


def test_a_policy_with_a_larger_limit_has_no_band_told(with_exclusion):
    policy = with_exclusion.policy.model_copy(update={"small_cell_limit": 20})
    found = public(with_exclusion.model_copy(update={"policy": policy})).utility
    assert {one.band for one in (*found.variables, *found.pairs)} == {"not told"}


def test_the_note_for_users_takes_its_limits_from_utility():
    random = np.random.default_rng(1)
    original = pd.DataFrame({"sex": random.choice(["f", "m"], 2000), "work": random.choice(["y", "n"], 2000)})
    synthetic = original.assign(work=np.where(original["sex"] == "f", "y", "n"))
    with unwarned():
        assessment = analyse(assess(original, synthetic, keys=["sex"]), original, synthetic, {"utility": {}})
    note = user_note(assessment)
    assert "What it reproduces less closely" in note
    assert "- sex with work: S_pMSE above 10" in note
    assert "- sex: S_pMSE" not in note
    assert f"{assessment.analyses.utility.worst(2)[0].S_pMSE:.1f}" not in note
