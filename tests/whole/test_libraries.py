"""What is relied on of libraries beyond what they promise: a version that lacks any of it fails here, by its name."""

import datetime
import inspect
import io

import ibis.backends.duckdb
import pydyf
import pytest
import weasyprint.pdf.fonts
import weasyprint.svg
import weasyprint.urls
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import NoEncryption, pkcs12
from fontTools.ttLib import TTFont
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign import fields, signers

PAGE = "<html lang=en><title>T</title><table><thead><tr><th>a<tbody><tr><th>b<td>c</table>"


def parts(writes):
    """Write a page with WeasyPrint, and give what it hands over before it writes the file."""
    held = []
    pdf = weasyprint.HTML(string=writes).write_pdf(pdf_variant="pdf/a-3a", finisher=lambda *given: held.append(given))
    (given,) = held
    return pdf, *given


def test_weasyprint_hands_over_the_parts_of_a_file():
    _, _, pdf = parts(PAGE)
    number = int(pdf.catalog["Metadata"].split()[0])
    assert b"</rdf:RDF>" in b"".join(pdf.objects[number].stream)  # where the mark of PDF/UA goes
    by_reference = {one.reference: one for one in pdf.objects if isinstance(one, pydyf.Dictionary)}
    heads = [one for one in by_reference.values() if one.get("S") == "/TH"]
    rows = [by_reference[one["P"]] for one in heads]
    assert [row["S"] for row in rows] == ["/TR", "/TR"]
    assert [by_reference[row["P"]]["S"] for row in rows] == ["/THead", "/TBody"]
    assert all("A" in one for one in heads)  # where the scope goes


def test_weasyprint_asks_a_node_for_its_text_and_fonttools_for_a_font(monkeypatch):
    asked = []
    usual = weasyprint.svg.Node.text
    monkeypatch.setattr(weasyprint.svg.Node, "text", property(lambda node: asked.append(usual.fget(node))))
    parts('<svg xmlns="http://www.w3.org/2000/svg"><text>signs</text></svg>')
    assert "signs" in asked
    assert weasyprint.pdf.fonts.TTFont is TTFont
    assert "recalcTimestamp" in inspect.signature(TTFont.__init__).parameters


def test_weasyprint_fetches_by_what_it_is_given():
    fetcher = weasyprint.urls.URLFetcher(allowed_protocols={"data"})
    assert fetcher.fetch("data:,text").read() == b"text"
    with pytest.raises(ValueError, match="protocol"):
        fetcher.fetch("file:///etc/hosts")
    weasyprint.urls.URLFetcherResponse("inside:0", b"", {"Content-Type": "image/svg+xml"})


@pytest.mark.parametrize("name", ["_update_meta", "ensure_output_version", "register_extension"])
def test_pyhanko_changes_more_than_it_is_asked_for_in_methods_of_these_names(name, monkeypatch):
    called = []
    monkeypatch.setattr(IncrementalPdfFileWriter, name, lambda *given, **more: called.append((given, more)))
    signed()
    assert called


def test_pyhanko_tells_these_parts_of_a_signature_and_of_a_file():
    reader = PdfFileReader(io.BytesIO(signed()))
    (one,) = reader.embedded_regular_signatures
    assert [*reader.embedded_signatures] == [one]
    assert one.signer_cert.subject.native["common_name"] == "A. Officer"
    assert one.self_reported_timestamp
    assert len(one.byte_range) == 4
    assert bytes(one.pkcs7_content)
    assert reader.trailer.raw_get("/Root")
    first = reader.xrefs.explicit_refs_in_revision(0)
    assert all(reader.xrefs[reference] for reference in first)
    assert reader.root["/AcroForm"]["/Fields"][0].get_object()["/FT"] == "/Sig"


def test_ibis_tells_the_engine_of_tables_that_a_question_needs():
    assert callable(ibis.backends.duckdb.Backend._run_pre_execute_hooks)


def signed():
    """Sign a page by pyHanko alone."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.UTC)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "A. Officer")])
    dates = (now - datetime.timedelta(days=1), now + datetime.timedelta(days=1))
    certificate = x509.CertificateBuilder(name, name, key.public_key(), 1, *dates).sign(key, hashes.SHA256())
    held = pkcs12.serialize_key_and_certificates(b"", key, certificate, None, NoEncryption())
    signer = signers.SimpleSigner.load_pkcs12_data(held, [], None)
    writer = IncrementalPdfFileWriter(io.BytesIO(parts(PAGE)[0]))
    metadata = signers.PdfSignatureMetadata("Signature1", subfilter=fields.SigSeedSubFilter.PADES)
    return signers.sign_pdf(writer, metadata, signer, new_field_spec=fields.SigFieldSpec("Signature1")).getvalue()
