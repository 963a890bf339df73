"""Pairing: codes made at the box, wrong ones slowed and voided, sessions that outlive a restart and can be revoked."""

from __future__ import annotations

import asyncio
import random
import threading
from typing import Any

import pytest

from tests.kit.at_table import CODE, HERE, Table, laid
from tests.kit.patience import limit_s, soon
from tests.kit.rig import SECOND, Rigs
from umpi.journal import Journal, open_to_read
from umpi.table.commands import PairPhone, UnpairPhone
from umpi.table.sources import Phone
from umpi.web import acting
from umpi.web.codes import ADDRESSES, AGAIN, FIRST, Codes, PhoneSession, S, TooSoon, WrongCode, phone_name


def pair(codes: Codes, code: str, address: str, name: str, now_ns: int) -> tuple[str, PhoneSession]:
    """Pair a phone as the web server does when the referee accepts its request."""
    secret, session = codes.redeem(code, address, name, now_ns)
    assert codes.enter(session, code)
    return secret, session


def test_a_code_holds_for_a_minute_and_once() -> None:
    codes = Codes()
    code, until_ns = codes.make_code(2, SECOND)
    assert (len(code), code.isdecimal(), until_ns) == (6, True, 61 * SECOND)
    secret, session = pair(codes, code, "a", "iPhone", 60 * SECOND)
    assert (session.who, session.name) == ("yellow", "iPhone")
    assert codes.session(secret) is session
    with pytest.raises(WrongCode):
        codes.redeem(code, "b", "iPhone", 60 * SECOND)


def test_a_code_that_is_a_minute_old_opens_nothing() -> None:
    codes = Codes()
    code, until_ns = codes.make_code(None, 0)
    with pytest.raises(WrongCode):
        codes.redeem(code, "a", "", until_ns)


def test_a_new_code_takes_the_place_of_the_old_one() -> None:
    digits = iter((111_111, 222_222))
    codes = Codes(digits=lambda below: next(digits))
    old, _ = codes.make_code(0, 0)
    new, _ = codes.make_code(1, 0)
    with pytest.raises(WrongCode):
        codes.redeem(old, "a", "", 1)
    assert pair(codes, new, "b", "", 1)[1].who == "blue"


def test_each_wrong_try_doubles_the_wait_of_its_address_and_of_no_other() -> None:
    codes = Codes(digits=lambda below: CODE)
    waits, now_ns = [], 0
    for _ in range(13):
        codes.make_code(None, now_ns)
        with pytest.raises(WrongCode):
            codes.redeem("000000", "a", "", now_ns)
        with pytest.raises(TooSoon) as soon:
            codes.redeem(f"{CODE}", "a", "", now_ns)
        waits.append(soon.value.wait_s)
        now_ns += soon.value.wait_s * SECOND
    assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600]
    codes.make_code(None, now_ns)
    assert codes.redeem(f"{CODE}", "b", "", now_ns)


def test_of_two_phones_that_enter_a_code_at_once_one_is_paired() -> None:
    codes = Codes()
    code, _ = codes.make_code(None, 0)
    one, other = (codes.redeem(code, address, "", 0)[1] for address in "ab")
    assert [codes.enter(session, code) for session in (one, other)] == [True, False]
    assert codes.paired() == ((one.id, None, ""),)


@pytest.mark.parametrize("strangers", [1, 5, 59])
def test_strangers_who_guess_all_the_time_keep_nobody_from_pairing(strangers: int) -> None:
    codes = Codes(digits=lambda below: CODE)
    codes.make_code(None, 0)
    now_ns = 0
    for guess in range(20_000):
        now_ns += SECOND // 1000
        with pytest.raises((WrongCode, TooSoon)):
            codes.redeem("000000", f"192.168.1.{guess % strangers}", "", now_ns)
    assert pair(codes, f"{CODE}", "192.168.1.99", "", now_ns)


def test_a_typing_error_at_the_table_costs_a_second_even_while_strangers_guess() -> None:
    codes = Codes(digits=lambda below: CODE)
    codes.make_code(None, 0)
    now_ns = 0
    with pytest.raises(WrongCode):
        codes.redeem("123465", "192.168.1.99", "", now_ns)
    for guess in range(1000):
        now_ns += SECOND // 1000
        with pytest.raises((WrongCode, TooSoon)):
            codes.redeem("000000", f"192.168.1.{guess % 5}", "", now_ns)
    assert pair(codes, f"{CODE}", "192.168.1.99", "", now_ns)


