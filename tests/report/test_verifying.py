"""A bundle holds only as far as something that the reader knows to be right says so."""

import io
import json
import re
import shutil

import numpy as np
import pandas as pd
import pikepdf
import pytest

from discoreport import (
    Report,
    analyse,
    assess,
    examples,
    load,
    mitigate,
    read_documentation,
    read_policy,
    verify,
    write_bundle,
)
from discoreport.cli import main
from discoreport.errors import RecordError
from discoreport.report.verify_mitigation import steps_check
from tests.conftest import STEPS
from tests.engines import Engine, unwarned
from tests.pages import SUMS, contents, sign, with_sums, write_folder
from tests.records import figures
from tests.report.test_bundle import rendered  # noqa: F401  # for this module, too
from tests.report.test_signing import PASSPHRASE, Office, certificate, container

pytestmark = pytest.mark.usefixtures("short_pdf")

POLICY = """organisation = "Statistics Northmoor"
name = "House rules"
[[thresholds]]
measure = "DiSCO"
limit = 5
source = "Manual"
"""
PAGE = "{% extends 'discoreport/page.html' %}"


def found_in(checks):
    return {check.what: check.outcome for check in checks}


def wrong(checks):
    return {what: outcome for what, outcome in found_in(checks).items() if outcome != "holds"}


def forged(bundle, change, **given):
    """Change the record of a bundle as who can write the folder could: all that comes of it is rendered again."""
    path = bundle / "assessment.json"
    record = json.loads(path.read_text())
    change(record)
    path.write_text(json.dumps(record))
    release = load(path)
    shutil.rmtree(bundle)
    return write_bundle(release, bundle, **given)


@pytest.fixture(scope="module")
def made(small, tmp_path_factory):
    return write_bundle(small, tmp_path_factory.mktemp("made") / "bundle")


@pytest.fixture
def bundle(made, tmp_path):
    return shutil.copytree(made, tmp_path / "bundle")


@pytest.fixture
def own(tmp_path):
    """An organisation's policy and templates."""
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "words.css").write_text("p { color: black }")
    (tmp_path / "policy.toml").write_text(POLICY + "\n", encoding="utf-8")
    return tmp_path


def test_an_honest_bundle_holds_and_says_what_only_a_signature_would_protect(made, small_files, capsys):
    files = ["--original", str(small_files[0]), "--synthetic", str(small_files[1])]
    assert main(["verify", str(made), *files]) == 0
    said = capsys.readouterr().out
    assert "not signed: words (decision, sign-offs, names, dates, provenance)" in said
    assert "what was left out (such as an analysis), are protected by a signature only" in said


def test_the_record_stands_for_its_bundle(made, small_files):
    files = {"original": small_files[0], "synthetic": small_files[1]}
    assert verify(made / "assessment.json", **files) == verify(made, **files)
    with pytest.raises(RecordError, match=r"no bundle in '.*SHA256SUMS'"):
        verify(made / "SHA256SUMS", **files)


# Policy and templates ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_policy_holds_where_its_file_is_given_and_says_the_same(small, own, small_files):
    policy = read_policy(own / "policy.toml")
    folder = write_bundle(small.with_policy(policy), own / "bundle")
    files = {"original": small_files[0], "synthetic": [small_files[1]]}
    assert wrong(verify(folder, **files)) == {"policy": "unchecked"}
    assert wrong(verify(folder, **files, policy=own / "policy.toml")) == {}
    (own / "stricter.toml").write_text(POLICY.replace("limit = 5", "limit = 4"))
    checks = verify(folder, **files, policy=own / "stricter.toml")
    assert wrong(checks) == {"policy": "fails"}
    assert any("thresholds" in check.detail for check in checks)
    assert wrong(verify(folder, **files, policy=own / "none.toml")) == {"policy": "unchecked"}
    assert json.loads((folder / "assessment.json").read_text())["policy"]["sha256"] == policy.sha256 != ""


