"""`aver.revise`: the smallest edit that agrees with the claim, a refusal with its reason, and other revisers."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aver
from aver import BackendError, InputError, Label, MissingExtra
from aver.models import Judge
from aver.models._judge import named, refusal
from aver.results import Judgement
from aver.revisions import LLMReviser, Reviser, Seq2SeqReviser, load_reviser, revise


class WordJudge(Judge):
    """Supports a claim whose every word of four letters or more, and every number, stands in the evidence."""

    name = "words"
    model = "words@000000000000"

    def __init__(self) -> None:
        self.asked = 0

    def judge(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        return [self._one(claim, evidence) for claim, evidence in pairs]

    def _one(self, claim: str, evidence: str) -> Judgement:
        self.asked += 1
        refused = refusal(claim, evidence)
        if refused is not None:
            return Judgement.unread(*refused, model=self.model)
        wanted = {w.strip(".,") for w in claim.lower().split() if len(w) > 3 or w.isdigit()}
        held = {w.strip(".,") for w in evidence.lower().split()}
        share = len(wanted & held) / max(1, len(wanted))
        row = [0.97, 0.02, 0.01] if share == 1 else [0.4 * share, 0.7, 0.1]
        label, probabilities = named(np.array(row) / sum(row))
        return Judgement(label, probabilities, 1.0, "scored", self.model, windows=1)


@pytest.mark.parametrize(
    ("sentence", "claim", "revised"),
    [
        ("The film has 344 reviews .", "The film has more than 346 reviews .", "The film has 347 reviews ."),
        ("It was shot in Rome, and is long.", "It was shot in Oslo.", "It was shot in Oslo, and is long."),
        ("He was not a member of the party.", "He was a member of the party.", "He was a member of the party."),
        ("The bridge opened in 1964 and is 300 m long.", "The bridge opened in 1962.",
         "The bridge opened in 1962 and is 300 m long."),
        ("It is the debut studio album by Korn .", "It is the second studio album by Korn .",
         "It is the second studio album by Korn ."),
    ],
)  # fmt: skip
def test_with_the_shipped_judge(sentence: str, claim: str, revised: str) -> None:
    found = aver.revise(sentence, claim)
    assert found.text == revised
    assert found.status == "scored"
    assert found.before.label is not Label.SUPPORTS
    assert found.after is not None
    assert found.after.label is Label.SUPPORTS
    assert found.size <= 2
    assert found.tried >= 1


def test_a_time_of_the_day_agrees_whatever_its_form() -> None:
    found = revise("It began at 3 pm.", "It began at 15:00.", judge=WordJudge())
    assert (found.text, found.tried) == ("It began at 3 pm.", 0)
    assert found.claim == "It began at 15:00."
    assert revise("It ended at 21:10.", "It ended at 10 pm.", judge=WordJudge()).text == "It ended at 22:00."


def test_the_rest_of_the_sentence_stays_to_the_letter() -> None:
    sentence = "She  sang in Rome ,  and — so they say — was `` loved '' by 12 critics ."
    found = revise(sentence, "She sang in Oslo .", judge=WordJudge())
    assert found.text == sentence.replace("Rome", "Oslo")
    assert [(c.old, c.new, c.kind) for c in found.changes] == [("Rome", "Oslo", "phrase")]
    assert found.as_dict()["prediction"] == found.text


def test_two_facts_are_changed_where_one_is_not_enough() -> None:
    found = revise("Ilse Marten sang in Rome .", "Jonas Marten sang in Oslo .", judge=WordJudge())
    assert found.text == "Jonas Marten sang in Oslo ."
    assert len(found.changes) == 2


def test_a_sentence_that_agrees_is_left_alone_without_a_search() -> None:
    judge = WordJudge()
    found = revise("She sang in Rome .", "She sang in Rome .", judge=judge)
    assert (found.text, found.changes, found.size, found.status) == ("She sang in Rome .", (), 0, "scored")
    assert "agrees" in found.reason
    assert judge.asked == 1


def test_figures_are_changed_even_where_the_judge_sees_no_conflict() -> None:
    # this judge does not know that 344 is not more than 346: the arithmetic does
    class Easy(WordJudge):
        def _one(self, claim: str, evidence: str) -> Judgement:
            return super()._one("film", evidence)

    assert revise("The film has 344 .", "The film has more than 346 .", judge=Easy()).text == "The film has 347 ."


def test_refusals_say_why() -> None:
    unrelated = aver.revise("She was born in Rome and moved to Paris.", "The moon is made of cheese.")
    assert unrelated.text is None
    assert unrelated.status == "abstained"
    assert "nothing to do" in unrelated.reason
    assert unrelated.as_dict()["prediction"] is None

    far = revise("She sang.", "Seven hundred elephants sang near Carthage in winter.", judge=WordJudge())
    assert far.text is None
    assert "makes the sentence support the claim; the nearest" in far.reason

    large = revise("Ilse Marten sang in Rome .", "Jonas Marten sang in Oslo .", judge=WordJudge(), most_words=1)
    assert large.text is None
    assert "changes 2 words; at most 1" in large.reason


@pytest.mark.parametrize("sentence", ["x y " * 900, "1 2 3 " * 60, "((( a", "“12”", "it " * 300, "A\nB\tC 12 %"])
def test_odd_sentences_do_not_break_it(sentence: str) -> None:
    found = revise(sentence, "The bridge has more than 12 rooms in Oslo .", judge=WordJudge())
    assert found.status in ("scored", "abstained")
    assert (found.text is None) == (found.status == "abstained")
    assert found.text is not None or found.reason


def test_everything_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        revise("", "y" * 6000, judge=WordJudge())
    assert len(caught.value.problems) == 2
    with pytest.raises(InputError, match="the claim is missing"):
        revise("It is old .", None, judge=WordJudge())  # type: ignore[arg-type]
    with pytest.raises(InputError, match="most_words is 0"):
        revise("It is old .", "It is new .", judge=WordJudge(), most_words=0)
    with pytest.raises(InputError, match="there is no reviser 'bart'"):
        revise("It is old .", "It is new .", judge=WordJudge(), reviser="bart")


class Writer(Reviser):
    """Proposes what it was given."""

    model = "writer@000000000000"

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    def write(self, sentence: str, claim: str) -> list[str]:
        return list(self.texts)


def test_other_revisers_propose_and_the_judge_chooses() -> None:
    writer = Writer(
        "In Oslo , as all the world knows , she sang once .",
        "She sang in Bergen , in May .",
        "She sang in Oslo , in May .",
        "She sang in Rome , in May .",
    )
    found = revise("She sang in Rome , in May .", "She sang in Oslo .", judge=WordJudge(), reviser=writer)
    assert found.text == "She sang in Oslo , in May ."
    assert found.reviser == "writer@000000000000"
    assert [change.kind for change in found.changes] == ["generated"]
    refused = revise("She sang in Rome .", "She sang in Oslo .", judge=WordJudge(), reviser=Writer("Nobody sang ."))
    assert refused.text is None


class Endpoint(http.server.ThreadingHTTPServer):
    """A chat endpoint that answers with the text it is given, and keeps what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer: Any = ""
        self.status = 200
        self.asked: list[dict[str, Any]] = []


