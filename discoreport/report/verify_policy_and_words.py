"""What no file of data anchors: policy, templates and words, compared with what the reader knows to be right."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from discoreport.assessment.assessment import Assessment
from discoreport.assessment.release.policy import Policy, PolicyGiven, default_policy, policy_given
from discoreport.assessment.release.public_record import PublicRecord, policy_name
from discoreport.errors import DataError, DiscoReportError, MissingPackageError
from discoreport.report.pdf_text import text_of_pdf
from discoreport.report.templates import fingerprints
from discoreport.report.verify_figures import Check, named

IS_SIGNED = b"/ByteRange"
"""Stands in every PDF that is signed, whatever the signature is worth."""
UNSIGNED = (
    "not signed: words (decision, sign-offs, names, dates, provenance), and what was left out (such as an analysis), "
    "are protected by a signature only"
)


def policy_check(release: Assessment | PublicRecord, policy: PolicyGiven | None) -> Check:
    """Compare the policy of a record with the organisation's file, or else with the one that comes with discoreport."""
    what = "policy"
    try:
        known = default_policy() if policy is None else policy_given(policy)
    except DiscoReportError as error:
        return Check(what, "unchecked", str(error))
    reported, expected = _shown(release), _of_policy(known, whole=isinstance(release, Assessment))
    differing = sorted(name for name in expected if reported[name] != expected[name])
    if policy is None and differing:
        return Check(what, "unchecked", "Not the policy that comes with discoreport: name its file (--policy FILE).")
    if policy is None:
        return Check(what, "holds", "It is the one that comes with discoreport.")
    of_file = isinstance(policy, str | os.PathLike)
    given = f"'{policy}'" if of_file else "the policy that was given"
    if differing:
        return Check(what, "fails", f"Not what {given} lays down: {named(differing)}.")
    return Check(what, "holds", f"It is what {given} lays down{f' (SHA-256 {known.sha256})' if of_file else ''}.")


def _of_policy(policy: Policy, *, whole: bool) -> dict[str, object]:
    if whole:
        return policy.model_dump(exclude={"templates", "sha256", "file"})
    named = {"policy": policy_name(policy), "marking": policy.external_marking, "logo": policy.logo}
    return {"organisation": policy.organisation, **named}


def _shown(release: Assessment | PublicRecord) -> dict[str, object]:
    if isinstance(release, Assessment):
        return _of_policy(release.policy, whole=True)
    return {name: getattr(release, name) for name in ("organisation", "policy", "marking", "logo")}


def names_templates(release: Assessment | PublicRecord) -> bool:
    """Tell whether a record says that its report was made with templates of an organisation."""
    return bool(release.templates or (isinstance(release, Assessment) and release.policy.templates))


def templates_check(release: Assessment | PublicRecord, templates: str | Path | None) -> Iterator[Check]:
    """Compare an organisation's templates with the fingerprints in the record, which alone prove nothing."""
    what = "templates"
    if templates is None:
        if names_templates(release):
            detail = "The report was made with templates of an organisation: name their folder (--templates FOLDER)."
            yield Check(what, "unchecked", detail)
        return
    try:
        found = fingerprints(Path(templates))
    except DiscoReportError as error:
        yield Check(what, "unchecked", str(error))
        return
    differing = [name for name in {**found, **release.templates} if found.get(name) != release.templates.get(name)]
    if not found:
        yield Check(what, "unchecked", f"There are no templates in '{templates}'.")
    elif not release.templates and names_templates(release):
        yield Check(what, "unchecked", "An earlier version wrote the record, without fingerprints of the templates.")
    elif differing:
        yield Check(what, "fails", f"Not those that the report was made with: {named(sorted(differing))}.")
    else:
        yield Check(what, "holds", f"{len(found)} files are those that the report was made with.")


def signature_check(pdf: bytes, again: bytes | None, authorities: str | Path | None) -> Iterator[Check]:
    """Look at the signatures of a PDF, at what was added with them, and at who vouches for the signers.

    Parameters
    ----------
    pdf
        The file; without a signature, that is said where one is expected.
    again
        The PDF that the record gives on this machine, if it does.
    authorities
        A file of certificates that vouch for signers.
    """
    from discoreport.report.pdf_revisions import first_revision, only_signed
    from discoreport.report.signing import check_signatures

    what = "signature"
    if IS_SIGNED not in pdf:
        if authorities is not None:
            yield Check(what, "fails", f"The report is {UNSIGNED}.")
        return
    known = {} if authorities is None else {"authorities": Path(authorities)}
    try:
        signatures = check_signatures(pdf, **known)
        alike = only_signed(first_revision(pdf), pdf)
        same = again is not None and first_revision(pdf) == again
    except DataError as error:
        yield Check(what, "fails", str(error))
        return
    except DiscoReportError as error:  # the extra, or the file of authorities
        yield Check(what, "unchecked", str(error))
        return
    for signature in signatures:
        who = f"{signature.signer} (certificate SHA-256 {signature.certificate})"
        if not signature.intact or (signature is signatures[-1] and not signature.covers_whole_file):
            yield Check(what, "fails", f"The PDF was changed after {signature.signer or 'somebody'} had signed it.")
        elif not alike:
            yield Check(what, "fails", f"{signature.signer} signed more than the record gives: the PDF was changed.")
        elif not signature.trusted and authorities is not None:
            yield Check(what, "fails", f"Signed by {who}, for whom '{authorities}' doesn't vouch.")
        elif not signature.trusted:
            detail = (
                "; nobody known here vouches for it: compare the fingerprint, or name who does (--authorities FILE)."
            )
            yield Check(what, "unchecked", f"Signed by {who}{detail}")
        elif not same:
            detail = "; what was signed can't be compared with the record byte by byte on this machine."
            yield Check(what, "unchecked", f"Signed by {who}{detail}")
        else:
            yield Check(what, "holds", f"Signed by {who}.")


def same_words(pdf: bytes, again: bytes) -> tuple[str, ...] | None:
    """Compare what two PDFs say, however they are drawn.

    Returns
    -------
    tuple of str or None
        What differs: "text", or names of files inside. None where it can't be compared on this machine.

    Raises
    ------
    DataError
        Where the first is no PDF.
    """
    try:
        expected = text_of_pdf(again)
    except (DataError, MissingPackageError):
        return None
    found = text_of_pdf(pdf)
    text = () if found.pages == expected.pages else ("text",)
    names = {**expected.attached, **found.attached}
    return (*text, *(name for name in names if found.attached.get(name) != expected.attached.get(name)))
