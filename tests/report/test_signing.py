"""Signing the report's PDF, and what the check of a signature finds."""

import asyncio
import io
import logging
import random
import re
import subprocess
import sys
import traceback
from datetime import UTC, datetime, timedelta

import pikepdf
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, NoEncryption, pkcs12
from cryptography.x509.oid import AuthorityInformationAccessOID, NameOID
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.sign import fields, signers

from discoreport import Report, check_signature
from discoreport.errors import DataError, MissingPackageError, SettingsError
from discoreport.report.pdf_revisions import only_signed
from tests.pages import check_signatures, sign, signing
from tests.stand_ins import no_network

pytestmark = pytest.mark.usefixtures("short_pdf")

PASSPHRASE = "open sesame 1001"
NOWHERE = x509.UniformResourceIdentifier("http://authority.invalid/list")


def certificate(key, name="A. Officer", *, issuer=None, days=(-1, 30), authority=False, extensions=()):
    """Make a certificate that names places where its revocation could be looked up."""
    issuer_name, issuer_key = issuer or (name, key)
    now = datetime.now(UTC)
    point = x509.DistributionPoint([NOWHERE], None, None, None)
    looked_up = [
        x509.AccessDescription(method, NOWHERE)
        for method in (AuthorityInformationAccessOID.OCSP, AuthorityInformationAccessOID.CA_ISSUERS)
    ]
    built = x509.CertificateBuilder(
        issuer_name=x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, issuer_name)]),
        subject_name=x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)]),
        public_key=key.public_key(),
        serial_number=x509.random_serial_number(),
        not_valid_before=now + timedelta(days=days[0]),
        not_valid_after=now + timedelta(days=days[1]),
    )
    built = built.add_extension(x509.BasicConstraints(ca=authority, path_length=None), critical=True)
    for extension in extensions:
        built = built.add_extension(extension, critical=True)
    if not authority:
        built = built.add_extension(x509.CRLDistributionPoints([point]), critical=False)
        built = built.add_extension(x509.AuthorityInformationAccess(looked_up), critical=False)
    return built.sign(issuer_key, hashes.SHA256())


def container(path, key, owned, passphrase=PASSPHRASE):
    encryption = BestAvailableEncryption(passphrase.encode()) if passphrase else NoEncryption()
    path.write_bytes(pkcs12.serialize_key_and_certificates(b"officer", key, owned, None, encryption))
    return path


@pytest.fixture(scope="module")
def key():
    return ec.generate_private_key(ec.SECP256R1())


@pytest.fixture(scope="module")
def officer(key, tmp_path_factory):
    return container(tmp_path_factory.mktemp("keys") / "officer.p12", key, certificate(key))


@pytest.fixture(scope="module")
def report(small, tmp_path_factory):
    return Report(small).write(tmp_path_factory.mktemp("report") / "report.pdf").read_bytes()


@pytest.fixture(scope="module")
def signed(report, officer):
    return sign(report, officer, PASSPHRASE)


def test_a_signed_report_is_intact_and_its_signer_unknown(signed):
    found = check_signature(signed)
    assert found.signer == "A. Officer"
    assert found.intact
    assert found.covers_whole_file
    assert not found.trusted
    assert timedelta(0) <= datetime.now(UTC) - found.time < timedelta(minutes=5)
    assert str(found).endswith("UTC: intact, but the signer isn't known here.")


def test_a_report_that_nobody_signed_has_no_signature(report):
    assert check_signature(report) is None


def test_the_signature_is_only_added(report, signed):
    assert signed.startswith(report)


def test_signatures_change_nothing_else(report, signed, officer):
    assert only_signed(report, signed)
    assert only_signed(report, sign(signed, officer, PASSPHRASE))


def change_contents(pdf):
    page = pdf.root["/Pages"]["/Kids"][0]
    page["/Contents"] = pdf.add_object(generic.StreamObject(stream_data=b"0 0 300 300 re f"))
    pdf.update_container(page)


