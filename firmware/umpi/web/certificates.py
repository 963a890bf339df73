"""Certificates for HTTPS: an authority of the box's own, and a certificate that it signs for the box's names.

The library `cryptography` makes and reads them. It is imported late, because most boxes serve plain HTTP.
"""

from __future__ import annotations

import ipaddress
import os
import re
import secrets
import ssl
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from umpi.frozen import frozen
from umpi.kernel.extras import needs

if TYPE_CHECKING:
    from cryptography.x509 import Certificate, GeneralName

AUTHORITY, SERVER = "authority.pem", "server.pem"  # each contains a key and its certificate
DAY = timedelta(days=1)
AUTHORITY_LIFE = 20 * 365 * DAY
LIFE = 397 * DAY  # no phone accepts more than 825
RENEW = 90 * DAY  # before the end
LOOPBACK = ("localhost", "127.0.0.1", "::1")
HOST = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")


class BadCertificate(Exception):
    """Raised if HTTPS has no certificate that works; the message contains the place and the cause."""


class NoCryptography(BadCertificate):
    """Raised if the package that makes and reads certificates is not installed."""


@frozen
class Pair:
    """A certificate and its key in files, with the hosts that it is valid for and the time when it expires."""

    certificate: Path
    key: Path
    hosts: tuple[str, ...]
    expires: datetime


def now() -> datetime:
    """Return the calendar time, by which certificates expire."""
    return datetime.now(UTC)


def has_authority(folder: Path) -> bool:
    """Return whether the box has an authority of its own."""
    return (folder / AUTHORITY).exists()


def make_authority(folder: Path, name: str, hosts: Iterable[str], at: datetime) -> None:
    """Make an authority that may sign for `hosts` only: the names of the box, and its addresses of now.

    So whoever steals its key can pretend to be this box, but neither the router of the house nor a bank. A name also
    stands for the names below it (RFC 5280, 4.2.1.10). `name` is the box's. Raises BadCertificate.
    """
    x509, hashes, ec, _ = _library()
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, f"Umpi {name} {secrets.token_hex(3)}")])
    own = sorted({*hosts, *LOOPBACK})
    allowed = [x509.DNSName(host) for host in own if not is_address(host)]
    allowed += [x509.IPAddress(ipaddress.ip_network(host)) for host in own if is_address(host)]
    made = (
        _builder(subject, subject, key, at, at + AUTHORITY_LIFE)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage("key_cert_sign", "crl_sign"), critical=True)
        .add_extension(x509.NameConstraints(allowed, None), critical=True)
        .sign(key, hashes.SHA256())
    )
    _write(folder / AUTHORITY, key, made)


def is_wide(folder: Path) -> bool:
    """Return whether the authority may sign for whole networks, as the first ones could. Raises BadCertificate."""
    x509, *_ = _library()
    limits = _read(folder / AUTHORITY).extensions.get_extension_for_class(x509.NameConstraints).value
    return any(each.value.num_addresses > 1 for each in limits.permitted_subtrees if isinstance(each, x509.IPAddress))