def test_a_threshold_that_was_forged_and_rendered_again_does_not_hold(small, own, small_files):
    folder = write_bundle(small.with_policy(read_policy(own / "policy.toml")), own / "bundle")
    forged(folder, lambda record: record["policy"]["thresholds"][0].update(limit=95))
    files = {"original": small_files[0], "synthetic": [small_files[1]]}
    assert wrong(verify(folder, **files)) == {"policy": "unchecked"}
    assert wrong(verify(folder, **files, policy=own / "policy.toml")) == {"policy": "fails"}


def test_a_checklist_that_was_shortened_is_not_taken_for_ours(bundle):
    forged(bundle, lambda record: record["policy"].update(checklist=record["policy"]["checklist"][:1]))
    assert found_in(verify(bundle))["policy"] == "unchecked"


def test_the_external_edition_is_compared_with_the_policy_too(small, own, small_files):
    folder = write_bundle(small.with_policy(read_policy(own / "policy.toml")), own / "public", edition="external")
    assert wrong(verify(folder, synthetic=[small_files[1]])) == {"policy": "unchecked"}
    assert wrong(verify(folder, synthetic=[small_files[1]], policy=own / "policy.toml")) == {}
    (own / "other.toml").write_text(POLICY.replace("Northmoor", "Elsewhere"))
    assert wrong(verify(folder, synthetic=[small_files[1]], policy=own / "other.toml")) == {"policy": "fails"}


@pytest.mark.slow
@pytest.mark.parametrize("way", ["option", "policy"])
def test_templates_that_the_record_names_itself_prove_nothing(small, own, small_files, way, capsys):
    (own / "own" / "page.html").write_text(PAGE + "{# where it says 0.3 % #}")
    (own / "policy.toml").write_text('templates = "own"\n' + POLICY)
    assessment = small.with_policy(read_policy(own / "policy.toml")) if way == "policy" else small
    folder = write_bundle(assessment, own / "bundle", templates=own / "own" if way == "option" else None)
    files = [
        "--original",
        str(small_files[0]),
        "--synthetic",
        str(small_files[1]),
        "--policy",
        str(own / "policy.toml"),
    ]
    files = files if way == "policy" else files[:-2]
    recorded = json.loads((folder / "assessment.json").read_text())["templates"]
    assert recorded.keys() == {"page.html", "words.css"}
    assert main(["verify", str(folder), *files]) == 6
    said = capsys.readouterr().out
    assert "not checked: templates" in said
    assert "not checked: rendering" in said
    assert main(["verify", str(folder), *files, "--templates", str(own / "own")]) == 0
    capsys.readouterr()
    shutil.copytree(own / "own", own / "right")
    (own / "right" / "page.html").write_text(PAGE)
    assert main(["verify", str(folder), *files, "--templates", str(own / "right")]) == 1
    assert "DOES NOT HOLD: templates: Not those that the report was made with: page.html." in capsys.readouterr().out
    forged(folder, lambda record: record["policy"].update(templates=""), templates=own / "own")
    forged_record = json.loads((folder / "assessment.json").read_text())
    (folder / "assessment.json").write_text(json.dumps({**forged_record, "templates": {}}))
    assert main(["verify", str(folder), *files]) == 1


# What is missing from the record -------------------------------------------------------------------------


def nested(value, path=()):
    """List the places of all lists and of all figures' tables in a record."""
    if isinstance(value, dict):
        for name, one in value.items():
            yield from nested(one, (*path, name))
    elif isinstance(value, list):
        if value:
            yield path
        for number, one in enumerate(value):
            yield from nested(one, (*path, number))


def empty(record, path):
    for name in path[:-1]:
        record = record[name]
    record[path[-1]] = []


