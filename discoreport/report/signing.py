"""A digital signature for the report's PDF, and the check of one, both without a network.

The signature is added to the end of the file and changes nothing of what was there: the marks of PDF/A and PDF/UA, the
structure for screen readers and the attachments stay. It is one of approval, so that several people can sign in turn.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import ssl
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from discoreport.errors import SettingsError
from discoreport.report.pdf_revisions import need_pyhanko, read_pdf

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
    need_pyhanko()
    from pyhanko.sign import fields, signers

    signer = _signer(Path(certificate), passphrase)
    name = f"Signature{len(read_pdf(pdf).embedded_signatures) + 1}"
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
    need_pyhanko()
    reader = read_pdf(pdf)
    try:
        embedded = list(reader.embedded_regular_signatures)
    except Exception:  # noqa: BLE001  # whatever is wrong with it, it is a signature that doesn't hold
        return (_UNREADABLE,)
    if not embedded:
        return (_UNREADABLE,) if b"/ByteRange" in pdf else ()
    known = _known_authorities(authorities)
    return tuple(_checked(signature, pdf, known) for signature in embedded)


_UNREADABLE = Signature("", None, intact=False, covers_whole_file=False, trusted=False)


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
    for name in ("_update_meta", "ensure_output_version", "register_extension"):
        setattr(writer, name, lambda *_, **__: None)
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


def _in_own_thread(call: Callable[[], _Returned]) -> _Returned:
    """Call a function of pyHanko that starts an event loop, which fails where one runs already, as in notebooks."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(call).result()
