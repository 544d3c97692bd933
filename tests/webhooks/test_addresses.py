"""Which addresses a connection may be made to, and which URLs are taken."""

import pytest

from ginapi.service.addresses import is_allowed, literal_in, target_of

PUBLIC = ["8.8.8.8", "1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "192.0.1.1", "2606:4700::1", "2a00::1"]

# Not of the public internet: taken only where private addresses are.
PRIVATE = [
    *("127.0.0.1", "127.255.255.254", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.1.1"),
    *("100.64.0.1", "100.127.255.255"),  # shared by the customers of a carrier
    *("192.0.0.1", "192.0.0.9", "192.0.2.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9"),
    "192.88.99.1",  # a relay of 6to4
    *("::1", "fc00::1", "fd12:3456::1"),
    *("2001:db8::1", "3fff::1", "100::1", "5f00::1", "4000::1"),
    "2001::5db8:d822",  # Teredo
    *("2002:7f00:1::", "2002:a00:1::1", "2002:808:808::1"),  # 6to4, of whatever is within
    *("64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1"),  # NAT64
    *("::7f00:1", "::808:808"),  # IPv4-compatible, as it once was
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:c0a8:101", "::ffff:100.64.0.1"),
]

# Nobody's, everybody's, or what a cloud keeps its secrets behind.
NEVER = [
    *("0.0.0.0", "0.1.2.3", "169.254.169.254", "169.254.0.1", "224.0.0.1", "239.255.255.250", "240.0.0.1"),
    *("255.255.255.255", "::", "fe80::1", "fe80::1%eth0", "febf::1", "fec0::1", "ff02::1", "ff0e::1"),
    *("::ffff:0.0.0.0", "::ffff:169.254.169.254", "::ffff:224.0.0.1", "::ffff:255.255.255.255"),
]


@pytest.mark.parametrize("address", [*PUBLIC, "::ffff:8.8.8.8"])
def test_an_address_of_the_public_internet_may_be_connected_to(address: str) -> None:
    assert is_allowed(address, private=False)
    assert is_allowed(address, private=True)


@pytest.mark.parametrize("address", PRIVATE)
def test_a_private_address_may_be_connected_to_only_where_it_is_configured(address: str) -> None:
    assert not is_allowed(address, private=False)
    assert is_allowed(address, private=True)


@pytest.mark.parametrize("address", NEVER)
def test_some_addresses_may_never_be_connected_to(address: str) -> None:
    assert not is_allowed(address, private=False)
    assert not is_allowed(address, private=True)


TAKEN = {
    "https://example.org": (True, "example.org", 443, "example.org", "/"),
    "http://example.org/": (False, "example.org", 80, "example.org", "/"),
    "https://Example.ORG:8443/told?key=a%20b&c": (True, "example.org", 8443, "example.org:8443", "/told?key=a%20b&c"),
    "https://example.org?key=1": (True, "example.org", 443, "example.org", "/?key=1"),
    "https://example.org/@ana": (True, "example.org", 443, "example.org", "/@ana"),
    "https://example.org:443/": (True, "example.org", 443, "example.org:443", "/"),
    "https://example.org:/": (True, "example.org", 443, "example.org", "/"),
    "http://localhost:8000/x": (False, "localhost", 8000, "localhost:8000", "/x"),
    "http://a_b.example.org./": (False, "a_b.example.org.", 80, "a_b.example.org.", "/"),
    "http://8.8.8.8/": (False, "8.8.8.8", 80, "8.8.8.8", "/"),
    "http://[2606:4700::1]:81/": (False, "2606:4700::1", 81, "[2606:4700::1]:81", "/"),
    # What the resolver takes for 127.0.0.1 is a name until it has said so.
    "http://0x7f.1/": (False, "0x7f.1", 80, "0x7f.1", "/"),
    "http://2130706433/": (False, "2130706433", 80, "2130706433", "/"),
}


@pytest.mark.parametrize("url", TAKEN)
def test_a_url_comes_apart(url: str) -> None:
    target = target_of(url)
    assert (target.is_tls, target.host, target.port, target.authority, target.path) == TAKEN[url]


@pytest.mark.parametrize(
    "url",
    [
        *("", "example.org", "//example.org", "ftp://example.org", "file:///etc/passwd", "gopher://example.org"),
        *("https://", "https:///told", "https://:443/", "https://.example.org/", "https://a..b/", "https://-a.org/"),
        *("https://ana@example.org/", "https://ana:secret@example.org/", "https://example.org#top"),
        *("https://example.org/a b", "https://example.org/\n", "https://example.org/\r\nHost: x", "https://exa\tmple.org"),
        *("https://example.org:0/", "https://example.org:65536/", "https://example.org:x/", "https://example.org:-1/"),
        *("https://[::1", "https://::1/", "https://[example.org]/", "https://[fe80::1%25eth0]/", "https://[::1]x/"),
        *("https://bücher.example/", "https://example.org/ü", "https://example.org\\@evil.org/", "https://exa%6dple.org"),
        *(f"https://{'a' * 64}.org/", f"https://{'a.' * 127}org/"),
    ],
)  # fmt: skip
def test_a_url_that_leads_nowhere_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r"^(Give a URL|This URL)"):
        target_of(url)


def test_an_address_is_told_from_a_name() -> None:
    assert literal_in("127.0.0.1") == "127.0.0.1"
    assert literal_in("::1") == "::1"
    assert literal_in("example.org") is None
    assert literal_in("0x7f.1") is None
