"""What an account may be called, and when two names are one."""

import unicodedata

import pytest

from tests.accounts.people import PASSWORD, ask, new_name, open_account, pointers, refused, told
from tests.api.caller import Api

pytestmark = pytest.mark.usefixtures("cheap_passwords")

FITS = ["ana", "a" * 24, "Ana Bo", "漢字か", "Zoë", "Ångström", "ﷺ" * 24, "ΐ" * 24, "a.b-c_d", "😀😀😀", "ana7"]


@pytest.mark.parametrize("name", FITS)
def test_a_name_is_kept_as_it_was_given(fresh_api: Api, name: str) -> None:
    opened = told(ask(fresh_api, "POST", "/v1/accounts", {"name": name, "password": PASSWORD}), 201)
    assert opened["name"] == unicodedata.normalize("NFC", name)
    me = told(ask(fresh_api, "GET", "/v1/me", token=opened["token"]))
    assert (me["name"], me["kind"]) == (opened["name"], "account")
    entered = told(ask(fresh_api, "POST", "/v1/tokens", {"name": name, "password": PASSWORD}), 201)
    assert entered["name"] == opened["name"] and entered["token"] != opened["token"]


HIDDEN = {
    "a NUL": "\x00",
    "a line feed": "\n",
    "a tab": "\t",
    "delete": "\x7f",
    "a control of Latin 1": "\x85",
    "a soft hyphen": "\xad",
    "zero width space": "\u200b",
    "zero width joiner": "\u200d",
    "word joiner": "\u2060",
    "a byte order mark": "\ufeff",
    "left to right mark": "\u200e",
    "right to left mark": "\u200f",
    "Arabic letter mark": "\u061c",
    "right to left override": "\u202e",
    "left to right embedding": "\u202a",
    "first strong isolate": "\u2068",
    "pop directional isolate": "\u2069",
    "no-break space": "\xa0",
    "ideographic space": "\u3000",
    "line separator": "\u2028",
    "a tag": "\U000e0061",
    "private use": "\ue000",
    "nothing assigned": "\u0378",
    "half a surrogate pair": "\ud800",
    # Letters and marks by their category, and yet nothing to be seen.
    "combining grapheme joiner": "\u034f",
    "Hangul filler": "\u3164",
    "half width Hangul filler": "\uffa0",
    "Hangul choseong filler": "\u115f",
    "variation selector": "\ufe0f",
    "variation selector supplement": "\U000e0100",
    "Mongolian variation selector": "\u180b",
    "Khmer inherent vowel": "\u17b4",
    "blank Braille pattern": "\u2800",
}


@pytest.mark.parametrize("hidden", HIDDEN)
def test_a_name_holds_nothing_that_cannot_be_seen(api: Api, hidden: str) -> None:
    for name in (f"an{HIDDEN[hidden]}a", f"ana{HIDDEN[hidden]}", HIDDEN[hidden] * 3):
        for path in ("/v1/accounts", "/v1/tokens"):
            assert pointers(ask(api, "POST", path, {"name": name, "password": PASSWORD})) == ["/name"]


OTHERWISE_WRONG = ["", "an", "a" * 25, " ana", "ana ", "a  na", "   ", 7, None, ["ana"], {"x": 1}, True]


@pytest.mark.parametrize("name", OTHERWISE_WRONG, ids=repr)
def test_a_name_has_3_to_24_characters_and_single_spaces_between(api: Api, name: object) -> None:
    before = api.rows()
    assert pointers(ask(api, "POST", "/v1/accounts", {"name": name, "password": PASSWORD})) == ["/name"]
    assert api.rows() == before


def test_characters_are_counted_as_they_are_shown(api: Api) -> None:
    composed = "é" * 24
    body = {"name": unicodedata.normalize("NFD", composed), "password": PASSWORD}
    assert told(ask(api, "POST", "/v1/accounts", body), 201)["name"] == composed


SAME = [
    ("ana", "ANA"),
    ("straße", "STRASSE"),
    ("straße", "STRAẞE"),
    ("İstanbul", "i̇stanbul"),
    ("ana9", "ａｎａ９"),
    ("ana8", "ＡＮＡ８"),
    ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
    ("ﬁona", "FIONA"),
    ("ᾳᾳᾳ", "ΑΙΑΙΑΙ"),
    ("Åsa", "Åsa"),
    ("zoë", "ZOE\u0308"),
    ("ǅeta", "ǆeta"),
    ("Kelvin", "Kelvin"),
    ("ana²", "ana2"),
    ("ᏸᏸᏸ", "ᏰᏰᏰ"),
    ("ŉora", "ʼNORA"),
]


@pytest.mark.parametrize("pair", SAME, ids=str)
def test_names_are_one_without_case(fresh_api: Api, pair: tuple[str, str]) -> None:
    for first, second in (pair, pair[::-1]):
        token = open_account(fresh_api, first)
        before = fresh_api.rows()
        answer = ask(fresh_api, "POST", "/v1/accounts", {"name": second, "password": PASSWORD})
        assert refused(answer) == (409, "name_taken")
        assert fresh_api.rows() == before
        # And either is taken to enter by; the name stays as it was first given.
        entered = told(ask(fresh_api, "POST", "/v1/tokens", {"name": second, "password": PASSWORD}), 201)
        assert entered["name"] == unicodedata.normalize("NFC", first)
        assert ask(fresh_api, "DELETE", "/v1/me", token=token).status_code == 204


@pytest.mark.parametrize("names", [("anna", "ana"), ("zoe", "zoë"), ("ana1", "ana 1"), ("ısı", "isi")], ids=str)
def test_other_names_are_others(fresh_api: Api, names: tuple[str, str]) -> None:
    assert open_account(fresh_api, names[0]) != open_account(fresh_api, names[1])


@pytest.mark.parametrize("password", ["", "1234567", "x" * 129, 12345678, None, ["12345678"], "\ud800" * 9], ids=repr)
def test_a_password_has_8_to_128_characters(api: Api, password: object) -> None:
    for path in ("/v1/accounts", "/v1/tokens"):
        answer = ask(api, "POST", path, {"name": new_name(), "password": password})
        assert pointers(answer) == ["/password"]
        assert len(str(password)) < 7 or str(password) not in answer.text


@pytest.mark.parametrize(
    "password", ["12345678", "x" * 128, "   spaces   ", "пароль и 漢字", "a\nb\tc\x01d..", "😀" * 8]
)
def test_a_password_is_any_text_and_taken_exactly(api: Api, password: str) -> None:
    name = new_name()
    open_account(api, name, password)
    assert ask(api, "POST", "/v1/tokens", {"name": name, "password": password}).status_code == 201
    for other in (password + " ", password.upper() + "!", password[:-1] + "?"):
        if len(other) <= 128:
            assert refused(ask(api, "POST", "/v1/tokens", {"name": name, "password": other})) == (
                401,
                "bad_credentials",
            )


@pytest.mark.parametrize("path", ["/v1/accounts", "/v1/tokens"])
def test_a_body_holds_a_name_a_password_and_nothing_else(api: Api, path: str) -> None:
    assert sorted(pointers(ask(api, "POST", path, {}))) == ["/name", "/password"]
    more = {"name": new_name(), "password": PASSWORD, "coins": 1}
    assert pointers(ask(api, "POST", path, more)) == ["/coins"]
    assert refused(ask(api, "POST", path, [])) == (422, "invalid_request")
