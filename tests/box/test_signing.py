"""Signatures: what is signed, byte by byte; that no change passes; and the file with the key of a box."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("cryptography", reason="pip install cryptography")

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from umpi.box.signing import BadSignature, SigningKey, check, read_key

# RFC 8032, section 7.1, test 1
SECRET = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
PUBLIC = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
KEY = SigningKey.of(SECRET)


def test_a_key_is_that_of_the_standard() -> None:
    assert KEY.public == PUBLIC


def test_the_signature_is_over_these_bytes() -> None:
    """As the reference of the API says it, so that other programs can check it."""
    signed = KEY.sign("result", {"uid": "ü", "scores": [9, -8], "over": True, "ended": None})
    text = f'umpi-result\n{{"ended":null,"key":"{PUBLIC}","over":true,"scores":[9,-8],"uid":"\\u00fc"}}'
    Ed25519PublicKey.from_public_bytes(bytes.fromhex(PUBLIC)).verify(bytes.fromhex(signed["signature"]), text.encode())


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner, max_size=3), max_leaves=5
)
contents = st.dictionaries(st.text().filter(lambda key: key not in ("key", "signature")), values, max_size=5)


@pytest.mark.slow
@given(contents, contents)
def test_what_is_signed_is_accepted_and_no_other_content(content: dict[str, Any], other: dict[str, Any]) -> None:
    signed = KEY.sign("result", content)
    assert check("result", signed) == PUBLIC
    if repr(other) != repr(content):
        with pytest.raises(BadSignature):
            check("result", {**other, "key": PUBLIC, "signature": signed["signature"]})


@given(st.integers(0, 127), st.sampled_from("0123456789abcdef"))
def test_no_changed_digit_passes(place: int, digit: str) -> None:
    signed = KEY.sign("receipt", {"uid": "u1"})
    for name in ("key", "signature"):
        text = signed[name]
        changed = f"{text[: place % len(text)]}{digit}{text[place % len(text) + 1 :]}"
        if changed != text:
            with pytest.raises(BadSignature):
                check("receipt", {**signed, name: changed})


def test_a_signature_is_for_one_purpose() -> None:
    with pytest.raises(BadSignature):
        check("offer", KEY.sign("result", {"uid": "u1"}))


@pytest.mark.parametrize("key", ["", "00" * 32, "ff" * 32, PUBLIC.upper(), PUBLIC + "\n", None, 5, [PUBLIC]])
def test_a_wrong_key_is_refused(key: Any) -> None:
    with pytest.raises(BadSignature):
        check("result", {**KEY.sign("result", {}), "key": key})


def test_without_key_and_signature_nobody_has_signed() -> None:
    assert check("result", {"uid": "u1"}) == ""
    assert check("result", {"key": "", "signature": ""}) == ""


def test_a_box_keeps_its_key_in_a_file_for_itself(tmp_path: Path) -> None:
    assert read_key(tmp_path, make=False) is None
    assert list(tmp_path.iterdir()) == []
    made = read_key(tmp_path, make=True)
    assert made
    assert read_key(tmp_path, make=False) == made
    (file,) = tmp_path.iterdir()
    assert (file.name, file.stat().st_mode & 0o777) == ("box.key", 0o600)


def test_threads_that_ask_at_once_get_the_same_key(tmp_path: Path) -> None:
    start, found = threading.Barrier(8), list[SigningKey | None]()

    def ask() -> None:
        start.wait()
        found.append(read_key(tmp_path, make=True))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({each and each.public for each in found}) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["box.key"]


@pytest.mark.parametrize("text", ["", "\n", "12", "z" * 64, "é" * 32])
def test_a_damaged_key_stays_and_nothing_is_signed(tmp_path: Path, caplog: pytest.LogCaptureFixture, text: str) -> None:
    (tmp_path / "box.key").write_text(text)
    assert read_key(tmp_path, make=True) is None
    assert (tmp_path / "box.key").read_text() == text
    assert "nothing is signed" in caplog.text


def test_a_folder_that_cannot_be_written_has_no_key(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "file").write_text("")
    assert read_key(tmp_path / "file" / "below", make=True) is None
    assert "nothing is signed" in caplog.text