def change_a_stream(pdf):
    stream = pdf.root["/Pages"]["/Kids"][0]["/Contents"]
    stream._encoded_data = stream.encoded_data[::-1]  # as long as it was
    pdf.update_container(stream)


def add_a_note(pdf):
    page = pdf.root["/Pages"]["/Kids"][0]
    note = pdf.add_object(
        generic.DictionaryObject(
            {
                generic.NameObject("/Type"): generic.NameObject("/Annot"),
                generic.NameObject("/Subtype"): generic.NameObject("/FreeText"),
                generic.NameObject("/Rect"): generic.ArrayObject(map(generic.NumberObject, (0, 0, 300, 300))),
                generic.NameObject("/Contents"): generic.TextStringObject("Approved"),
            }
        )
    )
    page["/Annots"] = generic.ArrayObject([*page.get("/Annots", []), note])
    pdf.update_container(page)


def run_at_opening(pdf):
    action = {"/S": generic.NameObject("/JavaScript"), "/JS": generic.TextStringObject("app.alert(1)")}
    pdf.root["/OpenAction"] = generic.DictionaryObject({generic.NameObject(k): v for k, v in action.items()})
    pdf.update_root()


def replace_an_attachment(pdf):
    (files,) = [pdf.root["/Names"]["/EmbeddedFiles"]["/Names"]]
    stream = files[1]["/EF"]["/F"]
    stream._data = stream._encoded_data = b"{}"
    stream.pop("/Filter", None)
    pdf.update_container(stream)


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    "change", [change_contents, change_a_stream, add_a_note, run_at_opening, replace_an_attachment]
)
def test_a_report_that_was_changed_before_it_was_signed_is_caught(report, officer, change):
    pdf = IncrementalPdfFileWriter(io.BytesIO(report))
    pdf._update_meta = lambda: None
    change(pdf)
    written = io.BytesIO()
    pdf.write(written)
    changed = sign(written.getvalue(), officer, PASSPHRASE)
    assert changed.startswith(report)
    assert check_signature(changed).intact
    assert not only_signed(report, changed)


@pytest.mark.slow
def test_a_signature_that_a_page_shows_is_caught(report, officer):
    visible = fields.SigFieldSpec("Stamp", on_page=0, box=(0, 0, 300, 300))
    signer = signers.SimpleSigner.load_pkcs12(officer, passphrase=PASSPHRASE.encode())
    stamped = signers.sign_pdf(
        signing._writer(report), signers.PdfSignatureMetadata("Stamp"), signer, new_field_spec=visible
    )
    assert check_signature(stamped.getvalue()).intact
    assert not only_signed(report, stamped.getvalue())


def test_marks_structure_and_attachments_stay(report, signed):
    with pikepdf.open(io.BytesIO(report)) as before, pikepdf.open(io.BytesIO(signed)) as after:
        assert after.Root.Metadata.read_bytes() == before.Root.Metadata.read_bytes()
        assert set(after.Root.keys()) - set(before.Root.keys()) == {"/AcroForm"}
        assert after.docinfo == before.docinfo
        assert after.pdf_version == before.pdf_version == "1.7"
        with after.open_metadata() as metadata:
            assert metadata.pdfa_status == "3A"
            assert metadata.get("{http://www.aiim.org/pdfua/ns/id/}part") == "1"
        kept = "assessment.json"
        assert after.attachments[kept].get_file().read_bytes() == before.attachments[kept].get_file().read_bytes()
        assert after.Root.StructTreeRoot.objgen == before.Root.StructTreeRoot.objgen
        assert after.check_pdf_syntax() == []


def test_the_field_is_as_archives_and_screen_readers_ask(signed):
    with pikepdf.open(io.BytesIO(signed)) as file:
        (field,) = file.Root.AcroForm.Fields
        left, bottom, right, top = map(float, field.Rect)
        assert (left, bottom) == (right, top)
        assert max(right, top) < 0
        assert int(field.F) & 0b100  # printed
        assert not int(field.F) & 0b100011  # not hidden
        assert str(field.TU)
        assert field.V.get("/Reference") is None  # one of approval, which forbids nothing
        assert file.pages[0].obj.Tabs == "/S"