def test_whatever_is_taken_out_of_the_record_is_missed(small, small_files, tmp_path):
    record = json.loads(small.record)
    words = {
        "schema_version",
        "documentation",
        "policy",
        "templates",
        "provenance",
        "analyses",
        "settings",
        "synthetic",
    }
    measured = {name: value for name, value in record.items() if name not in words}
    places = [path for path in nested(measured) if not {*path} & {*range(1, 1000)}]  # the first of each kind
    assert {("outcome", "class_sizes"), ("findings",), ("outcome", "two_way"), ("outcome", "results")} <= set(places)
    tried = 0
    for path in places:
        changed = json.loads(small.record)
        empty(changed, path)
        (tmp_path / "changed.json").write_text(json.dumps(changed))
        try:
            release = load(tmp_path / "changed.json")
        except ValueError:
            continue
        (check,) = figures(release, small_files[0], [small_files[1]], Engine(), earlier=False)
        assert check.outcome == "fails", path
        tried += 1
    assert tried >= 3


@pytest.mark.slow
def test_an_earlier_record_without_sizes_of_keys_is_said_not_to_be_checked(bundle, small_files):
    path = bundle / "assessment.json"
    record = json.loads(path.read_text())
    record["outcome"]["class_sizes"] = []
    path.write_text(json.dumps({**record, "schema_version": 2}))
    checks = verify(bundle, original=small_files[0], synthetic=[small_files[1]])
    assert found_in(checks)["figures"] == "unchecked"


@pytest.mark.slow
def test_a_forged_name_of_a_file_is_noticed(bundle, small_files):
    forged(bundle, lambda record: record["synthetic"][0].update(name="approved_by_the_board.csv"))
    checks = verify(bundle, original=small_files[0], synthetic=[small_files[1]])
    assert wrong(checks) == {"synthetic file 1": "unchecked"}


def test_what_cannot_be_read_is_not_checked(bundle, small_files, tmp_path):
    (tmp_path / "broken.csv").write_text('a,b\n"')
    (tmp_path / "empty.csv").write_text("")
    for given in ("none.csv", "broken.csv", "empty.csv"):
        found = found_in(verify(bundle, original=tmp_path / given, synthetic=[small_files[1]]))
        assert found["figures"] == "unchecked"
    assert found_in(verify(bundle, original=tmp_path / "none.csv"))["original file"] == "unchecked"
    assert found_in(verify(bundle, policy=tmp_path / "empty.csv" / "x"))["policy"] == "unchecked"


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_the_engine_of_the_record_counts_again(small_files, tmp_path, engine):
    assessment = assess(*small_files, keys=["village"], engine=engine)
    folder = write_folder(tmp_path / "bundle", contents(Report(assessment), pdf=False))
    found = found_in(verify(folder, original=small_files[0], synthetic=[small_files[1]]))
    assert found["figures"] == "holds"


def test_of_files_that_tie_any_may_be_named_and_no_other(tmp_path):
    random = np.random.default_rng(2)
    files = [pd.DataFrame({"a": random.integers(0, 9, 60), "t": random.integers(0, 3, 60)}) for _ in range(3)]
    with unwarned():
        assessment = assess(files[0], files[1:], keys=["a"])
    folder = write_folder(tmp_path / "bundle", contents(Report(assessment), pdf=False))

    def name_the_other(record, measure):
        (figure,) = [one for one in record["analyses"]["pooled"]["figures"] if one["measure"] == measure]
        figure["file"] = 3 - figure["file"]

    forged(folder, lambda record: name_the_other(record, "CAPd"))
    assert found_in(verify(folder, original=files[0], synthetic=files[1:]))["analysis pooled"] == "holds"
    with pytest.raises(RecordError, match=r"pooled don't fit the rest"):
        forged(folder, lambda record: name_the_other(record, "CAPs"))


# The PDF -------------------------------------------------------------------------------------------------


def other_bytes(pdf, change=lambda file: None):
    """Write a PDF anew, as other libraries would, with or without a change."""
    written = io.BytesIO()
    with pikepdf.open(io.BytesIO(pdf)) as file:
        change(file)
        file.save(written, object_stream_mode=pikepdf.ObjectStreamMode.disable, recompress_flate=True)
    return written.getvalue()


