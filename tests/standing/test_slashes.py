"""A name may hold slashes, in any place: its player is found under it; a slash too many anywhere else is no address."""

import pytest

from tests.accounts.people import open_account, refused, told
from tests.api.caller import Api


@pytest.mark.parametrize("name", ["/abc", "//abc", "a//bc", "abc/", "/////", "a/../b"])
def test_a_player_is_found_by_a_name_with_slashes(fresh_api: Api, name: str) -> None:
    open_account(fresh_api, name)
    for path in (f"/v1/players/{name}", f"/v1/players/{name.replace('/', '%2F')}"):
        assert told(fresh_api.get(path))["name"] == name


@pytest.mark.parametrize("path", ["/v1//rules", "//v1/rules", "/v1/tables/x//leave", "/v1//players/abc"])
def test_a_slash_too_many_is_no_redirect(fresh_api: Api, path: str) -> None:
    answer = fresh_api.get(path, headers={"Host": "elsewhere.example"})
    assert refused(answer) == (404, "not_found")
    assert "Location" not in answer.headers
