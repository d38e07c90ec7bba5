"""Settings: their defaults, files for secrets, errors that name the variable and never its value."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from referee.infrastructure.settings import PREFIX, RateLimits, Settings, SettingsError, list_variables, read_settings

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No setting from outside, and a home of its own."""
    for name in list_variables():
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))


def wrong(monkeypatch: pytest.MonkeyPatch, **variables: str) -> SettingsError:
    for name, value in variables.items():
        monkeypatch.setenv(PREFIX + name, value)
    with pytest.raises(SettingsError) as caught:
        read_settings()
    return caught.value


def test_without_any_variable_the_server_listens_on_this_machine_only_and_keeps_data_at_the_users_place(tmp_path):
    settings = read_settings()
    assert (settings.host, settings.port, settings.workers, settings.threads) == ("127.0.0.1", 8080, 2, 256)
    assert settings.store_url is settings.queue_url is None
    assert settings.rates == RateLimits()
    if not str(settings.data_dir).startswith(str(Path.home() / "Library")):
        assert settings.data_dir == tmp_path / "share" / "referee"
    assert settings.secret_file == settings.data_dir / "secret"


def test_an_error_names_every_wrong_variable_at_once(monkeypatch):
    error = wrong(monkeypatch, PORT="99999", WORKERS="many", LOG_LEVEL="loud", RATE_JOINS="0", CORS_ORIGINS="a.example")
    assert set(error.problems) == {
        f"REFEREE_{name}" for name in ("PORT", "WORKERS", "LOG_LEVEL", "RATE_JOINS", "CORS_ORIGINS")
    }
    assert error.exit_code == 2
    assert all(name in str(error) for name in error.problems)


def test_an_error_never_quotes_a_url_nor_a_settings_text_its_password(monkeypatch):
    error = wrong(monkeypatch, STORE_URL="http://user:s3cret@host")
    assert "s3cret" not in str(error)
    monkeypatch.setenv("REFEREE_STORE_URL", "redis://user:s3cret@host")
    monkeypatch.setenv("REFEREE_TOKEN", "rfs_s3cret")
    assert "s3cret" not in repr(read_settings())


@pytest.mark.parametrize(
    ("name", "field"), [("STORE_URL", "store_url"), ("QUEUE_URL", "queue_url"), ("TOKEN", "token")]
)
def test_a_secret_may_stand_in_a_file(monkeypatch, tmp_path, name, field):
    file = tmp_path / "secret"
    file.write_text("redis://there\n")
    monkeypatch.setenv(f"REFEREE_{name}_FILE", str(file))
    assert getattr(read_settings(), field) == "redis://there"


def test_a_secret_file_that_is_missing_is_named_by_its_variable(monkeypatch, tmp_path):
    error = wrong(monkeypatch, TOKEN_FILE=str(tmp_path / "nothing"))
    assert list(error.problems) == ["REFEREE_TOKEN_FILE"]


def test_lists_are_split_at_commas(monkeypatch):
    monkeypatch.setenv("REFEREE_CORS_ORIGINS", "https://a.example, http://localhost:3000")
    monkeypatch.setenv("REFEREE_WEBHOOK_ALLOW", "10.0.0.0/8")
    settings = read_settings()
    assert settings.cors_origins == ("https://a.example", "http://localhost:3000")
    assert settings.webhook_allow == ("10.0.0.0/8",)


@pytest.mark.parametrize("url", ["table.example", "https://table.example/path", "ftp://table.example", "https://a b"])
def test_the_public_address_is_an_origin_and_names_have_no_port(monkeypatch, url):
    assert set(wrong(monkeypatch, PUBLIC_URL=url, ALLOWED_HOSTS="a.example,b:80").problems) == {
        "REFEREE_PUBLIC_URL",
        "REFEREE_ALLOWED_HOSTS",
    }


