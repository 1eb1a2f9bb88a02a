"""Histories from MediaWiki dumps, git repositories and dated snapshots; whole ones, broken ones and hostile ones."""

from __future__ import annotations

import bz2
import gzip
import os
import subprocess
from pathlib import Path

import pytest

from aver.errors import InputError
from aver.revisions import PageRevision, Skipped, read_history

HEAD = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="en"><siteinfo></siteinfo>'


def page(title: str, *texts: str, ns: int = 0, comments: tuple[str, ...] = (), first: int = 10) -> str:
    """A page with these texts as its revisions."""
    made = "".join(
        f"<revision><id>{number}</id><parentid>{number - 1}</parentid>"
        f"<timestamp>2024-01-{number % 28 + 1:02}T00:00:00Z</timestamp>"
        f"<contributor><username>X</username><id>99</id></contributor>"
        f"<comment>{comments[at] if at < len(comments) else ''}</comment><model>wikitext</model>"
        f'<text bytes="1" xml:space="preserve">{text}</text></revision>'
        for at, (number, text) in enumerate(enumerate(texts, first))
    )
    return f"<page><title>{title}</title><ns>{ns}</ns><id>5</id>{made}</page>"


def dump(*pages: str) -> bytes:
    return (HEAD + "".join(pages) + "</mediawiki>").encode()


def revisions(path: Path, **options: object) -> list[PageRevision]:
    return [r for r in read_history(path, **options) if isinstance(r, PageRevision)]  # type: ignore[arg-type]


@pytest.mark.parametrize("pack", [lambda data: data, bz2.compress, gzip.compress])
def test_a_dump(tmp_path: Path, pack: object) -> None:
    path = tmp_path / "history"
    path.write_bytes(pack(dump(page("Tea", "Hot &amp; good.", "Cold."), page("Talk:Tea", "Hi.", ns=1))))  # type: ignore[operator]
    found = revisions(path)
    assert [(r.page, r.page_id, r.id, r.text, r.markup) for r in found] == [
        ("Tea", "5", "10", "Hot & good.", "wikitext"), ("Tea", "5", "11", "Cold.", "wikitext"),
    ]  # fmt: skip
    assert [r.page for r in revisions(path, namespaces=(1,))] == ["Talk:Tea"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"this is a letter, not XML", "expected a MediaWiki XML dump"),
        (b"<html><body>no</body></html>", "expected a MediaWiki dump"),
        (dump(page("A", "x"), page("B", "y"))[:-30], "cut off"),
        (dump(page("A", "x")).replace(b"</title>", b"</tilte>"), "broken XML"),
        (gzip.compress(dump(page("A", os.urandom(4000).hex())))[:-900], "cut off|cannot be read"),
        (bz2.compress(dump(page("A", os.urandom(4000).hex())))[:-900], "cut off|cannot be read"),
        (b"7z\xbc\xaf\x27\x1c" + b"\0" * 60, "7z|mediawiki"),
        (b'<!DOCTYPE mediawiki [<!ENTITY a "ha">]><mediawiki>&a;</mediawiki>', "refused"),
        (b'<!DOCTYPE mediawiki SYSTEM "http://example.org/x.dtd"><mediawiki/>', "refused"),
        (HEAD.encode() + b"<a>" * 200, "nest"),
    ],
)
def test_broken_and_hostile_dumps(tmp_path: Path, data: bytes, said: str) -> None:
    path = tmp_path / "dump.xml"
    path.write_bytes(data)
    with pytest.raises((InputError, ImportError), match=said) as told:
        list(read_history(path))
    assert str(path) in str(told.value) or "pip install" in str(told.value)


def test_an_entity_bomb_is_refused_before_it_grows(tmp_path: Path) -> None:
    lines = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    path = tmp_path / "bomb.xml"
    path.write_text(f'<!DOCTYPE m [<!ENTITY l0 "ha">{lines}]><mediawiki><page><title>&l11;</title></page></mediawiki>')
    with pytest.raises(InputError, match="refused"):
        list(read_history(path))


