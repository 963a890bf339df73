"""HTTPS: an authority of the box's own, certificates that are renewed, and errors that cost HTTPS only."""

from __future__ import annotations

import asyncio
import json
import os
import re
import ssl
import stat
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.kit.at_table import HERE, Phone, Table, laid
from tests.kit.patience import soon
from tests.kit.rig import Rigs
from tests.kit.seen import check_seen
from umpi.box.config import WebPlan
from umpi.box.config_file import read_config
from umpi.cli import main
from umpi.web import certificates
from umpi.web.app import WebApp
from umpi.web.certificates import (
    AUTHORITY,
    RENEW,
    SERVER,
    BadCertificate,
    Pair,
    authority_of,
    given,
    make_authority,
    renew,
)
from umpi.web.door import listen_at
from umpi.web.https import Https, own_hosts, valid_hosts
from umpi.web.serving import serve_at

AT = datetime(2026, 11, 23, 12, tzinfo=UTC)
DAY = timedelta(days=1)
HOSTS = "umpi", "umpi.local", "192.168.4.1"
LOCAL = "127.0.0.1"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    make_authority(tmp_path / "https", "umpi", HOSTS, AT)
    return tmp_path / "https"


@pytest.fixture
def table(rigs: Rigs) -> Table:
    return laid(rigs, "dodekka", ["Rosie", "Tom"])


