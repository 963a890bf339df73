"""Pairing: codes made at the box, wrong ones slowed and voided, sessions that outlive a restart and can be revoked."""

from __future__ import annotations

import random
from typing import Any

import pytest
from at_table import CODE, HERE, Table, laid

from conftest import SECOND
from umpi.desk.pairing import WRONG, Codes, TooSoon, WrongCode, phone_name
from umpi.journal import Journal, open_to_read
from umpi.panel.pairing import Pair, Unpair
from umpi.tap import phone_of


def test_a_code_holds_for_a_minute_and_once() -> None:
    codes = Codes()
    code, until_ns = codes.code(2, SECOND)
    assert (len(code), code.isdecimal(), until_ns) == (6, True, 61 * SECOND)
    secret, session = codes.redeem(code, "a", "iPhone", 60 * SECOND)
    assert (session.who, session.name) == ("yellow", "iPhone")
    assert codes.session(secret) is session
    with pytest.raises(WrongCode):
        codes.redeem(code, "b", "iPhone", 60 * SECOND)


def test_a_code_that_is_a_minute_old_opens_nothing() -> None:
    codes = Codes()
    code, until_ns = codes.code(None, 0)
    with pytest.raises(WrongCode):
        codes.redeem(code, "a", "", until_ns)


def test_a_new_code_takes_the_place_of_the_old_one() -> None:
    digits = iter((111_111, 222_222))
    codes = Codes(digits=lambda below: next(digits))
    old, _ = codes.code(0, 0)
    new, _ = codes.code(1, 0)
    with pytest.raises(WrongCode):
        codes.redeem(old, "a", "", 1)
    assert codes.redeem(new, "b", "", 1)[1].who == "blue"


def test_each_wrong_try_doubles_the_wait_of_its_address_and_of_no_other() -> None:
    codes = Codes(digits=lambda below: CODE)
    waits, now_ns = [], 0
    for _ in range(13):
        codes.code(None, now_ns)
        with pytest.raises(WrongCode):
            codes.redeem("000000", "a", "", now_ns)
        with pytest.raises(TooSoon) as soon:
            codes.redeem(f"{CODE}", "a", "", now_ns)
        waits.append(soon.value.wait_s)
        now_ns += soon.value.wait_s * SECOND
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600]
    codes.code(None, now_ns)
    assert codes.redeem(f"{CODE}", "b", "", now_ns)


def test_five_wrong_tries_void_the_code_wherever_they_come_from() -> None:
    codes = Codes(digits=lambda below: CODE)
    codes.code(None, 0)
    for guess in range(WRONG):
        with pytest.raises(WrongCode):
            codes.redeem(f"{guess:06}", f"192.168.1.{guess}", "", 0)
    assert not codes.open(0)
    with pytest.raises(WrongCode):
        codes.redeem(f"{CODE}", "192.168.1.99", "", 0)


@pytest.mark.parametrize("addresses", [1, 7, 5000])
def test_a_million_tries_get_in_no_more_often_than_five_in_a_million_codes(addresses: int) -> None:
    """Five guesses a code of a million: 5e-6 for each code that somebody makes at the box, tried as fast as can be.

    Here the guesser knows when a code is made and begins each with the guesses not made yet; of a million tries at
    most five in a code are so much as compared.
    """
    chance = random.Random(addresses)
    codes = Codes(digits=lambda below: chance.randrange(below))
    compared = made = entered = tries = 0
    now_ns = 0
    while tries < 1_000_000:
        codes.code(None, now_ns)
        made += 1
        for _ in range(10_000):  # tries at this one, a millisecond each
            tries += 1
            now_ns += SECOND // 1000
            try:
                codes.redeem(f"{tries % 1_000_000:06}", f"{tries % addresses}", "", now_ns)
                entered += 1
            except WrongCode:
                compared += codes.open(now_ns)
            except TooSoon:
                pass
    assert made == 100
    assert compared <= (WRONG - 1) * made, "the fifth voids it"
    assert entered == 0, "the chance of one is 5e-4 here, and this seed is none"


def test_how_many_addresses_are_kept_apart_is_bounded() -> None:
    codes = Codes(digits=lambda below: CODE)
    for number in range(5000):
        with pytest.raises(WrongCode):
            codes.redeem("000000", f"2001:db8::{number:x}", "", number)
    assert len(codes._tries) <= 1024


def test_a_code_that_is_no_code_is_wrong() -> None:
    codes = Codes(digits=lambda below: 0)
    assert codes.code(None, 0)[0] == "000000"
    for number, guess in enumerate(("", "0", "0000000", "००००००", "\0")):
        with pytest.raises(WrongCode):
            codes.redeem(guess, f"{number}", "", 0)


def test_only_the_hash_of_a_secret_is_kept(rigs: Any) -> None:
    table = Table(rigs())
    secret = table.paired(0).client.cookies["umpi"]
    assert len(secret) >= 43, "256 bits"
    rigs.switch_off()
    assert secret.encode() not in rigs.folder.joinpath("games.db").read_bytes()
    file = open_to_read(rigs.folder / "games.db")
    ((who, name, revoked),) = file.execute("SELECT who, name, revoked FROM phone").fetchall()
    file.close()
    assert (who, name, revoked) == ("red", "phone", None)


