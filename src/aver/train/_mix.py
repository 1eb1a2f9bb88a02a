"""What a judge is trained on: every source as rows of one shape, with the leaks taken out.

A row is a claim, an evidence and whichever targets its source can give: a verdict, a relevance, a factual-edit
flag (then `claim` and `evidence` are the two versions of a sentence), the deciding characters of the evidence.
Rows whose claim stands in a set we report on are dropped, whatever their source.
"""

from __future__ import annotations

import dataclasses
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from aver.errors import InputError
from aver.labels import Label
from aver.records import iter_numbered
from aver.revisions import KINDS, Passage, harmless_edit, synthesise
from aver.revisions._synthesise import gazetteer
from aver.text import split_sentences
from aver.train._documents import QUESTION_FILES, SWAPPED_FILE, from_passages, from_questions, from_swapped, passages
from aver.train._fever_text import FEVER_TEXT
from aver.train._fever_text import marked_claims as marked_in_fever
from aver.train._human import BEGIN_FILES, SUMMARY_FILES, WICE_FILE, articles, dialogues, marked_claims, summaries
from aver.train._related import Claim, Related, Subjects, bound, conjoined, elsewhere, grounded, retrieved, shared
from aver.train._spans import changed_spans, twins
from aver.train._templates import comparisons, measures

__all__ = [
    "CHOOSE_FOLD",
    "EVALUATION",
    "FEVER",
    "FILES",
    "MORE_FILES",
    "MORE_SETS",
    "PAIR_SETS",
    "REPORT_FOLD",
    "TRAIN_FOLDS",
    "Row",
    "evaluation_rows",
    "held_out_claims",
    "introduction_sentences",
    "labelled_rows",
    "normalised",
    "pool_rows",
    "read",
    "unlabelled_rows",
]

DOCUMENT_PAGES = 9_000
"""Wikipedia introductions whose sentences are read against the whole of them."""
RARE_KINDS, RARE_PAGES = (
    ("unit", "spelled number", "clock", "quantifier", "roles", "exchange", "converse", "relation", "step"), 20_000
)  # fmt: skip
"""Contrasts that few sentences offer, and how many introductions are looked through for them."""
BOUND_CLAIMS = 6_000
"""Of VitaminC's, each part: claims whose words are found with other subjects."""
TEMPLATE_GROUPS = 3_000
"""Groups of pairs about two things that are compared; as many about measures."""
TRAIN_FOLDS, CHOOSE_FOLD, REPORT_FOLD = range(7), 7, 8

# Sets of claim/evidence pairs that may be trained on; what is not named here is for evaluation only. SICK and JFLEG
# (copy edits) are left out for their non-commercial licences.
PAIR_SETS = (
    "attributionbench_dev breaking_nli cad_nli_dev cad_nli_test cad_nli_train check_covid citint_dev citint_test "
    "citint_train conjnli_dev conjnli_train15k control_dev control_test covidfact_all factcheckgpt_stance "
    "fever_train_sample_SR healthver_dev infotabs_dev infotabs_test_alpha1 infotabs_test_alpha2 infotabs_test_alpha3 "
    "infotabs_train litl_train litl_val mnli_dev_matched nli4ct_dev nli4ct_gold_test nli4ct_train politihop_test "
    "politihop_train politihop_valid scifact_SR_dev scifact_SR_train snli_dev snli_test taxinli_10k"
).split()

FEVER = "fever_train_sample_SR"

MORE_SETS = ("healthver_train", "mnli_train_20k", "semi_automatic_nli_wiki", "te_new_protocols")
"""Sets of pairs that are trained on where they are there."""
MORE_FILES = (FEVER_TEXT, *(f"pairs/{name}.jsonl.gz" for name in MORE_SETS))
"""What is read from the data folder where it is there."""