@pytest.mark.slow
def test_a_key_of_another_kind_signs_too(report, tmp_path):
    key = rsa.generate_private_key(65537, 2048)
    found = check_signature(sign(report, container(tmp_path / "x.pfx", key, certificate(key)), PASSPHRASE))
    assert found.intact
    assert found.covers_whole_file


def test_a_name_that_would_steer_a_screen_is_shown_plainly(report, key, tmp_path):
    owned = certificate(key, "A.\n\x1b[2JOfficer")
    found = check_signature(sign(report, container(tmp_path / "x.p12", key, owned), PASSPHRASE))
    assert found.signer == "A.��[2JOfficer"


@pytest.mark.slow
def test_a_file_without_passphrase_signs(report, key, tmp_path):
    path = container(tmp_path / "x.p12", key, certificate(key), passphrase="")
    assert check_signature(sign(report, path, "")).intact


@pytest.mark.slow
def test_several_people_sign_in_turn(signed, key, tmp_path):
    second = container(tmp_path / "x.p12", key, certificate(key, "B. Checker"))
    found = check_signatures(sign(signed, second, PASSPHRASE))
    assert [signature.signer for signature in found] == ["A. Officer", "B. Checker"]
    assert [signature.intact for signature in found] == [True, True]
    assert [signature.covers_whole_file for signature in found] == [False, True]


class Office:
    """An authority that issues certificates to the officer."""

    def __init__(self, key, folder):
        self.key, self.folder = ec.generate_private_key(ec.SECP256R1()), folder
        self.officers_key = key
        self.known = folder / "office.pem"
        self.known.write_bytes(certificate(self.key, "The Office", authority=True).public_bytes(Encoding.PEM))

    def issue(self, *extensions):
        issued = certificate(self.officers_key, issuer=("The Office", self.key), extensions=extensions)
        return container(self.folder / "issued.p12", self.officers_key, issued)


@pytest.fixture
def office(key, tmp_path):
    return Office(key, tmp_path)


@pytest.mark.slow
def test_an_authority_that_is_known_vouches_for_the_signer(report, office):
    by_officer = sign(report, office.issue(), PASSPHRASE)
    assert not check_signature(by_officer).trusted
    found = check_signature(by_officer, authorities=office.known)
    assert found.trusted
    assert str(found).endswith("UTC: intact.")
    changed = bytearray(by_officer)
    changed[5000] ^= 1
    assert not check_signature(bytes(changed), authorities=office.known).trusted


def test_an_authority_that_the_operating_system_knows_vouches_too(report, office, tmp_path, monkeypatch):
    by_officer = sign(report, office.issue(), PASSPHRASE)
    (tmp_path / "none.pem").touch()
    (tmp_path / "0a1b2c3d.1").write_bytes(office.known.read_bytes())
    (tmp_path / "0a1b2c3d.0").write_text("damaged")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))
    assert not check_signature(by_officer).trusted
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    assert check_signature(by_officer).trusted


def test_a_signature_outlives_its_certificate(report, office, monkeypatch):
    class NextYear(datetime):
        @classmethod
        def now(cls, zone):
            return datetime.now(zone) + timedelta(days=365)

    by_officer = sign(report, office.issue(), PASSPHRASE)
    monkeypatch.setattr(signing, "datetime", NextYear)
    assert check_signature(by_officer, authorities=office.known).trusted