@pytest.mark.parametrize("name", ["API_URL", "STORE_URL", "PUBLIC_URL", "CORS_ORIGINS"])
def test_an_address_in_wrong_brackets_is_refused_by_the_name_of_its_setting(monkeypatch, name):
    assert set(wrong(monkeypatch, **{name: "http://[bad"}).problems) == {f"REFEREE_{name}"}


@pytest.mark.parametrize("name", ["API_URL", "STORE_URL", "QUEUE_URL"])
@pytest.mark.parametrize("port", ["99999", "x", "-1"])
def test_an_address_with_an_impossible_port_is_refused_by_the_name_of_its_setting(monkeypatch, name, port):
    scheme = "http" if name == "API_URL" else "redis"
    problems = wrong(monkeypatch, **{name: f"{scheme}://127.0.0.1:{port}"}).problems
    assert {each: "a port that is no number up to 65535" in str(said) for each, said in problems.items()} == {
        f"REFEREE_{name}": True
    }


@pytest.mark.parametrize("address", ["9464", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:65536", "::1:80", "a b:80", "a:x"])
def test_an_address_of_metrics_is_host_and_port(monkeypatch, address):
    assert set(wrong(monkeypatch, METRICS_ADDRESS=address).problems) == {"REFEREE_METRICS_ADDRESS"}
    for good, bind in (("127.0.0.1:9464", ("127.0.0.1", 9464)), ("[::1]:9464", ("::1", 9464)), ("", None)):
        monkeypatch.setenv("REFEREE_METRICS_ADDRESS", good)
        assert read_settings().metrics_bind == bind


def test_a_wrong_address_of_the_network_is_told_like_any_other_error(monkeypatch):
    assert set(wrong(monkeypatch, LAN_URL="ftp://table").problems) == {"REFEREE_LAN_URL"}


def test_a_child_process_reads_the_very_same_settings(monkeypatch, tmp_path):
    full = replace(
        read_settings().with_data_dir(tmp_path / "data"),
        store_url="unix:///a%20b.sock",
        queue_url="redis://q",
        store_cluster=True,
        store_replicas=2,
        store_replicas_ms=700,
        store_server=tmp_path / "valkey-server",
        cards_dir=tmp_path,
        open_creation=False,
        cors_origins=("https://a.example", "https://b.example"),
        rates=RateLimits(reads=7, joins=3),
        ephemeral=True,
        log_level="debug",
        lan_url="http://192.168.0.20:8080",
        metrics_address="127.0.0.1:9464",
        public_url="https://table.example",
        allowed_hosts=("table.lan", "referee"),
    )
    for name, value in full.to_environment().items():
        monkeypatch.setenv(name, value)
    assert read_settings() == full
    assert set(full.to_environment()) <= list_variables()


def test_the_clients_token_is_not_handed_to_children():
    settings = Settings(Path("/d"), Path("/s"), Path("/k"), Path("/o"), token="rfs_x")
    assert "rfs_x" not in settings.to_environment().values()


def test_every_setting_and_no_other_is_explained_in_the_example_file():
    listed = set(re.findall(r"^#? ?(REFEREE_[A-Z_]+)=", (ROOT / ".env.example").read_text(), re.M))
    assert listed == list_variables()


def test_sixteen_threads_stay_free_of_streams(monkeypatch):
    assert read_settings().max_streams == 240
    monkeypatch.setenv("REFEREE_THREADS", "4")
    assert read_settings().max_streams == 1


def test_one_address_holds_half_of_the_places_unless_told_otherwise(monkeypatch):
    assert (read_settings().streams_per_token, read_settings().max_streams_per_address) == (12, 120)
    monkeypatch.setenv("REFEREE_STREAMS_PER_ADDRESS", "240")
    assert read_settings().max_streams_per_address == 240
    monkeypatch.setenv("REFEREE_THREADS", "4")
    monkeypatch.setenv("REFEREE_STREAMS_PER_ADDRESS", "0")
    assert read_settings().max_streams_per_address == 1