def test_a_device_has_one_wait_for_all_its_ipv6_addresses() -> None:
    codes = Codes(digits=lambda below: CODE)
    codes.make_code(None, 0)
    with pytest.raises(WrongCode):
        codes.redeem("000000", "2001:db8::1", "", 0)
    with pytest.raises(TooSoon):
        codes.redeem("000000", "2001:db8::2", "", 0)
    with pytest.raises(WrongCode):
        codes.redeem("000000", "2001:db8:0:1::2", "", 0)


@pytest.mark.slow
@pytest.mark.parametrize(("addresses", "guesses"), [(1, 100_000), (7, 100_000), (5000, 1_000_000)])
def test_a_million_guesses_do_not_get_in(addresses: int, guesses: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The guesser knows when a code is made, tries a thousand a second, and never repeats a guess.

    Only as many are compared as the docstring of Codes says, from all phones together.
    """
    monkeypatch.setattr("umpi.web.codes.network_of", str)  # each address is a name, as it is
    chance = random.Random(addresses)
    codes = Codes(digits=lambda below: chance.randrange(below))
    compared = entered = tries = 0
    now_ns = 0
    for _ in range(guesses // 60_000 + 1):
        codes.make_code(None, now_ns)
        for _ in range(60_000):
            tries += 1
            now_ns += SECOND // 1000
            try:
                codes.redeem(f"{tries % 1_000_000:06}", f"{tries % addresses}", "", now_ns)
                entered += 1
            except WrongCode:
                compared += 1
            except TooSoon:
                pass
    seconds = now_ns // SECOND
    assert tries >= guesses
    assert compared <= FIRST[0] + AGAIN[0] + (FIRST[1] + AGAIN[1]) * (seconds + 1)
    assert compared <= 16 * addresses, "and each address waits longer and longer"
    assert entered == 0, "the chance of one is below 0.003 here, and this seed is none"


def test_how_many_addresses_are_kept_apart_is_bounded() -> None:
    codes = Codes(digits=lambda below: CODE)
    for number in range(5000):
        with pytest.raises(WrongCode):
            codes.redeem("000000", f"2001:db8:0:{number:x}::1", "", number * SECOND)
    assert len(codes._tries) == ADDRESSES


def test_a_code_that_is_no_code_is_wrong() -> None:
    codes = Codes(digits=lambda below: 0)
    assert codes.make_code(None, 0)[0] == "000000"
    for number, guess in enumerate(("", "0", "0000000", "००००००", "\0")):
        with pytest.raises(WrongCode):
            codes.redeem(guess, f"{number}", "", 0)


def test_only_the_hash_of_a_secret_is_kept(rigs: Rigs) -> None:
    table = Table(rigs())
    secret = table.paired(0).client.cookies["umpi"]
    assert len(secret) >= 43, "256 bits"
    rigs.switch_off()
    assert secret.encode() not in rigs.folder.joinpath("games.db").read_bytes()
    file = open_to_read(rigs.folder / "games.db")
    ((who, name, revoked),) = file.execute("SELECT who, name, revoked FROM phone").fetchall()
    file.close()
    assert (who, name, revoked) == ("red", "phone", None)


def test_sessions_survive_a_restart_until_they_are_revoked_at_the_box(rigs: Rigs) -> None:
    """Pairing can be revoked at the box; sessions survive a restart. A replayed secret opens nothing."""
    table = laid(rigs, "dodekka", ["Rosie", "Tom"], [{"do": "deal", "cards": ["air-4", "fire-4", "water-4"]}])
    secret = table.paired(0).client.cookies["umpi"]
    rigs.switch_off()

    table = Table(rigs())
    phone = table.phone()
    phone.client.cookies.set("umpi", secret)
    assert phone.act("turn", card="earth-4").status_code == 200
    assert table.referee.panel.table.state.phones == ((1, "Red: phone"),)
    table.rig.grant(UnpairPhone(1))
    assert phone.act("take", card="fire-4").status_code == 401
    assert table.referee.panel.table.state.phones == ()
    rigs.switch_off()

    table = Table(rigs())
    phone = table.phone()
    phone.client.cookies.set("umpi", secret)
    assert phone.get("me").json() == {"who": None, "waiting": False, "claim": ""}
    assert phone.act("take", card="fire-4").status_code == 401


def test_a_phone_that_leaves_is_forgotten(rigs: Rigs) -> None:
    table = Table(rigs())
    phone = table.paired()
    secret = phone.client.cookies["umpi"]
    assert phone.post("unpair").json() == {"who": None}
    assert "umpi" not in phone.client.cookies
    phone.client.cookies.set("umpi", secret)
    assert phone.get("me").json() == {"who": None, "waiting": False, "claim": ""}
    assert table.loop.journal.phones() == []


def test_the_box_shows_the_code_with_a_countdown_and_removes_it(rigs: Rigs) -> None:
    table = laid(rigs, "dodekka", ["Rosie", "Tom"])
    panel, rig = table.referee.panel, table.rig
    rig.grant(PairPhone(1))
    assert panel.table.state.code == (str(CODE), HERE + "/", "Tom", 60)
    rig.wait_ms(1500)
    assert panel.table.state.code[3] == 59
    rig.wait_ms(60_000)
    assert panel.table.state.code is None
    assert table.phone().post("pair", code=str(CODE)).status_code == 403


def test_a_code_that_was_used_leaves_the_screen(rigs: Rigs) -> None:
    table = Table(rigs())
    table.rig.grant(PairPhone(None))
    assert table.referee.panel.table.state.code[2] == "Referee"
    phone = table.phone(headers={"Origin": HERE, "User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0)"})
    assert phone.post("pair", code=str(CODE)).json() == {"who": {"role": "referee"}}
    assert table.referee.panel.table.state.code is None
    assert table.referee.panel.table.state.phones == ((1, "Referee: iPhone"),)


def pair_while(table: Table, monkeypatch: pytest.MonkeyPatch, meanwhile: Any) -> Any:
    """Pair a phone with a referee that is slow; `meanwhile` is run on the loop until there is an answer."""
    monkeypatch.setattr(acting, "PATIENCE_S", 0.05)
    phone = table.phone()
    table.codes.make_code(0, table.rig.now_ns)

    async def ask() -> Any:
        asking = asyncio.ensure_future(phone.client.post("/api/pair", json={"code": str(CODE)}))
        while not asking.done():
            await meanwhile()
            await asyncio.sleep(0)
        return await asking

    answered = table.rig.run(ask())
    monkeypatch.undo()
    assert (answered.status_code, "set-cookie" in answered.headers) == (503, False)
    return phone


async def nothing() -> None:
    pass


def test_a_pairing_that_times_out_leaves_the_code_valid(rigs: Rigs, monkeypatch: pytest.MonkeyPatch) -> None:
    """The code stays valid, no phone is paired, nothing is written, and no cookie is set."""
    table = Table(rigs())
    phone = pair_while(table, monkeypatch, nothing)
    assert table.codes.paired() == ()
    table.rig.settle()
    assert (table.codes.paired(), table.loop.journal.phones()) == ((), [])
    assert phone.post("pair", code=str(CODE)).status_code == 200
    assert len(table.loop.journal.phones()) == 1


def test_a_pairing_that_times_out_during_the_write_leaves_the_code_valid(
    rigs: Rigs, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = Table(rigs())
    journal, written = table.loop.journal, threading.Event()
    write = journal.pair

    def slow(**given: Any) -> None:
        written.wait(limit_s())
        write(**given)

    monkeypatch.setattr(journal, "pair", slow)
    settling: list[Any] = []

    async def settle() -> None:
        settling or settling.append(asyncio.ensure_future(table.loop.catch_up()))

    with monkeypatch.context() as patience:
        phone = pair_while(table, patience, settle)
    written.set()
    monkeypatch.undo()
    table.rig.run(soon(settling[0]))
    table.rig.settle()
    assert (table.codes.paired(), journal.phones()) == ((), [])
    assert phone.post("pair", code=str(CODE)).status_code == 200


def test_a_box_without_a_desk_offers_no_pairing(rigs: Rigs) -> None:
    rigs.codes_of = None
    rig = rigs()
    assert rig.referee.panel.table.state.phones is None
    rig.grant(PairPhone(None))
    assert rig.referee.panel.table.state.code is None


def test_a_pairing_that_cannot_be_written_holds_and_is_written_later(rigs: Rigs) -> None:
    table = Table(rigs())
    journal: Journal = table.loop.journal
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
    assert [str(Phone(button)) for button in (None, 0, 5)] == ["phone:referee", "phone:Red", "phone:Black"]


def test_an_invitation_makes_one_phone_the_referees_however_late() -> None:
    codes = Codes()
    invitation = codes.invite()
    _, session = codes.redeem(invitation, "192.168.4.20", "phone", 900 * S)
    assert session.button is None
    assert codes.enter(session, invitation)
    codes.reopen(session)
    assert codes.enter(session, invitation), "the journal was too slow: it may be used again"
    assert not codes.enter(session, invitation)
    with pytest.raises(WrongCode):
        codes.redeem(invitation, "192.168.4.21", "phone", 901 * S)
    with pytest.raises(WrongCode):
        codes.redeem("", "192.168.4.22", "phone", 902 * S)