@pytest.mark.fast_cases(1)
@pytest.mark.parametrize(
    ("usage", "purpose", "trusted"),
    [
        ("content_commitment", None, True),
        ("digital_signature", "1.3.6.1.5.5.7.3.4", True),  # mail
        ("digital_signature", "1.3.6.1.5.5.7.3.36", True),  # documents
        ("digital_signature", "1.3.6.1.5.5.7.3.1", False),  # a web server
        ("key_agreement", None, False),
    ],
)
def test_a_certificate_for_something_else_is_not_trusted(report, office, usage, purpose, trusted):
    names = ("digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement")
    usages = {name: name == usage for name in (*names, "key_cert_sign", "crl_sign", "encipher_only", "decipher_only")}
    purposes = [x509.ExtendedKeyUsage([x509.ObjectIdentifier(purpose)])] if purpose else []
    path = office.issue(x509.KeyUsage(**usages), *purposes)
    found = check_signature(sign(report, path, PASSPHRASE), authorities=office.known)
    assert found.intact
    assert found.trusted == trusted


def test_a_file_of_authorities_that_is_none_is_named(signed, tmp_path):
    (tmp_path / "x.pem").write_text("no certificate")
    with pytest.raises(SettingsError, match=r"x\.pem' is no file of certificates"):
        check_signature(signed, authorities=tmp_path / "x.pem")


def shows(pdf):
    """Tell whether the check finds that something is wrong, in whatever way."""
    try:
        found = check_signature(pdf)
    except DataError:
        return True
    return found is not None and not (found.intact and found.covers_whole_file)


@pytest.fixture
def no_authorities(tmp_path, monkeypatch):
    """Know no authorities, which takes no time to read, where a test checks very often."""
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "none.pem"))


@pytest.mark.slow
@pytest.mark.usefixtures("no_authorities")
def test_one_changed_byte_of_the_report_shows(report, signed):
    chance = random.Random(1)
    for place in [0, len(report) - 1, *(chance.randrange(len(report)) for _ in range(40))]:
        changed = bytearray(signed)
        changed[place] ^= 1 << chance.randrange(8)
        assert shows(bytes(changed)), place


@pytest.mark.slow
@pytest.mark.usefixtures("no_authorities")
def test_one_changed_byte_of_what_was_added_shows(report, signed):
    start = signed.index(b"/Contents <", len(report)) + len(b"/Contents <")
    end = signed.index(b">", start)
    chance = random.Random(2)
    around = [place for place in range(len(report), len(signed)) if not start <= place < end]
    for place in chance.sample(around, 60):
        changed = bytearray(signed)
        changed[place] ^= 1 << chance.randrange(8)
        assert shows(bytes(changed)), place


@pytest.mark.parametrize("name", [b"/AcroForm", b"/ByteRange", b"/FT /Sig"])
def test_hiding_the_signature_shows(report, signed, name):
    changed = signed[: len(report)] + signed[len(report) :].replace(name, b"/X" + name[2:], 1)
    assert len(changed) == len(signed)
    assert shows(changed)


@pytest.mark.slow
def test_what_hides_in_the_room_of_the_signature_shows(signed):
    end = signed.rindex(b"00>\n/ByteRange")
    assert shows(signed[:end] + b"2a" + signed[end + 2 :])
    assert shows(signed[:end] + b"2A" + signed[end + 2 :])


@pytest.mark.slow
@pytest.mark.fast_cases(2)
@pytest.mark.parametrize("tail", [b"x", b"\n", b"%%EOF\n", b"\n1 0 obj\n<<>>\nendobj\n"])
def test_what_is_appended_shows(signed, tail):
    assert shows(signed + tail)


def test_an_update_after_the_signature_shows(signed):
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter

    writer = IncrementalPdfFileWriter(io.BytesIO(signed))
    writer.root["/Lang"] = writer.root["/Type"]
    writer.update_root()
    changed = io.BytesIO()
    writer.write(changed)
    found = check_signature(changed.getvalue())
    assert not found.covers_whole_file
    assert "something was added to the file after it was signed" in str(found)


def test_a_changed_report_reads_as_changed(signed):
    changed = bytearray(signed)
    changed[5000] ^= 1
    assert "not intact, the file was changed after it was signed" in str(check_signature(bytes(changed)))