def test_a_text_of_any_length_is_not_held(tmp_path: Path) -> None:
    import tracemalloc

    path = tmp_path / "long.xml.gz"
    with gzip.open(path, "wb", 1) as file:
        file.write(HEAD.encode() + b"<page><title>Long</title><ns>0</ns><id>1</id><revision><id>1</id><text>")
        for _ in range(60):
            file.write(b"very long " * 100_000)
        file.write(b"</text></revision><revision><id>2</id><text>short</text></revision></page>")
        file.write(b"<page><title>Next</title><ns>0</ns><revision><id>3</id><comment>")
        file.write(b"c" * 5_000_000 + b"</comment><text>fine</text></revision></page></mediawiki>")
    tracemalloc.start()
    found = list(read_history(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [type(f).__name__ for f in found] == ["Skipped", "PageRevision", "PageRevision"]
    assert isinstance(found[0], Skipped)
    assert "longer" in found[0].reason
    assert isinstance(found[2], PageRevision)
    assert found[2].text == "fine"
    assert peak < 40_000_000


def test_a_tag_without_an_end_is_not_held(tmp_path: Path) -> None:
    path = tmp_path / "tag.xml.gz"
    with gzip.open(path, "wb", 1) as file:
        file.write(HEAD.encode() + b'<page foo="')
        for _ in range(40):
            file.write(b"x" * 1_000_000)
    with pytest.raises(InputError, match="goes on"):
        list(read_history(path))


def git(folder: Path, *words: str) -> None:
    environment = os.environ | {
        "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
        "GIT_COMMITTER_EMAIL": "a@example.org", "GIT_CONFIG_GLOBAL": os.devnull,
    }  # fmt: skip
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True, env=environment)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    for number, height in enumerate((52, 57, 60)):
        (folder / "tower.md").write_text(f"# Tower\n\nThe tower is *{height}* metres\nhigh today.\n")
        (folder / "ümlaut page.txt").write_text(f"There are {height} steps in the tower.\n")
        (folder / "code.py").write_text(f"x = {height}\n")
        (folder / "latin.txt").write_bytes(b"caf\xe9 " + bytes([65 + number]))
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", f"set the height to {height}")
    return folder


def test_a_git_repository(repository: Path) -> None:
    found = list(read_history(repository))
    texts = [r for r in found if isinstance(r, PageRevision)]
    assert [r.page for r in texts] == ["tower.md"] * 3 + ["ümlaut page.txt"] * 3
    assert [r.comment for r in texts[:3]] == [f"set the height to {n}" for n in (52, 57, 60)]
    assert texts[0].markup == "markdown"
    assert texts[0].timestamp.endswith("Z")
    assert len(texts[0].id) == 40
    assert [s.reason for s in found if isinstance(s, Skipped)] == ["not UTF-8"] * 3


def test_git_follows_first_parents_and_starts_nothing(repository: Path, tmp_path: Path) -> None:
    git(repository, "checkout", "-q", "-b", "side", "HEAD~1")
    (repository / "other.txt").write_text("A side branch wrote this line of text.\n")
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "side")
    git(repository, "checkout", "-q", "main")
    git(repository, "merge", "-q", "--no-ff", "-m", "merged side", "side")
    # what a hostile repository would have git start
    proof = tmp_path / "started"
    git(repository, "config", "core.fsmonitor", f"touch {proof}")
    git(repository, "config", "diff.external", f"touch {proof}")
    found = [r for r in read_history(repository) if isinstance(r, PageRevision)]
    assert [r.comment for r in found if r.page == "other.txt"] == ["merged side"]
    assert not proof.exists()


def test_no_commits_and_no_repository(tmp_path: Path) -> None:
    git_folder = tmp_path / "new"
    git_folder.mkdir()
    git(git_folder, "init", "-q")
    with pytest.raises(InputError, match="no commits"):
        list(read_history(git_folder))
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="empty folder"):
        list(read_history(tmp_path / "empty"))
    with pytest.raises(InputError, match="git cannot read"):
        list(read_history(tmp_path / "empty", kind="git"))
    with pytest.raises(InputError, match="no history of kind"):
        list(read_history(tmp_path / "empty", kind="svn"))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("files", "pages"),
    [
        (["2024-05-01/lake.txt", "2024-06-01/lake.txt"], ["lake", "lake"]),
        (["lake/2024-06-01.txt", "lake/2024-05-01.txt"], ["lake", "lake"]),
        (["lake-20240501.txt", "lake-20240601.txt"], ["lake", "lake"]),
        (["2024-05-01T10-30/a/b.txt", "2024-05-01T11-30/a/b.txt"], ["a/b", "a/b"]),
        (["2024-05-01_lake.md", "2024-05-01_tower.md"], ["lake", "tower"]),
    ],
)
def test_snapshots(tmp_path: Path, files: list[str], pages: list[str]) -> None:
    for number, name in enumerate(files):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"The text number {number} is here.")
    found = revisions(tmp_path)
    assert [r.page for r in found] == pages
    assert [r.timestamp for r in found] == sorted(r.timestamp for r in found)


def test_two_snapshots_of_one_page_and_date_are_told(tmp_path: Path) -> None:
    (tmp_path / "2024-05-01").mkdir()
    (tmp_path / "2024-05-01/lake.html").write_text("<p>The lake is 7 m deep.")
    (tmp_path / "2024-05-01/lake.txt").write_text("The lake is 5 m deep.")
    (tmp_path / "latest").symlink_to("2024-05-01")
    first, second = read_history(tmp_path)
    assert isinstance(first, PageRevision)
    assert first.text == "The lake is 7 m deep."
    assert second == Skipped("lake", "2024-05-01", "a second file of the same page and date")


def test_snapshots_without_a_date_are_told(tmp_path: Path) -> None:
    (tmp_path / "lake.txt").write_text("Text.")
    with pytest.raises(InputError, match="no file in it has a date"):
        list(read_history(tmp_path))
    (tmp_path / "lake-2024-05-01.txt").write_text("Text.")
    (tmp_path / "lake-2024-13-77.txt").write_text("Text.")
    found = list(read_history(tmp_path))
    assert sorted(type(f).__name__ for f in found) == ["PageRevision", "Skipped", "Skipped"]