def hands(folder: Path, host: str, pair: Pair) -> str:
    """Shake hands in memory with a phone that trusts the authority; return what the phone objects to."""
    client = ssl.create_default_context(cadata=authority_of(folder)[0])
    client.verify_flags |= ssl.VERIFY_X509_STRICT
    to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    here = client.wrap_bio(to_client, to_server, server_hostname=host)
    there = certificates.context_of(pair).wrap_bio(to_server, to_client, server_side=True)
    for _ in range(3):
        for side in (here, there):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
            except ssl.SSLCertVerificationError as fault:
                return fault.verify_message
    return ""


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def of_the_owner(folder: Path, begins: datetime = AT - DAY, ends: datetime = AT + DAY) -> tuple[Path, Path]:
    """Write a certificate of an owner and its key."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([])
    names = x509.SubjectAlternativeName([x509.DNSName("table.example.org")])
    made = x509.CertificateBuilder(name, name, key.public_key(), 7, begins, ends).add_extension(names, critical=True)
    form = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    (folder / "mine.pem").write_bytes(made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    (folder / "mine.key").write_bytes(key.private_bytes(serialization.Encoding.PEM, *form))
    return folder / "mine.pem", folder / "mine.key"


def test_a_phone_that_trusts_the_box_trusts_its_names_and_addresses_and_no_others(folder: Path) -> None:
    now = datetime.now(UTC)
    pair = renew(folder, HOSTS, now)
    assert {host: hands(folder, host, pair) for host in HOSTS} == dict.fromkeys(HOSTS, "")
    assert "mismatch" in hands(folder, "bank.example.org", pair)


@pytest.mark.parametrize("other", ["bank.example.org", "fritz.box", "nas.local", "192.168.4.2", "10.0.0.1"])
def test_the_authority_signs_for_its_box_only(folder: Path, tmp_path: Path, other: str) -> None:
    """Neither the box nor a thief of its key can pretend to be a bank, the router or another device at home."""
    now = datetime.now(UTC)
    assert renew(folder, (*HOSTS, other, "8.8.8.8", "not a name"), now).hosts == HOSTS
    forged = tmp_path / "forged"
    make_authority(forged, "umpi", (other,), now)
    pair = renew(forged, (other,), now)
    stolen = (folder / AUTHORITY).read_bytes()
    x509_, *_ = certificates._library()
    key, authority = certificates._read_key(folder / AUTHORITY), x509_.load_pem_x509_certificate(stolen)
    leaf = certificates._read(pair.certificate)
    made = x509.CertificateBuilder(
        authority.subject, leaf.subject, leaf.public_key(), 8, now - DAY, now + DAY,
        [each for each in leaf.extensions if not isinstance(each.value, x509.AuthorityKeyIdentifier)],
    )  # fmt: skip
    text = certificates._read_key(pair.key).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    signed = made.add_extension(
        x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key()), critical=False
    ).sign(key, hashes.SHA256())
    pair.certificate.write_bytes(text + signed.public_bytes(serialization.Encoding.PEM))
    assert hands(folder, other, pair) == "permitted subtree violation"


def test_keys_are_for_their_owner_only_whatever_the_umask_is(tmp_path: Path) -> None:
    folder, before = tmp_path / "https", os.umask(0)
    try:
        make_authority(folder, "umpi", HOSTS, AT)
        renew(folder, HOSTS, AT)
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert modes == {AUTHORITY: 0o600, SERVER: 0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


USES = (
    "digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
    "key_cert_sign", "crl_sign",
)  # fmt: skip


def says(file: Path, authority: x509.Certificate) -> list[str]:
    """Return what is in a certificate of a file, on a line each; random numbers are left out."""
    found = x509.load_pem_x509_certificate(file.read_bytes())
    lines = [f"{file.name}, of {re.sub('[0-9a-f]{6}$', 'RANDOM', found.subject.rfc4514_string())}"]
    lines.append(
        f"  from {found.not_valid_before_utc} to {found.not_valid_after_utc}, {found.signature_algorithm_oid._name}"
    )
    for each in found.extensions:
        match each.value:
            case x509.BasicConstraints(ca=ca, path_length=length):
                what = f"authority {ca}, below it {length}"
            case x509.KeyUsage() as usage:
                what = ", ".join(use for use in USES if getattr(usage, use))
            case x509.NameConstraints(permitted_subtrees=there, excluded_subtrees=none):
                what = f"{', '.join(str(name.value) for name in there or ())}; not {none}"
            case x509.SubjectAlternativeName() as names:
                what = ", ".join(f"{type(name).__name__} {name.value}" for name in names)
            case x509.ExtendedKeyUsage() as uses:
                what = ", ".join(use._name for use in uses)
            case x509.SubjectKeyIdentifier() as key:
                what = f"of its own key: {key == x509.SubjectKeyIdentifier.from_public_key(found.public_key())}"
            case x509.AuthorityKeyIdentifier() as key:
                what = f"of the authority: {key == key.from_issuer_public_key(authority.public_key())}"
        lines.append(f"  {each.oid._name}, critical {each.critical}: {what}")
    return lines


def test_certificates_are_as_somebody_has_read_them(tmp_path: Path) -> None:
    """What they are for, from when to when, and at which times they are made anew, to the second."""
    folder, second = tmp_path / "https", timedelta(seconds=1)
    make_authority(folder, "umpi", (*HOSTS, "fd00::1"), AT)
    authority, first = x509.load_pem_x509_certificate((folder / AUTHORITY).read_bytes()), renew(folder, HOSTS, AT)
    lines = [*says(folder / AUTHORITY, authority), *says(folder / SERVER, authority)]
    last, key = authority.not_valid_after_utc, (folder / AUTHORITY).read_bytes()
    for at in (AT - DAY - second, AT - DAY, first.expires - RENEW, first.expires - RENEW + second, last, last + second):
        (folder / SERVER).unlink()
        renew(folder, HOSTS, AT)
        before = files_of(folder)
        try:
            now = renew(folder, HOSTS[:2], at)
            told = "stays" if files_of(folder) == before else f"anew until {now.expires}, for {', '.join(now.hosts)}"
        except BadCertificate as fault:
            told = str(fault).replace(str(tmp_path), "FOLDER")
        lines.append(f"at {at}: {told}")
    assert (folder / AUTHORITY).read_bytes() == key, "phones need not install it again"
    check_seen(Path(__file__).with_name("certificates.txt"), lines)


def test_an_address_that_comes_later_is_left_out_and_the_name_stays(folder: Path) -> None:
    now = datetime.now(UTC)
    pair = renew(folder, ("umpi", "umpi.local", "192.168.4.77"), now)
    assert pair.hosts == ("umpi", "umpi.local")
    assert hands(folder, "umpi.local", pair) == ""


@pytest.mark.parametrize("fault", ["new name", "clock set back", "other authority", "cut file", "other key"])
def test_a_certificate_is_renewed_if_it_no_longer_fits(folder: Path, tmp_path: Path, fault: str) -> None:
    renew(folder, HOSTS, AT)
    server, before, hosts, at = folder / SERVER, files_of(folder), HOSTS, AT
    if fault == "new name":
        hosts = "umpi", "table.umpi.local", "192.168.4.1"
    elif fault == "clock set back":
        at = AT - 400 * DAY
    elif fault == "other authority":
        make_authority(folder, "umpi", HOSTS, AT)
    elif fault == "cut file":
        server.write_bytes(before[SERVER][:400])
    else:
        _, key = of_the_owner(tmp_path)
        server.write_bytes(key.read_bytes() + before[SERVER].partition(b"-----END PRIVATE KEY-----\n")[2])
    pair = renew(folder, hosts, at)
    assert set(hosts) <= set(pair.hosts)
    assert files_of(folder)[SERVER] != before[SERVER]
    certificates.context_of(pair)


def test_a_certificate_of_the_owner_is_checked_with_place_and_cause(tmp_path: Path) -> None:
    certificate, key = of_the_owner(tmp_path)
    assert given(certificate, key, AT).hosts == ("table.example.org",)
    (tmp_path / "other").mkdir()
    _, other = of_the_owner(tmp_path / "other")
    none, text = tmp_path / "none.pem", tmp_path / "text.pem"
    text.write_text("hello")
    faults = [
        ((certificate, key, AT + 2 * DAY), f"{certificate}: it expired on 2026-11-24."),
        ((certificate, key, AT - 2 * DAY), f"{certificate}: it is valid only from 2026-11-22 on."),
        ((certificate, other, AT), f"{other}: this key does not belong to {certificate}."),
        ((none, key, AT), f"{none}: No such file or directory"),
        ((certificate, none, AT), f"{none}: No such file or directory"),
        ((tmp_path, key, AT), f"{tmp_path}: Is a directory"),
        ((text, key, AT), f"{text}: this is not a certificate in PEM format."),
        ((certificate, text, AT), f"{text}: this is not a private key in PEM format without a passphrase."),
    ]
    messages = []
    for what, _ in faults:
        with pytest.raises(BadCertificate) as caught:
            given(*what)
        messages.append(str(caught.value))
    assert messages == [fault for _, fault in faults]


def test_without_the_library_the_cause_names_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "cryptography", None)
    with pytest.raises(BadCertificate, match=r"HTTPS needs more Python packages\. .*pip install 'cryptography>="):
        renew(folder, HOSTS, AT)


def served(
    table: Table, plan: WebPlan, folder: Path, faults_seen: list[str], play: Callable[[int], Coroutine[Any, Any, None]]
) -> None:
    """Serve the page over HTTP and HTTPS, as the box does while `play` runs."""

    async def go() -> None:
        https = Https(plan, folder, faults_seen.append, lambda: datetime.now(UTC), again_s=0.01)
        table.desk = WebApp(table.loop, table.codes, table.desk.publisher, https=https)
        stopped = asyncio.get_running_loop().create_future()
        with listen_at(LOCAL, 0) as listening:
            serving = asyncio.create_task(serve_at(listening, table.desk.app(), table.desk, stopped))
            try:
                await soon(play(listening.getsockname()[1]))
            finally:
                stopped.set_result(None)
                table.desk.close()
                await soon(serving)

    table.rig.run(go())


async def ask(port: int, path: str, context: ssl.SSLContext | None = None) -> bytes:
    reader, writer = await asyncio.open_connection(LOCAL, port, ssl=context)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: {LOCAL}\r\nConnection: close\r\n\r\n".encode())
    reply = await reader.read()
    writer.close()
    return reply


@pytest.fixture
def wild(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a box that is on now."""
    monkeypatch.setattr("socket.gethostname", lambda: "umpi")
    make_authority(tmp_path / "https", "umpi", own_hosts(), datetime.now(UTC))
    return tmp_path / "https"