def put_pdf(bundle, pdf):
    (bundle / "report.pdf").write_bytes(pdf)
    files = {path.relative_to(bundle).as_posix(): path.read_bytes() for path in bundle.rglob("*") if path.is_file()}
    (bundle / SUMS).write_bytes(with_sums({name: files[name] for name in files if name != SUMS})[SUMS])


def change_text(file):
    page = file.pages[0]
    page.Contents = file.make_stream(b"q Q")


def change_attachment(file):
    file.attachments["assessment.json"] = pikepdf.AttachedFileSpec(file, b"{}", filename="assessment.json")


def drop_attachment(file):
    del file.attachments["assessment.json"]


def test_a_pdf_drawn_otherwise_that_says_the_same_is_not_said_to_be_wrong(bundle):
    put_pdf(bundle, other_bytes((bundle / "report.pdf").read_bytes()))
    (check,) = [check for check in verify(bundle) if check.what == "rendering"]
    assert check.outcome == "unchecked"
    assert "text and attachments of the PDF" in check.detail


@pytest.mark.parametrize("change", [change_text, change_attachment, drop_attachment])
def test_a_pdf_that_says_something_else_does_not_hold_whatever_its_fonts(bundle, change):
    put_pdf(bundle, other_bytes((bundle / "report.pdf").read_bytes(), change))
    assert found_in(verify(bundle))["rendering"] == "fails"


@pytest.mark.parametrize("content", [b"garbage", b"", b"%PDF-1.7\n%%EOF\n"])
def test_a_pdf_of_garbage_does_not_hold(bundle, content):
    put_pdf(bundle, content)
    assert found_in(verify(bundle))["rendering"] == "fails"


# Signatures ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def office(tmp_path_factory):
    from cryptography.hazmat.primitives.asymmetric import ec

    return Office(ec.generate_private_key(ec.SECP256R1()), tmp_path_factory.mktemp("office"))


def signed(bundle, path):
    put_pdf(bundle, sign((bundle / "report.pdf").read_bytes(), path, PASSPHRASE))
    return bundle


@pytest.mark.slow
def test_a_signer_counts_only_where_somebody_known_vouches(bundle, office, small_files):
    files = {"original": small_files[0], "synthetic": [small_files[1]]}
    signed(bundle, office.issue())
    assert wrong(verify(bundle, **files)) == {"signature": "unchecked"}
    checks = verify(bundle, **files, authorities=office.known)
    assert wrong(checks) == {}
    (signature,) = [check for check in checks if check.what == "signature"]
    assert re.search(r"Signed by .* \(certificate SHA-256 [0-9a-f]{64}\)", signature.detail)
    assert not any("not signed" in check.detail for check in checks)


@pytest.mark.slow
def test_a_certificate_that_somebody_made_in_an_officers_name_does_not_hold(bundle, office, tmp_path, capsys):
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    signed(bundle, container(tmp_path / "self.p12", key, certificate(key)))
    assert found_in(verify(bundle, authorities=office.known))["signature"] == "fails"
    assert main(["verify", str(bundle), "--authorities", str(office.known)]) == 1
    assert "doesn't vouch" in capsys.readouterr().out


def test_a_stripped_signature_does_not_hold_where_one_is_expected(bundle, office):
    checks = verify(bundle, authorities=office.known)
    assert found_in(checks)["signature"] == "fails"
    assert found_in(verify(bundle, authorities=bundle / "none.pem"))["signature"] == "fails"


@pytest.mark.slow
def test_an_update_that_is_signed_again_does_not_hold_where_fonts_differ(bundle, office, monkeypatch):
    from pyhanko.pdf_utils.generic import StreamObject
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter

    pdf = IncrementalPdfFileWriter(io.BytesIO(other_bytes((bundle / "report.pdf").read_bytes())))
    page = pdf.root["/Pages"]["/Kids"][0]
    page["/Contents"] = pdf.add_object(StreamObject(stream_data=b"0 0 300 300 re f"))
    pdf.update_container(page)
    changed = io.BytesIO()
    pdf.write(changed)
    (bundle / "report.pdf").write_bytes(changed.getvalue())
    signed(bundle, office.issue())
    assert found_in(verify(bundle, authorities=office.known))["signature"] == "fails"


