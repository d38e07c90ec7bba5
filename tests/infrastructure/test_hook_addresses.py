"""Where webhooks may be sent: what leads inside is refused, by its form or when it is looked up."""

from __future__ import annotations

import ipaddress
import socket
from typing import Any

import pytest

from referee.infrastructure.webhooks.url_policy import (
    HostUnreachableError,
    UrlRefusedError,
    WebhookTarget,
    is_permitted_address,
    parse_networks,
    parse_target,
    resolve_addresses,
)

LAN = parse_networks(["192.168.0.0/16", "127.0.0.1"])
REFUSED_FORMS = [
    "https://127.0.0.1/", "https://127.1/", "https://127.0.1/", "https://2130706433/", "https://0x7f000001/",
    "https://0x7f.0.0.1/", "https://0177.0.0.1/", "https://00000177.0.0.1/", "https://127.0.0.01/", "https://0/",
    "https://0.0.0.0/", "https://127.0.0.1./", "https://10.0.0.1/", "https://172.16.3.4/", "https://172.31.255.255/",
    "https://192.168.1.1/", "https://169.254.169.254/latest/meta-data/", "https://100.64.0.1/", "https://192.0.0.8/",
    "https://192.0.2.1/", "https://198.18.0.1/", "https://198.51.100.7/", "https://203.0.113.9/", "https://224.0.0.1/",
    "https://239.255.255.250/", "https://240.0.0.1/", "https://255.255.255.255/", "https://192.88.99.1/",
    "https://168.63.129.16/", "https://256.1.1.1/", "https://1.2.3.4.5/", "https://1.2.3/", "https://4294967296/",
    "https://[::1]/", "https://[::]/", "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/",
    "https://[::ffff:8.8.8.8]/", "https://[::127.0.0.1]/", "https://[::8.8.8.8]/", "https://[64:ff9b::7f00:1]/",
    "https://[64:ff9b::808:808]/", "https://[64:ff9b:1::1]/", "https://[2002:7f00:1::]/", "https://[2002:808:808::1]/",
    "https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/", "https://[2001:db8::1]/", "https://[3fff::1]/",
    "https://[fe80::1]/", "https://[fe80::1%25eth0]/", "https://[fe80::1%eth0]/", "https://[fec0::1]/",
    "https://[fc00::1]/", "https://[fd00:ec2::254]/", "https://[ff02::1]/", "https://[100::1]/", "https://[5f00::1]/",
    "https://[::ffff:0:127.0.0.1]/", "https://[::1", "https://[127.0.0.1]/", "https://::1/", "https://[v1.x]/",
    "https://localhost/", "https://LOCALHOST/", "https://a.localhost/", "https://localhost./", "https://redis/",
    "https://printer.local/", "https://metadata.google.internal/", "https://nas.lan/", "https://x.home.arpa/",
    "https://user@example.org/", "https://user:pass@example.org/", "https://@example.org/",
    "https://example.org@127.0.0.1/", "https://127.0.0.1#@example.org/", "https://example.org\\@127.0.0.1/",
    "https://example.org\\.evil/", "https:///x", "https://", "https:example.org", "//example.org/", "example.org",
    "http://example.org/", "ftp://example.org/", "file:///etc/passwd", "gopher://example.org/", "javascript:alert(1)",
    "https://example.org:0/", "https://example.org:22/", "https://example.org:25/", "https://example.org:80/",
    "https://example.org:65536/", "https://example.org:-1/", "https://example.org:x/", "https://example.org/#x",
    "https://example.org/ x", "https://example.org/\r\nX: y", "https://example.org\t/", " https://example.org/",
    "https://ex\u00e4mple.org/", "https://\uff11\uff12\uff17.0.0.1/", "https://\u2460.example.org/", "",
    "https://exa_mple.org:443:443/", "https://-example.org/", "https://example-.org/", "https://.example.org/",
    "https://example..org/", "https://example.123/", "https://example.0x7f/", "https://a" + "b" * 64 + ".org/",
    "https://example.org/" + "x" * 2048, "https://%31%32%37.0.0.1/", "https://example.org%00.evil.com/",
    "https://*.example.org/", "https://example.org,evil.org/",
]  # fmt: skip


@pytest.mark.parametrize("url", REFUSED_FORMS, ids=ascii)
def test_a_url_of_this_form_is_refused(url: str) -> None:
    with pytest.raises(UrlRefusedError) as refused:
        parse_target(url)
    assert url == "" or url not in str(refused.value)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.org", WebhookTarget("https", "example.org", 443, "/")),
        ("https://Hooks.Example.ORG:8443/a/b?c=d&e", WebhookTarget("https", "hooks.example.org", 8443, "/a/b?c=d&e")),
        ("https://example.org?x", WebhookTarget("https", "example.org", 443, "/?x")),
        ("https://93.184.216.34/x", WebhookTarget("https", "93.184.216.34", 443, "/x")),
        ("https://[2606:2800:220:1::1]:443/", WebhookTarget("https", "2606:2800:220:1::1", 443, "/")),
        ("https://xn--exmple-cua.org/", WebhookTarget("https", "xn--exmple-cua.org", 443, "/")),
        ("https://a_b.example.org/", WebhookTarget("https", "a_b.example.org", 443, "/")),
    ],
)
def test_a_public_url_is_taken_apart(url: str, expected: WebhookTarget) -> None:
    assert parse_target(url) == expected