def test_the_page_is_served_over_both_and_no_route_reads_a_key(table: Table, wild: Path) -> None:
    faults_seen: list[str] = []

    async def play(port: int) -> None:
        while not (secure := table.desk.https.port if table.desk.https else 0):
            await asyncio.sleep(0.01)
        trusting = ssl.create_default_context(cadata=authority_of(wild)[0])
        assert b'"language"' in await ask(secure, "/api/state", trusting)
        reply = await ask(port, "/api/app")
        assert authority_of(wild)[1].encode() in reply
        assert f'"port":{secure}'.encode() in reply
        assert (await ask(port, "/umpi.crt")).endswith(authority_of(wild)[0])
        for path in (AUTHORITY, SERVER, f"https/{AUTHORITY}", f"../https/{AUTHORITY}", f"%2e%2e/https/{SERVER}"):
            answer = await ask(secure, f"/{path}", trusting)
            assert answer.startswith(b"HTTP/1.1 404"), path
            assert b"PRIVATE" not in answer

    served(table, WebPlan(LOCAL, 1, https_port=0), wild, faults_seen, play)
    assert faults_seen == []


def test_a_box_that_was_renamed_says_that_its_certificate_is_for_another_name(
    table: Table,
    wild: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The page links to no name that the box no longer has, and HTTPS goes on for its addresses."""
    faults_seen: list[str] = []
    renew(wild, own_hosts(), datetime.now(UTC))
    monkeypatch.setattr("socket.gethostname", lambda: "kitchen")

    async def play(port: int) -> None:
        while not (app := json.loads((await ask(port, "/api/app")).partition(b"\r\n\r\n")[2]))["port"]:
            await asyncio.sleep(0.01)
        assert "127.0.0.1" in app["hosts"]
        assert all(host == "localhost" or certificates.is_address(host) for host in app["hosts"])

    served(table, WebPlan(LOCAL, 1, https_port=0), wild, faults_seen, play)
    told = "The certificate of HTTPS is not valid for the name of this box, kitchen. To make another: umpi https --new"
    assert (faults_seen, caplog.messages.count(told)) == ([], 1)
    assert main(["https", "--journal", str(wild.parent / "games.db")]) == 0
    assert told in capsys.readouterr().out


def test_a_certificate_of_the_owner_may_be_for_all_names_of_a_domain(tmp_path: Path) -> None:
    pair = Pair(tmp_path, tmp_path, ("*.example.org", "192.168.4.1"), AT)
    hosts = ("table.example.org", "example.org", "a.table.example.org", "umpi.local", "192.168.4.1", "10.0.0.1")
    assert valid_hosts(pair, hosts) == ("table.example.org", "192.168.4.1")


@pytest.mark.parametrize("fault", ["port", "key", "none"])
def test_an_error_of_https_costs_https_only_and_is_tried_again(table: Table, wild: Path, fault: str) -> None:
    taken = listen_at(LOCAL, 0)
    faults_seen: list[str] = []
    certificate, key = of_the_owner(wild.parent, datetime.now(UTC) - DAY, datetime.now(UTC) + DAY)
    good = key.read_bytes()
    port_taken: int = taken.getsockname()[1]
    plan = WebPlan(LOCAL, 1, https_port=port_taken)
    if fault == "key":
        taken.close()
        key.write_text("cut")
        plan = WebPlan(LOCAL, 1, https_port=port_taken, certificate=certificate, key=key)
    if fault == "none":
        taken.close()
        (wild / AUTHORITY).rename(wild.parent / "kept")

    async def play(port: int) -> None:
        while not faults_seen:
            await asyncio.sleep(0.01)
        assert b'"port":0' in await ask(port, "/api/app"), "HTTP goes on"
        taken.close()
        key.write_bytes(good)
        if fault == "none":
            (wild.parent / "kept").rename(wild / AUTHORITY)
        while len(faults_seen) < 2:
            await asyncio.sleep(0.01)

    served(table, plan, wild, faults_seen, play)
    wanted = {
        "port": f"{LOCAL}:{port_taken}: Address already in use",
        "key": f"{key}: this is not a private key in PEM format without a passphrase.",
        "none": f"There is no certificate in {wild}. To make one: umpi https",
    }
    assert faults_seen == [wanted[fault], ""]


def test_a_phone_is_paired_once_for_both_and_http_never_gets_the_cookie_of_https(table: Table) -> None:
    phone = Phone(table)
    code, _ = table.codes.make_code(0, table.rig.now_ns)
    assert "secure" not in phone.post("pair", code=code).headers["set-cookie"].lower()
    secure = HERE.replace("http", "https")
    other = Phone(table, headers={"Origin": secure})
    other.client.base_url = secure  # type: ignore[assignment]
    code, _ = table.codes.make_code(1, table.rig.now_ns)
    kept = other.post("pair", code=code).headers["set-cookie"]
    assert kept.startswith("umpi-https=")
    assert "secure" in kept.lower()
    assert other.get("me").json()["who"]["button"] == "blue"
    other.client.cookies.clear()
    other.client.cookies.update(phone.client.cookies)
    assert other.get("me").json()["who"]["button"] == "red"


def test_umpi_https_makes_a_certificate_once_and_a_new_authority_if_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = tmp_path / "games.db"
    assert main(["https", "--journal", str(journal)]) == 0
    printed = capsys.readouterr().out
    assert "every device at home" not in printed
    first = files_of(tmp_path / "https")
    assert authority_of(tmp_path / "https")[1] in printed
    assert "https_port = 8443" in printed
    assert main(["https", "--journal", str(journal)]) == 0
    assert files_of(tmp_path / "https") == first
    assert main(["https", "--new", "--journal", str(journal)]) == 0
    assert files_of(tmp_path / "https")[AUTHORITY] != first[AUTHORITY]
    monkeypatch.setattr(certificates, "is_address", lambda host: host[0].isdigit() or ":" in host)
    make_authority(tmp_path / "https", "old", ("192.168.0.0/16",), datetime.now(UTC))  # as the first ones were
    assert main(["https", "--journal", str(journal)]) == 0
    assert "every device at home" in capsys.readouterr().out


@pytest.mark.parametrize(("listen", "shown"), [("192.168.4.1", True), ("127.0.0.1", False)])
def test_umpi_https_says_where_phones_install_it_if_they_can_reach_the_box(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], listen: str, shown: bool
) -> None:
    config = tmp_path / "umpi.toml"
    config.write_text(f'[desk]\nlisten = "{listen}"\nport = 8000\n')
    assert main(["https", "--config", str(config), "--journal", str(tmp_path / "games.db")]) == 0
    printed = capsys.readouterr().out
    assert ("On each phone, open http://192.168.4.1:8000/#app\n" in printed) == shown
    assert ("On each phone" in printed) == shown


def test_who_has_a_certificate_of_their_own_installs_no_authority(tmp_path: Path) -> None:
    certificate, key = of_the_owner(tmp_path, datetime.now(UTC) - DAY, datetime.now(UTC) + DAY)
    assert Https(WebPlan(), tmp_path).own
    assert not Https(WebPlan(certificate=certificate, key=key), tmp_path).own


def test_umpi_https_names_a_folder_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "https").write_text("")
    assert main(["https", "--journal", str(tmp_path / "games.db")]) == 1
    assert f"{tmp_path / 'https' / AUTHORITY}: " in capsys.readouterr().err


def test_the_keys_of_https_are_read(tmp_path: Path) -> None:
    file = tmp_path / "umpi.toml"
    file.write_text('[desk]\nhttps_port = 8443\ncertificate = "a.pem"\nkey = "a.key"\n')
    plan = WebPlan(https_port=8443, certificate=Path("a.pem"), key=Path("a.key"))
    assert read_config(file).desk == plan