# name -> file; the VitaminC ones are cut by fold
EVALUATION = {
    "fever_gold": "pairs/fever_dev_gold_SR.jsonl.gz",
    "fever_retrieved": "pairs/fever_dev_retrieved_3way.jsonl.gz",
    "symmetric": "robustness/fever_symmetric_test.jsonl.gz",
    "adversarial": "robustness/fever_adversarial_test.jsonl.gz",
    "climate_fever": "pairs/climate_fever.jsonl.gz",
    "fm2": "pairs/fm2_dev.jsonl.gz",
}
_ALSO_HELD_OUT = (
    "pairs/fever_dev_pair_3way.jsonl.gz", "robustness/fever_symmetric_dev.jsonl.gz",
    "robustness/fever_triggers_test.jsonl.gz", "robustness/anli_test.jsonl.gz", "pairs/summedits.jsonl.gz",
    "pairs/wice_oracle_dev.jsonl.gz", "pairs/wice_oracle_test.jsonl.gz", "fever/paper_dev.jsonl",
    "fever/fever2_dev.jsonl",
)  # fmt: skip

FILES = tuple(
    [f"pairs/{name}.jsonl.gz" for name in PAIR_SETS]
    + [*EVALUATION.values(), *_ALSO_HELD_OUT]
    + [f"vitaminc/{name}.jsonl.gz" for name in ("real", "synthetic", "revision_pairs")]
    + ["rev_wnc_sample/pre.train", "rev_wnc_sample/post.train", "paraphrase_mrpc/msr_paraphrase_train.txt"]
    + [*QUESTION_FILES, SWAPPED_FILE, *BEGIN_FILES, WICE_FILE, *SUMMARY_FILES]
    + ["wiki_intros/wiki_intros.jsonl.gz", "climate_fever/climate-fever.jsonl"]
)
"""Everything that is read from the data folder."""


@dataclasses.dataclass(slots=True)
class Row:
    """One training example; a target that is None is not trained on."""

    claim: str
    evidence: str
    label: Label | None = None
    relevant: bool | None = None
    factual_edit: bool | None = None
    spans: tuple[tuple[int, int], ...] | None = None
    claim_spans: tuple[tuple[int, int], ...] | None = None
    """The characters of the claim that the evidence does not bear out."""
    source: str = ""


def normalised(claim: str) -> str:
    """A claim's words alone: how two claims are held to be the same."""
    return " ".join(re.findall(r"\w+", claim.casefold()))