# Words, and what was left out ----------------------------------------------------------------------------

FORGINGS = {
    "decision": lambda record: record["documentation"]["decision"].update(decision="reject"),
    "sign-offs": lambda record: record["documentation"]["decision"].update(
        sign_offs=[{"role": "custodian", "name": "B. Officer"}]
    ),
    "provenance": lambda record: record["provenance"].update(created="2020-01-01T00:00:00Z"),
}


@pytest.mark.slow
@pytest.mark.parametrize("forging", FORGINGS)
def test_words_hold_only_where_the_report_is_signed(forging, bundle, office, small_files):
    files = {"original": small_files[0], "synthetic": [small_files[1]]}
    pdf = (signed(bundle, office.issue()) / "report.pdf").read_bytes()
    forged(bundle, FORGINGS[forging])
    checks = verify(bundle, **files)
    assert wrong(checks) == {}
    assert [check.what for check in checks if "protected by a signature only" in check.detail] == ["fingerprints"]
    assert wrong(verify(bundle, **files, authorities=office.known)) == {"signature": "fails"}
    put_pdf(bundle, pdf)
    assert wrong(verify(bundle, **files, authorities=office.known))["rendering"] == "fails"


@pytest.mark.slow
def test_an_analysis_that_was_taken_out_is_missed_by_a_signature_only(small, small_files, tmp_path):
    release = analyse(small, *small_files, {"four_checks": {}})
    folder = write_folder(tmp_path / "bundle", contents(Report(release), pdf=False))
    files = {"original": small_files[0], "synthetic": [small_files[1]]}
    assert found_in(verify(folder, **files))["analysis four_checks"] == "holds"
    record = json.loads((folder / "assessment.json").read_text())
    record["analyses"]["four_checks"] = None
    (folder / "assessment.json").write_text(json.dumps(record))
    forged_release = load(folder / "assessment.json")
    shutil.rmtree(folder)
    checks = verify(write_folder(folder, contents(Report(forged_release), pdf=False)), **files)
    assert wrong(checks) == {"PDF": "unchecked"}
    (said,) = [check.detail for check in checks if check.what == "fingerprints"]
    assert "what was left out (such as an analysis), are protected by a signature only" in said


# Names that would steer the screen -----------------------------------------------------------------------


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize("steering", ["\x1b[2K", "\u202e", "\x9b1m", "\nholds: figures: all", "\r", "\x07", "\u2066"])
@pytest.mark.usefixtures("quick")
def test_names_do_not_steer_the_screen_or_the_summary(tmp_path, capsys, steering):
    name = f"inc{steering}ome"
    frame = pd.DataFrame({"age": [30, 31, 41, 41] * 5, name: ["a", "b", "c", "c"] * 5})
    paths = [tmp_path / f"{side}{'' if steering.startswith(chr(10)) else steering}.parquet" for side in ("o", "s")]
    for path in paths:
        frame.to_parquet(path)
    out = tmp_path / "out"
    assert main(["assess", *map(str, paths), "--key", "age", "--out", str(out)]) == 0
    assert main(["assess", *map(str, paths), "--key", "age", "--out", str(out), "--json"]) == 0
    main(["verify", str(out), "--original", str(paths[0]), "--synthetic", str(paths[1])])
    assert main(["assess", *map(str, paths), "--key", f"no{steering}ne", "--out", str(out)]) == 5
    said = capsys.readouterr()
    for text in (said.out, said.err, (out / "summary.txt").read_text(encoding="utf-8")):
        plain = text.replace("\n", "")
        assert not any(sign in plain for sign in "\x1b\u202e\x9b\r\x07\u2066")
    for text in (said.out, (out / "summary.txt").read_text(encoding="utf-8")):
        assert not any(line.startswith("holds: figures: all") for line in text.splitlines())
    assert "inc" in said.out


