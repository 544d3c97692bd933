"""Where a webhook may lead: what its URL may say, and which addresses a connection may be made to."""

import ipaddress
import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from urllib.parse import urlsplit

# What may stand in a URL (RFC 3986), but for a user and a fragment: the one would be sent, the other never is.
URL_PATTERN = r"^https?://[0-9A-Za-z.:_\[\]-]+(?:[/?][!$%-;=?-Z_a-z~\[\]]*)?$"
_LABEL = "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
_NAME = re.compile(rf"(?=.{{1,253}}$){_LABEL}(?:\.{_LABEL})*\.?")
_IN_BRACKETS = re.compile(r"\[[0-9A-Fa-f:.]+\](?::[0-9]*)?")

# By the registries of special addresses, and not by `is_global` alone: that has let some of these pass, by version.
_NEVER = tuple(
    map(
        ipaddress.ip_network,
        (
            "0.0.0.0/8",  # this host, and this network
            "169.254.0.0/16",  # link-local: where clouds keep their secrets
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, and broadcast
            "::/128",
            "fe80::/10",  # link-local
            "fec0::/10",  # site-local, as it once was
            "ff00::/8",  # multicast
        ),
    )
)
_NOT_PUBLIC = tuple(
    map(
        ipaddress.ip_network,
        (
            "10.0.0.0/8",
            "100.64.0.0/10",  # shared by the customers of a carrier
            "127.0.0.0/8",
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",
            "192.88.99.0/24",  # relays of 6to4
            "192.168.0.0/16",
            "198.18.0.0/15",
            "198.51.100.0/24",
            "203.0.113.0/24",
            "2001::/23",  # Teredo and others that carry an address within the address
            "2001:db8::/32",
            "2002::/16",  # 6to4, which carries one too
            "3fff::/20",
        ),
    )
)
_UNICAST = ipaddress.ip_network("2000::/3")


@dataclass(frozen=True, slots=True)
class Target:
    """A URL in its parts; `authority` is what the Host header says, `path` has the query too."""

    is_tls: bool
    host: str
    port: int
    authority: str
    path: str


def target_of(url: str) -> Target:
    """The parts of a webhook's URL. ValueError says what would be taken."""
    if not re.fullmatch(URL_PATTERN, url):
        raise ValueError("Give a URL such as https://example.org/told, without a user, spaces or a fragment.")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
        in_brackets = _IN_BRACKETS.fullmatch(parts.netloc) is not None
        bare = str(IPv6Address(host)) if in_brackets else host
        if port == 0 or not (in_brackets or _NAME.fullmatch(host)):
            raise ValueError(host)
    except ValueError:
        raise ValueError("This URL names no host and port that could be reached.") from None
    is_tls = parts.scheme == "https"
    shown = f"[{bare}]" if in_brackets else host
    authority = shown if port is None else f"{shown}:{port}"
    path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    return Target(is_tls, bare, port or (443 if is_tls else 80), authority, path)


def is_allowed(address: str, *, private: bool) -> bool:
    """Whether a connection may be made to an address as the resolver gives it.

    `private` lets those pass that are not of the public internet, but never link-local ones and those of no one host.
    """
    known: IPv4Address | IPv6Address = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(known, IPv6Address) and known.ipv4_mapped is not None:
        known = known.ipv4_mapped
    if any(known in network for network in _NEVER):
        return False
    if private:
        return True
    # Of IPv6 that leaves out what translates to IPv4 (64:ff9b::/96), loopback, and private networks (fc00::/7).
    is_unicast = known.version == 4 or known in _UNICAST
    return is_unicast and known.is_global and not any(known in network for network in _NOT_PUBLIC)


def literal_in(host: str) -> str | None:
    """The address that a host is written as; None where it is a name."""
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        return None