def read(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON-lines file of the data folder."""
    if not path.exists():
        raise InputError(f"{path}: there is no such file; name the data folder with --data or AVER_DATA")
    return (row for _, row in iter_numbered(path) if row is not None)


def held_out_claims(data: Path) -> frozenset[str]:
    """The claims, normalised, of every set we report on."""
    claims: set[str] = set()
    for name in (*EVALUATION.values(), *_ALSO_HELD_OUT):
        claims.update(normalised(row["claim"]) for row in read(data / name))
    for part in ("real", "synthetic"):
        rows = read(data / "vitaminc" / f"{part}.jsonl.gz")
        claims.update(normalised(row["claim"]) for row in rows if row["fold"] not in TRAIN_FOLDS)
    return frozenset(claims)


def evaluation_rows(data: Path) -> dict[str, list[Row]]:
    """The sets we choose and report on, by name; VitaminC as `vitaminc_real_7`, `vitaminc_synthetic_8` and so on."""
    sets = {
        name: [Row(row["claim"], row["evidence"], Label(row["label"]), source=name) for row in read(data / file)]
        for name, file in EVALUATION.items()
    }
    for part in ("real", "synthetic"):
        rows = list(read(data / "vitaminc" / f"{part}.jsonl.gz"))
        for fold in (CHOOSE_FOLD, REPORT_FOLD):
            name = f"vitaminc_{part}_{fold}"
            sets[name] = list(_vitaminc([row for row in rows if row["fold"] == fold], name))
    return sets


def labelled_rows(data: Path, *, seed: int = 0, pages: int = 60_000, limit: int | None = None) -> list[Row]:
    """Everything with a gold or constructed target, leaks removed.

    `pages` is how many Wikipedia introductions feed the synthesis; `limit` cuts every source, for a quick try.
    """
    held_out = held_out_claims(data)
    rng = random.Random(seed)
    rows: list[Row] = []
    taken: Counter[str] = Counter()

    def take(source: Iterable[Row]) -> None:
        for row in source:
            if row.factual_edit is None and normalised(row.claim) in held_out:
                continue
            taken[row.source] += 1
            if limit is None or taken[row.source] <= limit:
                rows.append(row)

    for name in (*PAIR_SETS, *MORE_SETS):
        if name == FEVER or (name in MORE_SETS and not (data / "pairs" / f"{name}.jsonl.gz").is_file()):
            continue  # FEVER's sample comes with `_related`, which knows the pages
        take(
            Row(row["claim"], row["evidence"], Label(row["label"]), relevant=None, source=name)
            for row in read(data / "pairs" / f"{name}.jsonl.gz")
        )
    for part in ("real", "synthetic"):
        source = [r for r in read(data / "vitaminc" / f"{part}.jsonl.gz") if r["fold"] in TRAIN_FOLDS]
        take(_vitaminc(source, f"vitaminc_{part}"))
        take(_synthetic(_vitaminc_pages(source), rng, "synthetic_vitaminc", per_sentence=3))
    introductions = list(_introductions(data, rng, pages if limit is None else min(pages, limit)))
    take(_synthetic(introductions, rng, "synthetic_wikipedia", per_sentence=1))
    many = list(_introductions(data, rng, RARE_PAGES if limit is None else limit))
    take(_synthetic(many, rng, "synthetic_rare", per_sentence=1, kinds=RARE_KINDS))
    take(_templates(many, rng, limit))
    take(_related(data, rng, limit))
    take(_fever_text(data))
    take(_vitaminc_edits(data, rng))
    take(_synthetic_edits(introductions, rng))
    take(Row(a, b, factual_edit=False, source="edit_copy") for a, b in _copy_edits(data) if a != b)
    take(_documents(data, rng, limit))
    return rows


def unlabelled_rows(data: Path, *, seed: int = 0, limit: int | None = None) -> list[Row]:
    """Plausible pairs without a label, for a teacher to judge: other sentences of the page, figures changed."""
    held_out = held_out_claims(data)
    rng = random.Random(seed)
    rows: list[Row] = []
    for part in ("real", "synthetic"):
        source = [r for r in read(data / "vitaminc" / f"{part}.jsonl.gz") if r["fold"] in TRAIN_FOLDS]
        if limit:
            source = source[:limit]
        by_page: dict[str, list[str]] = defaultdict(list)
        for row in source:
            by_page[row["page"]].append(row["evidence"])
        for row in source:
            if normalised(row["claim"]) in held_out:
                continue
            others = by_page[row["page"]]
            for _ in range(2):
                rows.append(Row(row["claim"], rng.choice(others), source="unlabelled_page"))
            for _ in range(3):
                claim, evidence = row["claim"], row["evidence"]
                if rng.random() < 0.7:
                    claim = _other_figures(claim, rng)
                if claim == row["claim"] or rng.random() < 0.4:
                    evidence = _other_figures(evidence, rng)
                changed = (claim, evidence) != (row["claim"], row["evidence"])
                if changed and normalised(claim) not in held_out:
                    rows.append(Row(claim, evidence, source="unlabelled_figures"))
    return rows


def pool_rows(data: Path, *, seed: int = 0, pages: int = 14_000, limit: int | None = None) -> list[Row]:
    """What a student sees beyond the teacher's own rows: more synthetic pairs, and pairs without a label."""
    held_out = held_out_claims(data)
    rng = random.Random(76 + seed)  # other introductions than `labelled_rows` with the same seed
    introductions = list(_introductions(data, rng, pages if limit is None else min(pages, limit)))
    rows = []
    for row in _synthetic(introductions, rng, "synthetic_wikipedia", per_sentence=1):
        if normalised(row.claim) not in held_out:
            row.source = "pool_wikipedia"
            rows.append(row)
    return rows[:limit] + unlabelled_rows(data, seed=2 + seed, limit=limit)


def _vitaminc(source: Sequence[dict[str, Any]], name: str) -> Iterator[Row]:
    """VitaminC's rows; where a claim has an evidence of the other label, the words that differ are its rationale."""
    by_claim: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in source:
        by_claim[row["case_id"], row["claim"]].append(row)
    for row in source:
        label = Label(row["label"])
        twins = [r for r in by_claim[row["case_id"], row["claim"]] if Label(r["label"]) != label]
        spans = None
        if label is not Label.NOT_ENOUGH_INFO and twins:
            # the counterpart that refutes where this supports decides; one that is merely silent will do
            twins.sort(key=lambda r: Label(r["label"]) is Label.NOT_ENOUGH_INFO)
            spans = changed_spans(row["evidence"], twins[0]["evidence"])
        relevant = True if label is not Label.NOT_ENOUGH_INFO else None
        yield Row(row["claim"], row["evidence"], label, relevant, spans=spans, source=name)


def _vitaminc_pages(source: Sequence[dict[str, Any]]) -> list[Passage]:
    pages: dict[str, dict[str, None]] = defaultdict(dict)
    for row in source:
        pages[row["page"]].setdefault(row["evidence"])
    return [Passage(re.sub(r"-LRB-.*?-RRB-", "", page).strip(), list(texts)) for page, texts in pages.items()]


def _introductions(data: Path, rng: random.Random, pages: int) -> Iterator[Passage]:
    path = data / "wiki_intros" / "wiki_intros.jsonl.gz"
    total = sum(1 for _ in read(path))
    for row in read(path):
        if rng.random() < pages / total:
            yield Passage(row["title"], _split(row["text"]))


def introduction_sentences(data: Path) -> Iterator[tuple[str, str]]:
    """Every sentence of Wikipedia's introductions with its page's title."""
    for row in read(data / "wiki_intros" / "wiki_intros.jsonl.gz"):
        for sentence in _split(row["text"]):
            yield row["title"], sentence


def _split(text: str) -> list[str]:
    """The sentences of a tokenised text."""
    return re.split(r"(?<= [.!?]) (?=[A-Z\"`(\d])", text)


def _synthetic(
    pages: Sequence[Passage], rng: random.Random, source: str, *, per_sentence: int, kinds: Sequence[str] = KINDS
) -> Iterator[Row]:
    sentences = {page.title: page.sentences for page in pages}
    for pair in synthesise(pages, seed=rng.randrange(2**32), per_sentence=per_sentence, kinds=kinds):
        evidence, spans = pair.evidence, pair.rationale
        silent = pair.label is Label.NOT_ENOUGH_INFO
        # A neighbour that shares little with the claim is no evidence; the sentence robbed of its deciding words
        # is about the claim and still says nothing, so it teaches the relevance head neither way.
        relevant = None if silent and shared(pair.claim, evidence) > 0.5 else not silent
        if source == "synthetic_wikipedia" and rng.random() < 0.35:
            evidence, spans = _in_context(pair.claim, evidence, spans, pair.page, sentences[pair.page], silent, rng)
        yield Row(pair.claim, evidence, pair.label, relevant, spans=spans or None, source=source)


def _templates(pages: Sequence[Passage], rng: random.Random, limit: int | None) -> Iterator[Row]:
    """Comparisons and measures that are told from the other end, or in another unit."""
    _, names = gazetteer(pages)
    groups = TEMPLATE_GROUPS if limit is None else limit
    for told in (*comparisons(names, rng, groups), *measures(rng, 2 * groups)):
        relevant = None if told.label is Label.NOT_ENOUGH_INFO else True
        yield Row(told.claim, told.evidence, told.label, relevant, source="synthetic_template")


def _in_context(
    claim: str, evidence: str, spans: tuple[tuple[int, int], ...], title: str, page: Sequence[str], silent: bool,
    rng: random.Random,
) -> tuple[str, tuple[tuple[int, int], ...]]:  # fmt: skip
    """The evidence among its neighbours and under its title, as retrieval will hand it to the judge."""
    start = rng.choice((f"( {title} ) ", f"{title} : ", f"{title}: ", "", ""))
    # A claim that is left open must stay so: its own sentence must not come in with the neighbours.
    others = [s for s in page if shared(claim, s) < (0.5 if silent else 0.8) and shared(evidence, s) < 0.6]
    extra = rng.sample(others, min(len(others), rng.choice((1, 2, 3, 4))))
    before = [s for s in extra if rng.random() < 0.5]
    after = [s for s in extra if s not in before]
    lead = "".join(start + s + " " for s in before) + start
    text = lead + evidence + "".join(" " + start + s for s in after)
    return text, tuple((a + len(lead), b + len(lead)) for a, b in spans)


def _science(data: Path) -> list[Claim]:
    names = "check_covid citint_train covidfact_all healthver_dev scifact_SR_train".split()
    rows = [row for name in names for row in read(data / "pairs" / f"{name}.jsonl.gz")]
    return [Claim(row["claim"], Label(row["label"]), row["evidence"]) for row in rows]


def _related(data: Path, rng: random.Random, limit: int | None) -> Iterator[Row]:
    """Claims of FEVER and VitaminC with several sentences about their subject, the deciding one among them or not."""
    pages = {row["title"]: row["text"] for row in read(data / "wiki_intros" / "wiki_intros.jsonl.gz")}
    subjects = Subjects(pages)
    somewhere = list(pages.values())
    fever = [
        Claim(row["claim"], Label(row["label"]), row["evidence"]) for row in read(data / "pairs" / f"{FEVER}.jsonl.gz")
    ][:limit]
    known = list(grounded(fever, subjects, rng))
    yield from (Row(claim.text, claim.gold, claim.label, source=FEVER) for claim in known)
    for related in conjoined(known, rng):
        yield Row(related.claim, related.evidence, related.label, source="fever_conjoined")
    for claim in fever:
        text = rng.choice(somewhere).partition(" . ")[0] + " ."
        yield Row(claim.text, text, Label.NOT_ENOUGH_INFO, False, source="fever_elsewhere")
    sets = {"fever_related": fever}
    for part in ("real", "synthetic"):
        rows = [r for r in read(data / "vitaminc" / f"{part}.jsonl.gz") if r["fold"] in TRAIN_FOLDS]
        sets[f"related_{part}"] = [Claim(r["claim"], Label(r["label"]), r["evidence"], r["page"]) for r in rows]
    for claims in sets.values():
        some = known if claims is fever else rng.sample(claims, min(len(claims), limit or BOUND_CLAIMS))
        of = "bound_fever" if claims is fever else "bound_vitaminc"
        for related in bound(some, subjects, rng):
            decides = related.label is not Label.NOT_ENOUGH_INFO
            yield Row(related.claim, related.evidence, related.label, decides, source=of)
    for source, claims in sets.items():
        found = list(retrieved(claims[:limit], subjects, rng, edited=claims is not fever))
        open_ones = [related for related in found if related.label is Label.NOT_ENOUGH_INFO]
        for related in (*(r for r in found if r.label is not Label.NOT_ENOUGH_INFO), *_undecided(open_ones)):
            decides = related.label is not Label.NOT_ENOUGH_INFO
            yield Row(related.claim, related.evidence, related.label, True if decides else None, source=source)
    for related in elsewhere(_science(data)[:limit], rng):
        yield Row(related.claim, related.evidence, related.label, source="science_elsewhere")


def _fever_text(data: Path) -> Iterator[Row]:
    """FEVER's training claims with all of the sentences that were marked for them, where the folder has them."""
    if (data / FEVER_TEXT).is_file():
        for claim, label, sentences in marked_in_fever(data):
            if sentences:
                yield Row(claim, " ".join(sentences), label, source="fever_text")


def _documents(data: Path, rng: random.Random, limit: int | None) -> Iterator[Row]:
    """Claims against whole passages: ours, people's questions, and what people said of machines' sentences."""
    asked = list(passages(data))
    if limit:
        asked = asked[:limit]
    pages = [
        Passage(f"passage {at}", [s.text for s in split_sentences(context)]) for at, (context, _) in enumerate(asked)
    ]
    introductions = list(_introductions(data, rng, DOCUMENT_PAGES if limit is None else limit))
    news = [
        Passage(f"article {number}", [s.text for s in split_sentences(text)])
        for number, text in list(articles(data).items())[:limit]
    ]
    sets = {
        "document_wikipedia": from_passages(introductions, rng),
        "document_passages": from_passages(pages, rng),
        "question_asked": from_questions(asked, rng),
        "question_swapped": from_swapped(data, rng),
        "begin": dialogues(data),
        "wice": marked_claims(data),
        "xsumfaith": summaries(data, rng),
        "document_news": from_passages(news, rng),
    }
    for source, found in sets.items():
        for told in found:
            relevant = True if told.label is not Label.NOT_ENOUGH_INFO else None
            yield Row(
                told.claim, told.evidence, told.label, relevant, spans=told.spans, claim_spans=told.claim_spans,
                source=source,
            )  # fmt: skip


def _undecided(rows: Sequence[Related]) -> Iterator[Related]:
    """Leaves out the rows that do say something of their claim after all, in other words, as the small judge reads it.

    It is quick to see a refutation where there is none (that is what these rows are to cure), so it must be sure.
    """
    from aver.models import load_judge

    judged = load_judge("fast").judge([(row.claim, row.evidence) for row in rows])
    for row, judgement in zip(rows, judged, strict=True):
        chances = judgement.probabilities
        if chances[Label.SUPPORTS] < 0.5 and chances[Label.REFUTES] < 0.9:
            yield row


def _vitaminc_edits(data: Path, rng: random.Random) -> Iterator[Row]:
    """Two versions of a sentence: did the edit change a fact? Wikipedia's editors changed one; we change none."""
    for row in read(data / "vitaminc" / "revision_pairs.jsonl.gz"):
        if row["fold"] in TRAIN_FOLDS:
            a, b = (row["a"], row["b"]) if rng.random() < 0.5 else (row["b"], row["a"])
            yield Row(a, b, factual_edit=True, source="edit_vitaminc")
            changed = harmless_edit(a, rng)
            if changed:
                yield Row(a, changed, factual_edit=False, source="edit_harmless")


def _synthetic_edits(pages: Sequence[Passage], rng: random.Random) -> Iterator[Row]:
    """The same with facts that we change."""
    sentences = {page.title: page.sentences for page in pages[:6000]}
    for pair in synthesise(pages[:6000], seed=rng.randrange(2**32)):
        if pair.edited and pair.label is Label.REFUTES and rng.random() < 0.6:
            original = next((s for s in sentences[pair.page] if twins(s, pair.evidence)), None)
            if original:
                yield Row(original, pair.evidence, factual_edit=True, source="edit_synthetic")
                changed = harmless_edit(original, rng)
                if changed:
                    yield Row(original, changed, factual_edit=False, source="edit_harmless")


def _copy_edits(data: Path) -> Iterator[tuple[str, str]]:
    """Corpora of edits for grammar, style and simplicity."""
    yield from zip(
        (data / "rev_wnc_sample" / "pre.train").read_text().splitlines(),
        (data / "rev_wnc_sample" / "post.train").read_text().splitlines(),
        strict=True,
    )
    for line in (data / "paraphrase_mrpc" / "msr_paraphrase_train.txt").read_text().splitlines()[1:]:
        quality, _, _, a, b = line.split("\t")[:5]
        if quality == "1":
            yield a, b


_FIGURE = re.compile(r"(?<![\w.,])\d[\d,]*(?:\.\d+)?(?![\w])")


def _other_figures(text: str, rng: random.Random) -> str:
    """The text with one of its numbers changed a little or a lot."""
    found = list(_FIGURE.finditer(text))
    if not found:
        return text
    match = rng.choice(found)
    bare = match[0].replace(",", "")
    decimals = len(bare.partition(".")[2])
    value = float(bare)
    if 1000 <= value < 2100 and "," not in match[0]:
        new = str(int(value) + rng.choice((-10, -3, -2, -1, 1, 2, 3, 10)))
    else:
        value = max(
            0.0, value * rng.choice((0.5, 0.8, 0.9, 0.97, 1.03, 1.1, 1.25, 2.0)) + rng.choice((-2, -1, 0, 1, 2))
        )
        new = f"{value:,.{decimals}f}" if "," in match[0] else f"{value:.{decimals}f}"
    return text[: match.start()] + new + text[match.end() :]
