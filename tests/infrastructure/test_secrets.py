"""Private files: made once, whole, for the owner alone; weak or exposed ones are refused."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from referee.infrastructure.errors import HostError
from referee.infrastructure.secrets import (
    InsecureFileError,
    create_operator_token,
    derive_key,
    is_operator_token,
    load_server_secret,
    make_private_dir,
    write_private_file,
)

ROOT = Path(__file__).parents[2]
GOOD = "6b1f0e8a94c27d355fe2a3b8c1d04976e5aa10bb3c7d82f69e40135724fd8c6b"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_secret_is_made_at_the_first_start_and_stays(tmp_path):
    first = load_server_secret(tmp_path / "deep" / "secret")
    assert len(first) == 32
    assert load_server_secret(tmp_path / "deep" / "secret") == first
    assert mode(tmp_path / "deep" / "secret") == 0o600
    assert os.listdir(tmp_path / "deep") == ["secret"], "no half-made file is left behind"


def test_processes_that_start_first_at_the_same_time_agree_on_one_secret(tmp_path):
    program = (
        "import sys; from pathlib import Path; from referee.infrastructure.secrets import load_server_secret\n"
        "sys.stdin.readline(); print(load_server_secret(Path(sys.argv[1])).hex())"
    )
    starters = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path / "secret")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for _ in range(4)
    ]
    answers = set()
    for starter in starters:
        assert starter.stdin is not None
        starter.stdin.write("go\n")
        starter.stdin.flush()
    for starter in starters:
        answers.add(starter.communicate(timeout=60)[0].strip())
    assert len(answers) == 1
    assert len(answers.pop()) == 64


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("changeme", "hexadecimal"),
        ("00" * 32, "too weak"),
        ("0123456789abcdef" * 4, "too weak"),
        (GOOD[:60], "too weak"),
        ("\N{BULLET}" * 64, "hexadecimal"),
    ],
)
def test_a_weak_secret_is_refused(tmp_path, text, says):
    path = tmp_path / "secret"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(InsecureFileError, match=says):
        load_server_secret(path)


def test_a_secret_that_others_may_read_is_refused_with_its_mending(tmp_path):
    path = tmp_path / "secret"
    path.write_text(GOOD)
    path.chmod(0o640)
    with pytest.raises(InsecureFileError, match=r"0640.*chmod 600"):
        load_server_secret(path)
    path.chmod(0o600)
    assert load_server_secret(path).hex() == GOOD


def test_keys_for_different_uses_tell_nothing_of_each_other():
    secret = bytes.fromhex(GOOD)
    assert len({derive_key(secret, use) for use in ("draws", "tokens", "match-id")} | {secret}) == 4
    # known answer, redone with: openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt hexkey:<secret>
    #                            -kdfopt hexsalt: -kdfopt info:referee/v1/draws HKDF
    assert derive_key(secret, "draws").hex() == "4fea051ba0b6c114beecb467759085e1b29c21cbea4c94840780194d32640f39"


def test_the_first_writer_wins_unless_told_to_replace(tmp_path):
    assert write_private_file(tmp_path / "f", b"a", replace=False)
    assert not write_private_file(tmp_path / "f", b"b", replace=False)
    assert (tmp_path / "f").read_bytes() == b"a"
    assert write_private_file(tmp_path / "f", b"b", replace=True)
    assert (tmp_path / "f").read_bytes() == b"b"
    assert mode(tmp_path / "f") == 0o600


def test_a_private_directory_is_closed_to_others_even_if_it_stood_open(tmp_path):
    (tmp_path / "open").mkdir(mode=0o755)
    assert mode(make_private_dir(tmp_path / "open")) == 0o700


def test_a_directory_that_cannot_be_made_is_refused_and_names_the_setting(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(HostError, match="REFEREE_DATA_DIR"):
        make_private_dir(tmp_path / "file" / "below")


def test_the_operators_token_is_kept_as_a_hash_and_the_newest_counts(tmp_path):
    path = tmp_path / "operator.sha256"
    assert not is_operator_token(path, "rfs_anything")
    first = create_operator_token(path, replace=False)
    assert first is not None
    assert first.startswith("rfs_")
    assert len(first) == 47
    assert first not in path.read_text()
    assert create_operator_token(path, replace=False) is None, "it is shown once only"
    assert is_operator_token(path, first)
    second = create_operator_token(path, replace=True)
    assert second is not None
    assert is_operator_token(path, second)
    assert not is_operator_token(path, first)
    assert mode(path) == 0o600