def renew(folder: Path, hosts: Sequence[str], at: datetime) -> Pair:
    """Return a certificate of the box's own authority that is valid for `hosts`; a new one only if it is due.

    Hosts that the authority may not sign for are left out. Raises BadCertificate.
    """
    x509, hashes, ec, _ = _library()
    authority, authority_key = _read(folder / AUTHORITY), _read_key(folder / AUTHORITY)
    if at > authority.not_valid_after_utc:
        raise BadCertificate(f"{folder / AUTHORITY}: it has expired. Make a new one: umpi https --new")
    wanted = [host for host in hosts if _permitted(authority, host)]
    file = folder / SERVER
    with suppress(BadCertificate):
        held = _read(file)
        begins, ends = held.not_valid_before_utc, min(held.not_valid_after_utc - RENEW, authority.not_valid_after_utc)
        with suppress(Exception):  # another authority signed it, or the key is another's
            held.verify_directly_issued_by(authority)
            fits = _read_key(file).public_key() == held.public_key()
            if fits and begins <= at <= ends and set(wanted) <= set(_hosts(held)):
                return Pair(file, file, _hosts(held), held.not_valid_after_utc)
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Umpi box")])
    ends = min(at + LIFE - DAY, authority.not_valid_after_utc)
    made = (
        _builder(subject, authority.subject, key, at, ends)
        .add_extension(x509.SubjectAlternativeName([_general(host) for host in wanted]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage("digital_signature"), critical=True)
        .add_extension(x509.ExtendedKeyUsage([x509.ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.public_key()), critical=False)
        .sign(authority_key, hashes.SHA256())
    )
    _write(file, key, made)
    return Pair(file, file, tuple(wanted), ends)


def given(certificate: Path, key: Path, at: datetime) -> Pair:
    """Return the owner's certificate with its key. Raises BadCertificate."""
    found = _read(certificate)
    if at > found.not_valid_after_utc:
        raise BadCertificate(f"{certificate}: it expired on {found.not_valid_after_utc:%Y-%m-%d}.")
    if at < found.not_valid_before_utc:
        raise BadCertificate(f"{certificate}: it is valid only from {found.not_valid_before_utc:%Y-%m-%d} on.")
    if _read_key(key).public_key() != found.public_key():
        raise BadCertificate(f"{key}: this key does not belong to {certificate}.")
    return Pair(certificate, key, _hosts(found), found.not_valid_after_utc)


def context_of(pair: Pair) -> ssl.SSLContext:
    """Return what a server needs to use a certificate. Raises BadCertificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.options |= ssl.OP_NO_RENEGOTIATION
    try:
        context.load_cert_chain(pair.certificate, pair.key, password="")
    except (OSError, ValueError) as fault:
        raise BadCertificate(f"{pair.certificate}: {getattr(fault, 'strerror', None) or fault}") from None
    return context


def authority_of(folder: Path) -> tuple[bytes, str]:
    """Return the certificate of the box's authority for phones to install (DER), and its SHA-256 fingerprint.

    Raises BadCertificate.
    """
    _, hashes, _, serialization = _library()
    found = _read(folder / AUTHORITY)
    return found.public_bytes(serialization.Encoding.DER), found.fingerprint(hashes.SHA256()).hex(":").upper()


def _library() -> tuple[Any, Any, Any, Any]:
    """Return x509, hashes, elliptic curves and serialization of `cryptography`. Raises BadCertificate."""
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec
    except ImportError:
        raise NoCryptography(needs("HTTPS", "https")) from None
    return x509, hashes, ec, serialization


def _builder(subject: Any, issuer: Any, key: Any, at: datetime, ends: datetime) -> Any:
    x509, *_ = _library()
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(at - DAY)  # the clocks of phones differ
        .not_valid_after(ends)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _usage(*uses: str) -> Any:
    x509, *_ = _library()
    every = (
        "digital_signature", "content_commitment", "key_encipherment", "data_encipherment", "key_agreement",
        "key_cert_sign", "crl_sign", "encipher_only", "decipher_only",
    )  # fmt: skip
    return x509.KeyUsage(**{use: use in uses for use in every})


def _general(host: str) -> GeneralName:
    x509, *_ = _library()
    made: GeneralName = x509.IPAddress(ipaddress.ip_address(host)) if is_address(host) else x509.DNSName(host)
    return made


def _hosts(certificate: Certificate) -> tuple[str, ...]:
    x509, *_ = _library()
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    return tuple(str(name.value) for name in names)


def _permitted(authority: Certificate, host: str) -> bool:
    x509, *_ = _library()
    limits = authority.extensions.get_extension_for_class(x509.NameConstraints).value
    allowed: Collection[Any] = limits.permitted_subtrees
    if is_address(host):
        number = ipaddress.ip_address(host)
        return any(number in each.value for each in allowed if isinstance(each, x509.IPAddress))
    suffixes = [each.value for each in allowed if isinstance(each, x509.DNSName)]
    return HOST.fullmatch(host) is not None and any(host == each or host.endswith(f".{each}") for each in suffixes)


def is_address(host: str) -> bool:
    """Return whether a host is an address, and no name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def _read(path: Path) -> Certificate:
    x509, *_ = _library()
    try:
        found: Certificate = x509.load_pem_x509_certificate(path.read_bytes())
    except OSError as fault:
        raise BadCertificate(f"{path}: {fault.strerror or fault}") from None
    except ValueError:
        raise BadCertificate(f"{path}: this is not a certificate in PEM format.") from None
    return found


def _read_key(path: Path) -> Any:
    *_, serialization = _library()
    try:
        return serialization.load_pem_private_key(path.read_bytes(), None)
    except OSError as fault:
        raise BadCertificate(f"{path}: {fault.strerror or fault}") from None
    except (ValueError, TypeError):  # TypeError: it has a passphrase
        raise BadCertificate(f"{path}: this is not a private key in PEM format without a passphrase.") from None


def _write(path: Path, key: Any, certificate: Certificate) -> None:
    """Write both to one file, so that they always fit, readable by its owner only. Raises BadCertificate."""
    *_, serialization = _library()
    form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    text = key.private_bytes(*form) + certificate.public_bytes(serialization.Encoding.PEM)
    made = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(text)
            _own(file.fileno(), path.parent)
            file.flush()
            os.fsync(file.fileno())
        made.replace(path)
    except OSError as fault:
        with suppress(OSError):
            made.unlink(missing_ok=True)
        raise BadCertificate(f"{path}: {fault.strerror or fault}") from None


def _own(file: int, folder: Path) -> None:
    """If root makes a file, give it and its folder to the owner of the folder above, who runs the box."""
    if os.name == "posix" and os.geteuid() == 0:
        owner = folder.parent.stat()
        os.chown(folder, owner.st_uid, owner.st_gid)
        os.fchown(file, owner.st_uid, owner.st_gid)