class Handler(http.server.BaseHTTPRequestHandler):
    server: Endpoint

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""

    def do_POST(self) -> None:
        self.server.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        message = {"role": "assistant", "content": self.server.answer}
        data = json.dumps({"choices": [{"message": message}], "usage": {"prompt_tokens": 9}}).encode()
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_language_model_behind_an_endpoint(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AVER_LLM_URL", f"http://127.0.0.1:{endpoint.server_address[1]}/v1")
    endpoint.answer = 'Revised: "She sang in Oslo ."\n\nI changed the town.'
    found = revise("She sang in Rome .", "She sang in Oslo .", judge=WordJudge(), reviser="llm:tiny")
    assert found.text == "She sang in Oslo ."
    assert found.reviser.startswith("llm:tiny@")
    asked = endpoint.asked[0]
    assert asked["messages"][-1]["content"] == "Sentence: She sang in Rome .\nClaim: She sang in Oslo .\nRevised:"
    assert asked["temperature"] == 0

    endpoint.answer = ""
    silent = revise("She sang in Rome .", "She sang in Oslo .", judge=WordJudge(), reviser="llm:tiny")
    assert silent.text is None

    endpoint.status = 401
    with pytest.raises(BackendError, match="401"):
        LLMReviser("tiny", retries=0).write("a b", "c d")


def test_without_the_extra_the_message_says_what_to_install() -> None:
    try:
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ImportError:
        with pytest.raises(MissingExtra, match=r"aver\[transformers\]"):
            load_reviser("seq2seq:some/model")
    else:
        with pytest.raises(aver.ModelError, match="cannot be loaded"):
            load_reviser("seq2seq:/no/such/folder")


@pytest.fixture
def tiny_seq2seq(tmp_path: Path) -> Callable[[], Path]:
    torch = pytest.importorskip("torch", reason="needs the extra `transformers`")
    transformers = pytest.importorskip("transformers", reason="needs the extra `transformers`")
    from tokenizers import Tokenizer, models, pre_tokenizers

    def make() -> Path:
        torch.manual_seed(1)
        words = ["<pad>", "</s>", "<unk>", *"she sang in rome oslo may , .".split()]
        tokenizer = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="<unk>"))
        tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
        wrapped = transformers.PreTrainedTokenizerFast(
            tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
        )
        config = transformers.T5Config(
            vocab_size=len(words), d_model=16, d_kv=8, d_ff=32, num_layers=1, num_heads=2, decoder_start_token_id=0,
            n_positions=48, pad_token_id=0, eos_token_id=1,
        )  # fmt: skip
        folder = tmp_path / "tiny"
        transformers.T5ForConditionalGeneration(config).eval().save_pretrained(folder)
        wrapped.save_pretrained(folder)
        return folder

    return make


@pytest.mark.filterwarnings("ignore")
def test_a_seq2seq_model_from_a_folder(tiny_seq2seq: Callable[[], Path]) -> None:
    reviser = Seq2SeqReviser(str(tiny_seq2seq()), beams=2)
    texts = reviser.write("she sang in rome .", "she sang in oslo .")
    assert len(texts) == 2
    assert texts == reviser.write("she sang in rome .", "she sang in oslo .")
    found = revise("she sang in rome .", "she sang in oslo .", judge=WordJudge(), reviser=reviser)
    assert found.status in ("scored", "abstained")
    assert found.reviser == reviser.model
    with pytest.raises(InputError, match="reads 48"):
        reviser.write("rome " * 60, "oslo .")
    with pytest.raises(InputError, match="template"):
        Seq2SeqReviser(str(tiny_seq2seq()), template="{sentence}")