@pytest.mark.parametrize("content", [b"", b"%PDF-1.7", b"a,b\n1,2\n"])
def test_what_is_no_pdf_is_refused(content, officer):
    with pytest.raises(DataError, match="not a PDF"):
        check_signature(content)
    with pytest.raises(DataError, match="not a PDF"):
        sign(content, officer, PASSPHRASE)


def refusal(report, path, passphrase=PASSPHRASE):
    with pytest.raises(SettingsError) as caught:
        sign(report, path, passphrase)
    message = str(caught.value)
    assert "\n" not in message
    assert str(path) in message
    told = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
    assert passphrase not in told.replace("sign(report, path, passphrase)", "")
    return message


def test_a_wrong_passphrase_is_not_repeated(report, officer, caplog, capfd):
    with caplog.at_level(logging.DEBUG):
        message = refusal(report, officer, "Wrong-horse-7")
    assert "passphrase doesn't open" in message
    assert "Wrong-horse-7" not in caplog.text + "".join(capfd.readouterr())


def test_the_right_passphrase_is_not_told(report, officer, caplog, capfd):
    with caplog.at_level(logging.DEBUG):
        written = sign(report, officer, PASSPHRASE)
    assert PASSPHRASE not in caplog.text + "".join(capfd.readouterr())
    assert PASSPHRASE.encode() not in written
    assert PASSPHRASE not in repr(check_signature(written))


def test_other_files_than_pkcs12_are_refused(report, key, tmp_path):
    for number, content in enumerate((b"", b"hello", certificate(key).public_bytes(Encoding.PEM), b"0\x80" * 50)):
        path = tmp_path / f"{number}.p12"
        path.write_bytes(content)
        assert "is not a PKCS#12 file. Export certificate and private key together" in refusal(report, path)


def test_a_missing_file_is_named(report, tmp_path):
    assert "No such file" in refusal(report, tmp_path / "x.p12")


def test_a_certificate_without_its_key_is_refused(report, key, tmp_path):
    assert "holds no private key" in refusal(report, container(tmp_path / "x.p12", None, certificate(key)))


def test_a_key_without_certificate_is_refused(report, key, tmp_path):
    assert "holds no certificate" in refusal(report, container(tmp_path / "x.p12", key, None))


def test_a_certificate_out_of_its_time_is_refused(report, key, tmp_path):
    expired = container(tmp_path / "x.p12", key, certificate(key, days=(-30, -1)))
    day = datetime.now(UTC) - timedelta(days=1)
    assert re.search(rf"expired on {day:%Y-%m}-\d\d\. Sign with one that is valid", refusal(report, expired))
    early = container(tmp_path / "y.p12", key, certificate(key, days=(2, 30)))
    assert "is valid from" in refusal(report, early)


@pytest.mark.slow
def test_nothing_is_fetched(report, officer, office):
    with no_network() as asked:
        assert check_signature(sign(report, office.issue(), PASSPHRASE), authorities=office.known).trusted
        assert check_signature(sign(report, officer, PASSPHRASE)).intact
    assert asked == []


@pytest.mark.slow
def test_nothing_is_printed(signed, tmp_path):
    (tmp_path / "x.pdf").write_bytes(signed)
    # In a process of its own, as nobody has set up logging there.
    code = "import pathlib, discoreport.report.signing as s; s.check_signature(pathlib.Path('x.pdf').read_bytes())"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


def test_it_works_where_an_event_loop_runs(report, officer):
    async def notebook():
        return check_signature(sign(report, officer, PASSPHRASE))

    assert asyncio.run(notebook()).intact


def test_without_pyhanko_the_message_names_the_extra(report, officer, uninstall):
    uninstall("pyhanko")
    for call in (lambda: sign(report, officer, PASSPHRASE), lambda: check_signature(report)):
        with pytest.raises(MissingPackageError, match=re.escape("pip install 'discoreport[sign]'")):
            call()