def test_what_the_operator_allows_is_open_and_nothing_beside_it() -> None:
    assert parse_target("http://192.168.3.4:81/x", LAN) == WebhookTarget("http", "192.168.3.4", 81, "/x")
    assert parse_target("http://127.0.0.1:9/", LAN).port == 9
    assert parse_target("http://nas/", LAN).host == "nas"
    assert parse_target("https://example.org/", LAN).port == 443
    for url in ("http://192.169.0.1/", "http://127.0.0.2/", "http://8.8.8.8/", "https://10.0.0.1/", "http://2130706433/",
                "http://[::ffff:192.168.3.4]/", "http://[::1]/", "http://u@nas/", "http://224.0.0.1/"):  # fmt: skip
        with pytest.raises(UrlRefusedError):
            parse_target(url, LAN)
    many = parse_networks(["0.0.0.0/0", "::/0"])
    for url in ("http://224.0.0.1/", "http://0.0.0.0/", "http://[ff02::1]/", "http://[::]/"):
        with pytest.raises(UrlRefusedError):
            parse_target(url, many)


def found(*addresses: str) -> Any:
    """A name server that tells these addresses, and notes how often it was asked."""

    def lookup(host: str, port: int, **how: Any) -> list[Any]:
        lookup.asked.append((host, port))  # type: ignore[attr-defined]
        return [
            (socket.AF_INET6 if ":" in one else socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port))
            for one in addresses
        ]

    lookup.asked = []  # type: ignore[attr-defined]
    return lookup


PUBLIC = WebhookTarget("https", "hooks.example.org", 443, "/")
INSIDE = [
    "127.0.0.1", "127.255.255.254", "0.0.0.0", "10.1.2.3", "172.20.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1",
    "192.0.0.170", "192.0.2.1", "198.19.255.255", "224.0.0.251", "255.255.255.255", "240.0.0.1", "192.88.99.2",
    "168.63.129.16", "::1", "::", "::ffff:127.0.0.1", "::ffff:93.184.216.34", "::127.0.0.1", "64:ff9b::a9fe:a9fe",
    "2002:a00:1::1", "2001::1", "2001:db8::1", "fe80::1", "fe80::1%lo", "fec0::1", "fc00::1", "fd12::1", "ff05::2",
    "100::1", "4000::1",
]  # fmt: skip


@pytest.mark.parametrize("address", INSIDE)
def test_a_name_that_leads_inside_is_refused_when_it_is_looked_up(address: str) -> None:
    for answers in ((address,), ("93.184.216.34", address), (address, "93.184.216.34")):
        lookup = found(*answers)
        with pytest.raises(HostUnreachableError):
            resolve_addresses(PUBLIC, (), lookup)
        assert len(lookup.asked) == 1


def test_a_name_that_leads_to_public_addresses_is_taken() -> None:
    assert resolve_addresses(PUBLIC, (), found("93.184.216.34", "2606:2800:220:1::1", "93.184.216.34")) == (
        "93.184.216.34",
        "2606:2800:220:1::1",
    )


def test_http_and_low_ports_are_for_the_allow_list_alone() -> None:
    for at in (WebhookTarget("http", "nas", 80, "/"), WebhookTarget("https", "nas", 22, "/")):
        assert resolve_addresses(at, LAN, found("192.168.7.7")) == ("192.168.7.7",)
        for addresses in (("93.184.216.34",), ("192.168.7.7", "93.184.216.34"), ("10.0.0.1",)):
            with pytest.raises(HostUnreachableError):
                resolve_addresses(at, LAN, found(*addresses))


@pytest.mark.parametrize("error", [socket.gaierror(-2, "no"), OSError("x"), UnicodeError("label too long")])
def test_a_name_that_leads_nowhere_is_unreachable(error: Exception) -> None:
    def lookup(*_: Any, **__: Any) -> Any:
        raise error

    with pytest.raises(HostUnreachableError):
        resolve_addresses(PUBLIC, (), lookup)
    with pytest.raises(HostUnreachableError):
        resolve_addresses(PUBLIC, (), found())
    with pytest.raises(HostUnreachableError):
        resolve_addresses(PUBLIC, (), found("no address"))


def test_the_c_library_would_have_taken_the_odd_spellings_for_addresses() -> None:
    """What the refusals above are for."""
    for odd in ("2130706433", "0x7f.1", "0177.0.0.1", "127.1"):
        assert socket.inet_aton(odd) == bytes([127, 0, 0, 1])


def test_all_special_purpose_addresses_known_to_python_are_closed_here() -> None:
    samples = [ipaddress.ip_address(number << 16 | 257) for number in range(0, 65536, 7)]
    samples += [ipaddress.IPv6Address(number << 112 | 1) for number in range(0, 65536, 7)]
    for address in samples:
        if is_permitted_address(address, PUBLIC):
            assert address.is_global
            assert not any((address.is_multicast, address.is_reserved, address.is_loopback, address.is_link_local))


def test_an_allow_list_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="10"):
        parse_networks(["10.0.0.1/8"])
    with pytest.raises(ValueError, match="nas"):
        parse_networks(["nas"])
