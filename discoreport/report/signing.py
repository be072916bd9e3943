"""A digital signature for the report's PDF, and the check of one, both without a network.

The signature is added to the end of the file and changes nothing of what was there: the marks of PDF/A and PDF/UA, the
structure for screen readers and the attachments stay. It is one of approval, so that several people can sign in turn.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import logging
import re
import ssl
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from discoreport.errors import DataError, SettingsError, require_package

_EXPORT = "Export certificate and private key together as a .p12 or .pfx file."
_USAGES = ("non_repudiation", "digital_signature")
_PURPOSES = (
    "any_extended_key_usage",
    "email_protection",
    "microsoft_document_signing",
    "adobe_authentic_documents_trust",
    "1.3.6.1.5.5.7.3.36",  # signing documents, RFC 9336
)
"""One of these a certificate for signing documents names, unlike one for a web server."""

_OF_SIGNATURES = {"/FT", "/T", "/TU", "/Type", "/Subtype", "/F", "/Rect", "/P", "/V"}
"""What the field of an invisible signature holds."""

_Returned = TypeVar("_Returned")


@dataclass(frozen=True)
class Signature:
    """What a signature of a PDF says, and whether it holds.

    Attributes
    ----------
    signer
        Whose certificate it is, by the certificate's own words; empty where the signature can't be read.
    time
        When it was made (UTC), by the clock of the machine that made it.
    intact
        Whether what was signed is what is there.
    covers_whole_file
        Whether nothing was added after it. Of several signatures only the last covers the whole file.
    trusted
        Whether an authority known here vouches for the certificate, and did so at the time of signing. It is not
        looked up whether the certificate was revoked.
    certificate
        SHA-256 of the certificate, as its owner can read it out; empty where the signature can't be read.
    """

    signer: str
    time: datetime | None
    intact: bool
    covers_whole_file: bool
    trusted: bool
    certificate: str = ""

    def __str__(self) -> str:
        """Say it in one sentence.

        Examples
        --------
        >>> print(Signature("A. Officer", None, intact=True, covers_whole_file=True, trusted=False))
        Signed by A. Officer: intact, but the signer isn't known here.
        """
        who = f"Signed by {self.signer or 'somebody whose name can’t be read'}"
        when = f" on {self.time:%Y-%m-%d %H:%M} UTC" if self.time else ""
        if not self.intact:
            return f"{who}{when}: not intact, the file was changed after it was signed."
        doubts = [] if self.covers_whole_file else ["something was added to the file after it was signed"]
        doubts += [] if self.trusted else ["the signer isn't known here"]
        return f"{who}{when}: intact{', but ' + ', and '.join(doubts) if doubts else ''}."


def sign(pdf: bytes, certificate: Path, passphrase: str) -> bytes:
    """Sign a PDF.

    Parameters
    ----------
    pdf
        The file; one that is signed already gets a further signature.
    certificate
        A PKCS#12 file (.p12, .pfx) with certificate and private key.
    passphrase
        Opens that file. It is used for nothing else and stands in no message.

    Returns
    -------
    bytes
        The PDF, followed by the signature: invisible, SHA-256, with the time of this machine's clock.

    Raises
    ------
    SettingsError
        Where the certificate can't be used; says why, and what would do.
    DataError
        Where `pdf` isn't a PDF.
    MissingPackageError
        Where the extra ``sign`` isn't installed.
    """
    _need_pyhanko()
    from pyhanko.sign import fields, signers

    signer = _signer(Path(certificate), passphrase)
    name = f"Signature{len(_read(pdf).embedded_signatures) + 1}"
    field = fields.SigFieldSpec(
        name,
        # PDF/A wants the field printed, and PDF/UA wants what isn't tagged to be off the page.
        invis_sig_settings=fields.InvisSigSettings(set_print_flag=True, box_out_of_bounds=True),
        readable_field_name="Digital signature of this report",
    )
    metadata = signers.PdfSignatureMetadata(name, md_algorithm="sha256", subfilter=fields.SigSeedSubFilter.PADES)
    signed = _in_own_thread(lambda: signers.sign_pdf(_writer(pdf), metadata, signer, new_field_spec=field))
    written: bytes = signed.getvalue()
    return written


def check_signature(pdf: bytes, *, authorities: Path | None = None) -> Signature | None:
    """Check the last signature of a PDF.

    Parameters
    ----------
    pdf
        The file.
    authorities
        A PEM file with certificates of authorities, known here in addition to those that the operating system knows.

    Returns
    -------
    Signature or None
        None where the file isn't signed. A changed byte shows wherever it is in the report. Not signed, as in every
        signature of this kind, are some bytes of its own wrapping, such as its version number, on which nothing hangs.

    Raises
    ------
    DataError
        Where `pdf` isn't a PDF, or is damaged so much that it can't be read.
    SettingsError
        Where the file of authorities can't be read.
    MissingPackageError
        Where the extra ``sign`` isn't installed.
    """
    found = check_signatures(pdf, authorities=authorities)
    return found[-1] if found else None


def check_signatures(pdf: bytes, *, authorities: Path | None = None) -> tuple[Signature, ...]:
    """Check all signatures of a PDF, in the order in which they were made. See `check_signature`."""
    _need_pyhanko()
    reader = _read(pdf)
    try:
        embedded = list(reader.embedded_regular_signatures)
    except Exception:  # noqa: BLE001  # whatever is wrong with it, it is a signature that doesn't hold
        return (_UNREADABLE,)
    if not embedded:
        return (_UNREADABLE,) if b"/ByteRange" in pdf else ()
    known = _known_authorities(authorities)
    return tuple(_checked(signature, pdf, known) for signature in embedded)


_UNREADABLE = Signature("", None, intact=False, covers_whole_file=False, trusted=False)


def only_signed(before: bytes, signed: bytes) -> bool:
    """Tell whether a PDF still holds and shows what it did before somebody signed it.

    A valid signature alone doesn't say so: whoever changes pages by adding to the file can sign that, too.

    Parameters
    ----------
    before
        The PDF without signatures.
    signed
        What became of it.

    Returns
    -------
    bool
        Whether `signed` begins with `before`, and every object of that is still in force, but that the catalogue lists
        signatures and pages have their fields, which show nothing, as those of `sign`. A signature that a page shows
        is more than that.

    Raises
    ------
    DataError
        Where one of them isn't a PDF.
    MissingPackageError
        Where the extra ``sign`` isn't installed.
    """
    _need_pyhanko()
    old, new = _read(before), _read(signed)
    try:
        return signed.startswith(before) and _alike(old, new)
    except Exception:  # noqa: BLE001  # a file from elsewhere may be broken in any way
        return False


def first_revision(pdf: bytes) -> bytes:
    """Give a PDF as it was before anything was added to its end, such as a signature."""
    end = re.search(rb"startxref\s+\d+\s+%%EOF[\r\n]{0,2}", pdf)
    return pdf[: end.end()] if end else pdf


# Signing ---------------------------------------------------------------------------------------------


def _signer(certificate: Path, passphrase: str) -> Any:
    """Open the file of the certificate. No error quotes the passphrase, or the one of a library that might."""
    from asn1crypto import pkcs12 as container
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import pkcs12
    from pyhanko.sign.signers import SimpleSigner

    try:
        content = certificate.read_bytes()
    except OSError as error:
        raise SettingsError(f"Can't read the certificate '{certificate}': {error.strerror or error}.") from None
    try:
        container.Pfx.load(content, strict=True)["auth_safe"]["content_type"].native  # noqa: B018  # parses
    except ValueError:
        raise SettingsError(f"'{certificate}' is not a PKCS#12 file. {_EXPORT}") from None
    opener = passphrase.encode("utf-8") or None
    try:
        key, owned, _ = pkcs12.load_key_and_certificates(content, opener)
    except UnsupportedAlgorithm:
        raise SettingsError(f"'{certificate}' is encrypted in a way that is out of use. {_EXPORT}") from None
    except ValueError:
        raise SettingsError(
            f"The passphrase doesn't open '{certificate}'. Give the one it was exported with."
        ) from None
    if key is None or owned is None:
        lacking = "private key" if key is None else "certificate for its private key"
        raise SettingsError(f"'{certificate}' holds no {lacking}. {_EXPORT}")
    now = datetime.now(UTC)
    if now > owned.not_valid_after_utc:
        expired = f"{owned.not_valid_after_utc:%Y-%m-%d}"
        raise SettingsError(f"The certificate in '{certificate}' expired on {expired}. Sign with one that is valid.")
    if now < owned.not_valid_before_utc:
        begins = f"{owned.not_valid_before_utc:%Y-%m-%d}"
        raise SettingsError(
            f"The certificate in '{certificate}' is valid from {begins} only. Check the clock of this machine, or wait."
        )
    return SimpleSigner.load_pkcs12_data(content, [], opener)


def _writer(pdf: bytes) -> Any:
    """Add to a PDF, without what pyHanko would change besides.

    It writes the metadata anew, in which the description of the mark of PDF/UA isn't what archives ask for any more,
    and for some keys it declares PDF 2.0, which PDF/A-3 doesn't know.
    """
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter

    writer: Any = IncrementalPdfFileWriter(io.BytesIO(pdf))
    writer._update_meta = lambda: None
    writer.ensure_output_version = lambda version: None  # noqa: ARG005  # pyHanko gives it by name
    writer.register_extension = lambda extension: None  # noqa: ARG005
    return writer


# Checking --------------------------------------------------------------------------------------------


def _checked(embedded: Any, pdf: bytes, authorities: list[Any]) -> Signature:
    """Check one signature; one that can't be read doesn't hold."""
    from pyhanko.sign.validation import validate_pdf_signature
    from pyhanko.sign.validation.settings import KeyUsageConstraints
    from pyhanko_certvalidator import ValidationContext

    try:
        owned = embedded.signer_cert  # one that names no usage, or no purpose, is for all
        constraints = KeyUsageConstraints(
            key_usage=_USAGES if owned.key_usage_value else (),
            extd_key_usage=_PURPOSES if owned.extended_key_usage_value else None,
        )
        stated = embedded.self_reported_timestamp
        time = stated.astimezone(UTC) if stated else None
        now = datetime.now(UTC)
        context = ValidationContext(
            trust_roots=authorities, allow_fetching=False, moment=min(time or now, now), revocation_mode="soft-fail"
        )
        status = _in_own_thread(
            lambda: validate_pdf_signature(embedded, context, key_usage_settings=constraints, skip_diff=True)
        )
        return Signature(
            _name(owned.subject),
            time,
            intact=bool(status.intact and status.valid),
            covers_whole_file=_covers_whole_file(embedded, pdf),
            trusted=bool(status.trusted),
            certificate=hashlib.sha256(owned.dump()).hexdigest(),
        )
    except Exception:  # noqa: BLE001  # a file from elsewhere may be broken in any way
        return _UNREADABLE


def _alike(old: Any, new: Any) -> bool:
    """Compare two files, of which one was only added to: what stands where it stood is what it was."""
    if any(old.trailer.raw_get(name) != new.trailer.raw_get(name) for name in ("/Root", "/Info")):
        return False
    form = new.root["/AcroForm"]
    fields = [*form["/Fields"]]  # references
    if not set(form) <= {"/Fields", "/SigFlags"} or not all(_shows_nothing(field.get_object()) for field in fields):
        return False
    moved = [one for one in old.xrefs.explicit_refs_in_revision(0) if old.xrefs[one] != new.xrefs[one]]
    return all(_has_only_got(old.get_object(one), new.get_object(one), fields) for one in moved)


def _has_only_got(was: Any, is_now: Any, fields: list[Any]) -> bool:
    """Tell whether something is the catalogue or a page as it was, but for the fields of signatures."""
    if any(was.get(name) != is_now.get(name) for name in was if name != "/Annots"):
        return False
    added = {name for name in is_now if name not in was}
    if was["/Type"] == "/Catalog":
        return added == {"/AcroForm"}
    had, has = ([*page["/Annots"]] if "/Annots" in page else [] for page in (was, is_now))
    only_fields = has[: len(had)] == had and all(annotation in fields for annotation in has[len(had) :])
    return was["/Type"] == "/Page" and added <= {"/Annots"} and only_fields


def _shows_nothing(field: Any) -> bool:
    """Tell whether a field of a form is a signature without a place on the page, and without anything to press."""
    left, bottom, right, top = field["/Rect"]
    return field["/FT"] == "/Sig" and set(field) <= _OF_SIGNATURES and (left == right or bottom == top)


def _name(subject: Any) -> str:
    """Name the owner of a certificate, by the common name if there is one, in signs that a screen can show."""
    common = subject.native.get("common_name")
    name = common if isinstance(common, str) else str(subject.human_friendly)
    return "".join(letter if letter.isprintable() else "�" for letter in name)


def _covers_whole_file(embedded: Any, pdf: bytes) -> bool:
    """Tell whether every byte is signed but those of the signature itself, with nothing hidden among those."""
    from asn1crypto.cms import ContentInfo

    start, length, resumed, rest = embedded.byte_range
    content = bytes(embedded.pkcs7_content)
    room = len(content) - len(ContentInfo.load(content).dump())
    written = pdf[length:resumed]
    as_written = {b"<%s>" % content.hex().encode("ascii"), b"<%s>" % content.hex().upper().encode("ascii")}
    unused = content[len(content) - room :]
    return start == 0 and resumed + rest == len(pdf) and written in as_written and not any(unused)


def _known_authorities(authorities: Path | None) -> list[Any]:
    """Collect the certificates of the authorities that the operating system knows, and of those in a file."""
    from asn1crypto import x509

    context = ssl.create_default_context()
    folder = ssl.get_default_verify_paths().capath
    for file in (
        sorted(Path(folder).glob("????????.[0-9]")) if folder else ()
    ):  # OpenSSL looks these up when it needs them
        with contextlib.suppress(OSError, ssl.SSLError):
            context.load_verify_locations(file)
    if authorities is not None:
        try:
            context.load_verify_locations(authorities)
        except (OSError, ssl.SSLError):
            raise SettingsError(f"'{authorities}' is no file of certificates. It has to be a PEM file.") from None
    return [x509.Certificate.load(content) for content in context.get_ca_certs(binary_form=True)]


# pyHanko ---------------------------------------------------------------------------------------------


def _need_pyhanko() -> None:
    for module in ("pyhanko.sign", "pyhanko_certvalidator"):
        require_package(module, "sign", "Signatures need")
    for package in ("pyhanko", "pyhanko_certvalidator"):
        logger = logging.getLogger(package)
        if not logger.handlers:
            # Where nobody set up logging, Python would print that an authority is unknown, with a traceback.
            logger.addHandler(logging.NullHandler())


def _read(pdf: bytes) -> Any:
    from pyhanko.pdf_utils.reader import PdfFileReader

    try:
        reader = PdfFileReader(io.BytesIO(pdf))
        reader.root  # noqa: B018  # reads it
    except Exception:  # noqa: BLE001  # a file from elsewhere may be broken in any way
        raise DataError("This is not a PDF, or it is damaged.") from None
    return reader


def _in_own_thread(call: Callable[[], _Returned]) -> _Returned:
    """Call a function of pyHanko that starts an event loop, which fails where one runs already, as in notebooks."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(call).result()