def test_the_cookie_is_kept_from_scripts_and_from_other_pages(rigs: Any) -> None:
    table = Table(rigs())
    phone = table.phone()
    table.codes.code(0, table.rig.now_ns)
    set_cookie = phone.post("pair", code=" 123 456 ").headers["set-cookie"].lower()
    for part in ("httponly", "samesite=strict", "path=/", "max-age=31536000"):
        assert part in set_cookie
    assert phone.get("me").json() == {"who": {"role": "seat", "button": "red", "seat": None, "name": "Red"}}


def test_wrong_codes_are_told_so_and_slowed(rigs: Any) -> None:
    table = Table(rigs())
    table.codes.code(0, table.rig.now_ns)
    phone = table.phone()
    assert phone.post("pair", code="000000").status_code == 403
    slowed = phone.post("pair", code=str(CODE))
    assert (slowed.status_code, slowed.headers["retry-after"]) == (429, "1")
    assert "set-cookie" not in slowed.headers
    table.rig.now_ns += SECOND
    assert phone.post("pair", code=str(CODE)).status_code == 200


def test_sessions_survive_a_restart_until_they_are_revoked_at_the_box(rigs: Any) -> None:
    """Pairing can be revoked at the box; sessions survive a restart. A replayed secret opens nothing."""
    table = laid(rigs, "dodekka", ["Rosie", "Tom"], [{"do": "deal", "cards": ["air-4", "fire-4", "water-4"]}])
    secret = table.paired(0).client.cookies["umpi"]
    rigs.switch_off()

    table = Table(rigs())
    phone = table.phone()
    phone.client.cookies.set("umpi", secret)
    assert phone.act("turn", card="earth-4").status_code == 200
    assert table.referee.panel.phones == ((1, "Red: phone"),)
    table.rig.grant(Unpair(1))
    assert phone.act("take", card="fire-4").status_code == 401
    assert table.referee.panel.phones == ()
    rigs.switch_off()

    table = Table(rigs())
    phone = table.phone()
    phone.client.cookies.set("umpi", secret)
    assert phone.get("me").json() == {"who": None}
    assert phone.act("take", card="fire-4").status_code == 401


def test_a_phone_that_leaves_is_forgotten(rigs: Any) -> None:
    table = Table(rigs())
    phone = table.paired()
    secret = phone.client.cookies["umpi"]
    assert phone.post("unpair").json() == {"who": None}
    assert "umpi" not in phone.client.cookies
    phone.client.cookies.set("umpi", secret)
    assert phone.get("me").json() == {"who": None}
    assert table.referee.journal.phones() == []


def test_the_box_shows_the_code_counts_down_and_takes_it_away(rigs: Any) -> None:
    table = laid(rigs, "dodekka", ["Rosie", "Tom"])
    panel, rig = table.referee.panel, table.rig
    rig.grant(Pair(1))
    assert panel.code == (str(CODE), HERE + "/", "Tom", 60)
    rig.wait_ms(1500)
    assert panel.code[3] == 59
    rig.wait_ms(60_000)
    assert panel.code is None
    assert table.phone().post("pair", code=str(CODE)).status_code == 403


def test_a_code_that_was_used_leaves_the_screen(rigs: Any) -> None:
    table = Table(rigs())
    table.rig.grant(Pair(None))
    assert table.referee.panel.code[2] == "The referee"
    phone = table.phone(headers={"Origin": HERE, "User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0)"})
    assert phone.post("pair", code=str(CODE)).json() == {"who": {"role": "referee"}}
    assert table.referee.panel.code is None
    assert table.referee.panel.phones == ((1, "The referee: iPhone"),)


def test_a_press_takes_the_code_away_and_voids_it(rigs: Any) -> None:
    table = Table(rigs())
    table.rig.grant(Pair(None))
    table.rig.press("ok")
    assert table.referee.panel.code is None
    assert not table.codes.open(table.rig.now_ns)


def test_a_box_without_a_desk_offers_no_pairing(rigs: Any) -> None:
    rig = rigs()
    assert rig.referee.panel.phones is None
    rig.grant(Pair(None))
    assert rig.referee.panel.code is None


def test_a_pairing_that_cannot_be_written_holds_and_is_written_later(rigs: Any) -> None:
    table = Table(rigs())
    journal: Journal = table.referee.journal
    file, journal._file = journal._file, None
    moved = journal.path.rename(journal.path.with_suffix(".away"))
    journal.path.mkdir()
    phone = table.paired(0)
    assert phone.get("me").json()["who"]["button"] == "red"
    journal.path.rmdir()
    moved.rename(journal.path)
    table.rig.wait_ms(1100)
    assert [who for _, who, _ in journal.phones()] == ["red"]
    file.close()


@pytest.mark.parametrize(
    ("agent", "name"),
    [("", "phone"), ("curl/8", "phone"), ("Mozilla/5.0 (Linux; Android 15)", "Android"), ("\x1b[2Jx iPad", "iPad")],
)
def test_a_phone_is_called_by_words_of_our_own(agent: str, name: str) -> None:
    assert phone_name(agent) == name


def test_phones_are_named_in_the_journal_by_whose_they_are() -> None:
    assert [phone_of(button) for button in (None, 0, 5)] == ["phone:referee", "phone:Red", "phone:Black"]