def test_the_example_with_its_policy_holds(tmp_path):
    said = read_documentation(examples.FOLDER / "documentation.toml")
    files = examples.path("original"), examples.path("synthetic_1")
    policy = examples.FOLDER / "policy.toml"
    assessment = assess(*files, **examples.SETTINGS).with_policy(read_policy(policy)).with_documentation(said)
    folder = write_bundle(assessment, tmp_path / "bundle")
    assert wrong(verify(folder, original=files[0], synthetic=[files[1]], policy=policy)) == {}
    assert wrong(verify(folder, original=files[0], synthetic=[files[1]])) == {"policy": "unchecked"}


@pytest.mark.slow
def test_a_folder_that_may_not_be_looked_into_is_not_passed_over(bundle, close):
    (bundle / "private").mkdir()
    close(bundle / "private")
    with pytest.raises(RecordError, match=r"Can't read .*: Permission denied"):
        verify(bundle)


@pytest.fixture(scope="module", params=["csv.gz", "parquet"])
def mitigated(request, small, small_files, tmp_path_factory):
    """Files before and after two steps, and the bundle of the assessment of the latter."""
    folder = tmp_path_factory.mktemp("mitigated")
    released = folder / f"released.{request.param}"
    with unwarned():
        done = mitigate(*small_files, small.settings, [*STEPS, {"step": "add variable", "name": "made", "value": "up"}])
    done.write(released)
    with unwarned():
        assessment = assess(small_files[0], released, keys=["village"], two_way_threshold=(1, 50))
    return assessment.with_analysis(done.mitigation.with_result(released)), released


def steps_again(assessment, released, original, before):
    found = assessment.analyses.mitigation
    return found_in(steps_check(found, original, before, released)), found


def test_steps_are_done_again_and_give_the_file_and_its_figures(mitigated, small_files):
    assessment, released = mitigated
    outcomes, _ = steps_again(assessment, released, *small_files)
    assert outcomes == {"steps": "holds", "file after the steps": "holds"}


def test_steps_or_figures_that_were_forged_do_not_hold(mitigated, small_files):
    assessment, released = mitigated
    found = assessment.analyses.mitigation
    fewer = found.model_copy(update={"steps": found.steps[1:]})
    checks = found_in(steps_check(fewer, *small_files, released))
    assert checks["file after the steps"] == "fails"
    first, *others = found.figures
    better = found.model_copy(update={"figures": (first.model_copy(update={"after": 1.5}), *others)})
    assert found_in(steps_check(better, *small_files, released))["steps"] == "fails"


def test_another_file_before_the_steps_does_not_hold_and_none_is_not_checked(mitigated, small_files, tmp_path):
    assessment, released = mitigated
    other = tmp_path / "other.csv"
    other.write_bytes(small_files[1].read_bytes() + b"Achterbach,Farmer\n")
    assert steps_again(assessment, released, small_files[0], other)[0] == {"steps": "fails"}
    assert steps_again(assessment, released, small_files[0], None)[0] == {"steps": "unchecked"}


def test_a_file_with_other_bytes_that_holds_the_same_values_is_the_file_of_the_steps(mitigated, small_files):
    assessment, released = mitigated
    found = assessment.analyses.mitigation
    rewritten = found.model_copy(update={"result": found.result.model_copy(update={"sha256": "0" * 64})})
    assert found_in(steps_check(rewritten, *small_files, released))["file after the steps"] == "holds"
    assert found_in(steps_check(rewritten, *small_files, None))["file after the steps"] == "unchecked"


@pytest.mark.slow
@pytest.mark.fast_cases(1)
@pytest.mark.usefixtures("quick")
def test_a_bundle_of_a_mitigated_file_holds_where_the_file_before_is_named(mitigated, small_files, tmp_path, capsys):
    assessment, released = mitigated
    folder = write_bundle(assessment, tmp_path / "bundle")
    given = ["verify", str(folder), "--original", str(small_files[0]), "--synthetic", str(released)]
    assert main(given) == 6
    assert "--before FILE" in capsys.readouterr().out
    assert main([*given, "--before", str(small_files[1])]) == 0
