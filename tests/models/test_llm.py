"""A language model as judge, against a server on this machine that behaves as such endpoints do, faults included."""

from __future__ import annotations

import functools
import http.server
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import aver
from aver import BackendError, InputError
from aver.models import LLMJudge, load_judge
from aver.models._prompt import read_answer

Reply = tuple[int, Any, dict[str, str]]


class Endpoint(http.server.ThreadingHTTPServer):
    """Answers by what the claim of the last question says; remembers what it was asked."""

    daemon_threads = True
    block_on_close = False
    moody = False
    """Some claims fail while it is."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.seen: dict[str, int] = {}
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that gave up waiting is part of the test."""


class Handler(http.server.BaseHTTPRequestHandler):
    server: Endpoint

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        question = body["messages"][-1]["content"]
        claim = question.split("Claim: ")[1].split("\n")[0]
        with self.server.lock:
            self.server.asked.append(body)
            self.server.headers.append(dict(self.headers))
            count = self.server.seen[claim] = self.server.seen.get(claim, 0) + 1
        status, answer, headers = reply(claim, count, self.path)
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if claim.startswith("dripping"):
            for _ in range(20):  # spaces before JSON are JSON
                self.wfile.write(b" ")
                self.wfile.flush()
                time.sleep(0.1)
        self.wfile.write(data)


def said(text: str | None, **more: Any) -> dict[str, Any]:
    choice = {"message": {"role": "assistant", "content": text, **more}, "finish_reason": "stop"}
    return {"choices": [choice], "usage": {"prompt_tokens": 300, "completion_tokens": 2}}


def reply(claim: str, count: int, path: str) -> Reply:
    if path != "/v1/chat/completions":
        return 404, {"error": {"message": "no such page"}}, {}
    if claim.startswith("busy") and count <= 2:
        return 429, {"error": {"message": "slow down"}}, {"Retry-After": "0.01"}
    if claim.startswith("patient") and count == 1:
        return 429, {"error": {"message": "come back later"}}, {"Retry-After": "7"}
    if claim.startswith("always busy"):
        return 503, b"<html>", {}
    if claim.startswith("slow"):
        time.sleep(0.6 if count == 1 or claim.startswith("slow forever") else 0)
    if claim.startswith("dripping with an error"):
        return 500, {"error": {"message": "out of order"}}, {}
    if claim.startswith("too long"):
        return 400, {"error": {"message": "maximum context length is 10 tokens"}}, {}
    if claim.startswith("key"):
        return 401, {"error": {"message": "wrong key"}}, {}
    if claim.startswith("garbage") and count == 1:
        return 200, b"{not json", {}
    if claim.startswith("empty"):
        return 200, {"choices": []}, {}
    if claim.startswith("refuse"):
        return 200, said(None, refusal="I can't help with that"), {}
    if claim.startswith("unmetered"):
        usage = {"nothing": None, "words": {"prompt_tokens": "n/a", "completion_tokens": 2}, "list": [300, 2]}
        return 200, said("SUPPORTS") | {"usage": usage[claim.split()[1]]}, {}
    if claim.startswith("hanging"):
        return 429, {"error": {"message": "come back later"}}, {"Retry-After": "60"}
    if claim.startswith("moody"):
        return (500, b"", {}) if Endpoint.moody else (200, said("SUPPORTS"), {})
    if claim.startswith("locked"):
        return (401, {"error": {"message": "wrong key"}}, {}) if Endpoint.moody else (200, said("REFUTES"), {})
    if claim.startswith("moved"):
        return 302, b"", {"Location": "http://elsewhere.test/v1/chat/completions"}
    if claim.startswith(("deep", "nothing", "streaming", "loading")):
        stream = b'data: {"choices": [{"delta": {"content": "SUPPORTS"}}]}\n\ndata: [DONE]\n\n'
        answers: dict[str, tuple[Any, dict[str, str]]] = {
            "deep": (b"[" * 200_000, {}),
            "nothing": (b"", {}),
            "streaming": (stream, {"Content-Type": "text/event-stream"}),
            "loading": ({"error": {"message": "the model is loading"}}, {}),
        }
        return 200, *answers[claim.split()[0]]
    if claim.startswith("thinking"):
        return 200, said("<think>It may support or refute.</think>\n\nREFUTES"), {}
    if claim.startswith("thoughtful"):
        answer = said("<think>The evidence supports" if claim.endswith("aloud") else "")
        answer["choices"][0]["finish_reason"] = "length"
        return 200, answer, {}
    if claim.startswith("chatter"):
        return 200, said("It could support or contradict this."), {}
    return 200, said({"no": "REFUTES", "open": "**Not enough info**"}.get(claim.split()[0], "supports.")), {}


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def judge(endpoint: Endpoint) -> LLMJudge:
    return LLMJudge("small", base_url=endpoint.url, api_key="k", timeout=0.3, retries=3, pause=0.01, prices=(1.0, 2.0))


def test_answers_in_order_with_usage_and_cost(judge: LLMJudge, endpoint: Endpoint) -> None:
    found = judge.judge([("yes it is", "e"), ("no it is not", "e"), ("open end", "e"), ("", "e"), ("yes", "")])
    assert [f.label for f in found] == ["SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO", None, None]
    assert [f.status for f in found] == ["scored"] * 3 + ["error", "abstained"]
    assert found[0].probabilities == {"SUPPORTS": 1.0, "REFUTES": 0.0, "NOT_ENOUGH_INFO": 0.0}
    assert found[0].coverage == 1.0
    assert judge.usage.requests == 3
    assert (judge.usage.prompt_tokens, judge.usage.completion_tokens) == (900, 6)
    assert judge.usage.cost == pytest.approx((900 + 2 * 6) / 1e6)
    body = endpoint.asked[0]
    assert body["model"] == "small"
    assert body["temperature"] == 0
    assert [m["role"] for m in body["messages"]][:3] == ["system", "user", "assistant"]
    assert endpoint.headers[0]["Authorization"] == "Bearer k"


def test_faults_are_waited_out_or_told(judge: LLMJudge, endpoint: Endpoint) -> None:
    claims = ["busy", "slow once", "garbage", "always busy", "slow forever", "too long", "empty"]
    claims += ["refuse", "chatter", "no"]
    found = dict(zip(claims, judge.judge([(c, "e") for c in claims]), strict=True))
    assert [found[c].status for c in claims] == ["scored"] * 3 + ["error"] * 4 + ["abstained"] * 2 + ["scored"]
    assert endpoint.seen["busy"] == 3
    assert endpoint.seen["always busy"] == 4
    assert endpoint.seen["too long"] == 1
    assert "503" in found["always busy"].reason
    assert "tried 4 times" in found["always busy"].reason
    assert "no answer within 0.3 s" in found["slow forever"].reason
    assert "maximum context length" in found["too long"].reason
    assert "choices" in found["empty"].reason
    assert "refused: I can't help" in found["refuse"].reason
    assert "no label" in found["chatter"].reason
    assert (judge.usage.refusals, judge.usage.unclear) == (1, 1)
    assert judge.usage.retries == 2 + 1 + 1 + 3 + 3


def test_an_answer_of_another_form_says_what_it_was(judge: LLMJudge) -> None:
    claims = ["deep", "nothing", "streaming", "loading", "thoughtful", "thoughtful aloud", "thinking"]
    found = dict(zip(claims, judge.judge([(c, "e") for c in claims]), strict=True))
    assert [found[c].status for c in claims] == ["error"] * 4 + ["abstained"] * 2 + ["scored"]
    assert "no JSON; it begins with '[[[[" in found["deep"].reason
    assert "is empty" in found["nothing"].reason
    assert "switch streaming off" in found["streaming"].reason
    assert "it says: the model is loading" in found["loading"].reason
    assert "cut off after 16 tokens" in found["thoughtful"].reason
    assert found["thoughtful aloud"].label is None
    assert "cut off after 16 tokens" in found["thoughtful aloud"].reason
    assert found["thinking"].label == "REFUTES"


def test_the_time_is_that_of_the_whole_answer(endpoint: Endpoint) -> None:
    start = time.perf_counter()
    pairs = [("dripping", "e"), ("dripping with an error", "e")]
    found = [answer.reason for answer in LLMJudge("m", base_url=endpoint.url, timeout=0.3, retries=0).judge(pairs)]
    assert "no answer within 0.3 s" in found[0]
    assert "answered 500" in found[1]
    assert time.perf_counter() - start < 1.5


def test_a_redirect_is_told_and_the_key_stays_here(judge: LLMJudge) -> None:
    with pytest.raises(BackendError, match=r"302.*points to http://elsewhere.test/v1/chat/completions"):
        judge.judge([("moved", "e")])


@pytest.mark.parametrize("url", ["http://", "http://host:abc/v1", "http://[::1", "http://ex ample.com/v1", "ftp://h"])
def test_an_address_that_is_none_is_named_at_once(url: str) -> None:
    with pytest.raises(InputError, match="it must begin with http://"):
        LLMJudge("m", base_url=url)


@pytest.mark.parametrize("key", ["a b", "two\nlines", "schlüssel"])
def test_a_key_that_is_none_is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(InputError, match="AVER_LLM_KEY") as caught:
        LLMJudge("m", base_url="http://127.0.0.1:9/v1", api_key=key)
    assert key not in str(caught.value)


def test_the_server_says_how_long_to_wait(judge: LLMJudge, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr(LLMJudge, "_stopped", lambda self, stop, seconds: waits.append(seconds))
    assert judge.judge([("patient", "e")])[0].label == "SUPPORTS"
    assert waits == [7.0]
    assert judge.judge([("always busy", "e")])[0].status == "error"
    assert len(waits) == 4
    assert waits[3] >= 2 * waits[1], "pauses grow"


def test_what_no_pair_would_survive_raises(judge: LLMJudge, endpoint: Endpoint) -> None:
    with pytest.raises(BackendError, match="401 wrong key"):
        judge.judge([("key", "e")])
    with pytest.raises(BackendError, match="404"):
        LLMJudge("m", base_url=endpoint.url + "/elsewhere").judge([("yes", "e")])
    endpoint.server_close()
    with pytest.raises(BackendError, match="cannot be reached"):
        LLMJudge("m", base_url="http://127.0.0.1:9/v1", retries=1, pause=0.01).judge([("yes", "e")])


def test_the_address_and_key_come_from_the_environment(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AVER_LLM_URL", "OPENAI_BASE_URL", "AVER_LLM_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(InputError, match="AVER_LLM_URL"):
        load_judge("llm:m")
    for wrong in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(InputError, match="timeout must be above 0"):
            load_judge("llm:small", base_url="http://127.0.0.1", timeout=wrong)
    for prices in ((float("nan"), 1.0), (1.0, -1.0), (1.0, float("inf"))):
        with pytest.raises(InputError, match="prices are"):
            load_judge("llm:small", base_url="http://127.0.0.1", prices=prices)
    with pytest.raises(InputError, match="http://"):
        load_judge("llm:m", base_url="example.org")
    monkeypatch.setenv("AVER_LLM_URL", endpoint.url)
    found = load_judge("llm:m").judge([("no", "e")])[0]
    assert found.label == "REFUTES"
    assert found.model.startswith("llm:m@")
    assert "Authorization" not in endpoint.headers[0]


def test_explain_takes_words_out(judge: LLMJudge) -> None:
    # this server reads the claim only, so that no word of the evidence can matter
    found = aver.explain("no", "the river", model=judge)
    assert found.method == "mask"
    # with every word gone there is no evidence left, and nothing can be decided
    assert found.words == ("the", "river")


def test_the_command_reports_refusals_and_tokens(
    endpoint: Endpoint, run_cli: Callable[..., Any], write_jsonl: Callable[..., Any]
) -> None:
    rows = [{"claim": c, "evidence": "e"} for c in ("yes", "refuse")]
    done = run_cli("judge", write_jsonl("p.jsonl", rows), "--model", "llm:m", "--base-url", endpoint.url, "--json")
    assert done.code == 0
    assert [line["status"] for line in done.jsonl] == ["scored", "abstained"]
    assert "refusals: 1, no label: 0" in done.err
    assert "600 in" in done.err
    priced = run_cli("judge", "-", "--model", "llm:m", "--base-url", endpoint.url, "--prices", 10, 20,
                     stdin='{"claim": "yes", "evidence": "e"}')  # fmt: skip
    assert "cost 0.0030" in priced.err
    wrong = run_cli("judge", "-", "--model", "llm:m", "--base-url", endpoint.url, "--labels", "A,B")
    assert wrong.code == 2
    assert "take no option labels" in wrong.err


@pytest.mark.parametrize("claim", ["unmetered nothing", "unmetered words", "unmetered list"])
def test_a_cost_that_is_not_told_is_unknown(judge: LLMJudge, endpoint: Endpoint, run_cli: Any, claim: str) -> None:
    assert [f.label for f in judge.judge([(claim, "e"), ("yes", "e")])] == ["SUPPORTS", "SUPPORTS"]
    assert (judge.usage.unmetered, judge.usage.prompt_tokens, judge.usage.cost) == (1, 300, None)
    done = run_cli("judge", "-", "--model", "llm:m", "--base-url", endpoint.url, "--prices", 10, 20,
                   stdin=json.dumps({"claim": claim, "evidence": "e"}))  # fmt: skip
    assert done.code == 0
    assert "0 out (1 answer did not say)" in done.err
    assert "cost unknown" in done.err


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("SUPPORTS", "SUPPORTS"), ("**Refutes.**", "REFUTES"), ("_NOT_ENOUGH_INFO_", "NOT_ENOUGH_INFO"),
        ("REFUTES\n\nThe evidence does not say so.", "REFUTES"), ("Verdict: SUPPORTS", "SUPPORTS"),
        ("REFUTES. The claim is not supported.", "REFUTES"), ("The claim is supported by this.", "SUPPORTS"),
        ("There is not enough information.", "NOT_ENOUGH_INFO"),
        ("The claim isn't supported by this", None), ("The claim isn’t supported", None), ("not_supported", None),
        ("The claim cannot be supported", None), ("It is not refuted", None), ("Supported? No.", None),
        ("SUPPORTS: no", None), ("SUPPORTS: low, REFUTES: high", None), ("partially supported", None), ("", None),
    ],
)  # fmt: skip
def test_a_label_counts_where_it_stands_clearly(text: str, label: str | None) -> None:
    assert read_answer(text) == label


def test_what_was_paid_for_is_written_and_errors_are_asked_again(
    endpoint: Endpoint, run_cli: Any, write_jsonl: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LLMJudge, "_stopped", lambda self, stop, seconds: stop.is_set())
    monkeypatch.setattr(Endpoint, "moody", True)
    claims = ["no", "moody 1", *[f"yes {n}" for n in range(9)], "moody 2", "locked 1", "yes", "moody 3", "locked 2"]
    pairs, out = write_jsonl("p.jsonl", [{"claim": c, "evidence": "e"} for c in claims]), tmp_path / "out.jsonl"
    given = "judge", pairs, "--model", "llm:m", "--base-url", endpoint.url, "--output", out
    done = run_cli(*given)
    assert done.code == 2
    assert "401 wrong key" in done.err
    lines = [json.loads(line) for line in out.read_bytes().splitlines()]
    assert [line["claim"] for line in lines] == claims[:12]
    assert [line["claim"] for line in lines if line["status"] == "error"] == ["moody 1", "moody 2"]
    monkeypatch.setattr(Endpoint, "moody", False)
    done = run_cli(*given)
    assert done.code == 2
    assert "p.jsonl line 2: error: the endpoint answered 500" in done.err
    assert (endpoint.seen["no"], endpoint.seen["moody 1"]) == (1, 5), "nothing is asked again unless that is wanted"
    done = run_cli(*given, "--retry-errors")
    assert done.code == 0, done.err
    assert (endpoint.seen["no"], endpoint.seen["moody 1"], endpoint.seen["moody 2"]) == (1, 6, 6)
    lines = [json.loads(line) for line in out.read_bytes().splitlines()]
    assert [line["claim"] for line in lines] == claims
    assert {line["status"] for line in lines} == {"scored"}


def test_a_retry_that_fails_keeps_what_was_answered_before(
    endpoint: Endpoint, run_cli: Any, write_jsonl: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LLMJudge, "_stopped", lambda self, stop, seconds: stop.is_set())
    monkeypatch.setattr(Endpoint, "moody", True)
    pairs = write_jsonl("p.jsonl", [{"claim": c, "evidence": "e"} for c in ("moody 1", "yes", "moody 2")])
    out = tmp_path / "out.jsonl"
    given = "judge", pairs, "--model", "llm:m", "--base-url", endpoint.url, "--output", out, "--retry-errors"
    assert run_cli(*given).code == 2
    kept = out.read_bytes().splitlines()[1:]
    write_jsonl("p.jsonl", [{"claim": c, "evidence": "e"} for c in ("no", "yes", "locked")])
    assert "401 wrong key" in run_cli(*given).err
    first, *others = out.read_bytes().splitlines()
    assert json.loads(first)["label"] == "REFUTES"
    assert others == kept
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.jsonl", "p.jsonl"]


@pytest.mark.skipif(sys.platform == "win32", reason="sends the signal of Ctrl-C")
def test_a_pair_that_is_asked_again_keeps_no_other_waiting(
    endpoint: Endpoint, run_cli: Any, write_jsonl: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LLMJudge, "_stopped", lambda self, stop, seconds: stop.wait(0.2))
    rows = [{"claim": "always busy" if n % 16 == 0 else f"yes {n}", "evidence": "e"} for n in range(96)]
    start = time.perf_counter()
    source = write_jsonl("p.jsonl", rows)
    run = run_cli("judge", source, "--model", "llm:m", "--base-url", endpoint.url, "--threads", "8", "--json")
    assert [line["status"] for line in run.jsonl] == ["error" if n % 16 == 0 else "scored" for n in range(96)]
    assert time.perf_counter() - start < 2.5, "six pairs wait 0.8 s each, at the same time"


def test_an_interrupt_ends_it_at_once(endpoint: Endpoint, write_jsonl: Any) -> None:
    pairs = write_jsonl("p.jsonl", [{"claim": f"hanging {n}", "evidence": "e"} for n in range(9)])
    command = [sys.executable, "-c", "from aver.cli import main; main()", "judge", pairs, "--model", "llm:m"]
    # whoever runs the tests in the background may have them ignore the signal, and so whatever they start
    heeded = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen([*command, "--base-url", endpoint.url], stderr=subprocess.PIPE, preexec_fn=heeded) as process:
        while len(endpoint.asked) < 4:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert b"interrupted" in err


def test_what_is_for_language_models_is_refused_by_others(
    run_cli: Callable[..., Any], write_jsonl: Callable[..., Any], endpoint: Endpoint
) -> None:
    pairs = write_jsonl("p.jsonl", [{"claim": "yes", "evidence": "e"}])
    told = "--base-url", endpoint.url, "--timeout", 5, "--prices", 1, 2
    for given in (["judge", pairs], ["check", "Tea is hot.", "--evidence", "Tea is hot."]):
        done = run_cli(*given, *told)
        assert (done.code, done.out) == (2, "")
        assert "'default' takes no option --base-url, " in done.err
        assert "they are for llm: models" in done.err
        for option in (told[:2], told[2:4], told[4:]):
            done = run_cli(*given, "--model", "t5:some/model", *option)
            assert (done.code, done.out) == (2, "")
            assert f"'t5:some/model' takes no option {option[0]}; it is for llm: models" in done.err
        done = run_cli(*given, "--labels", "SUPPORTS,REFUTES")
        assert done.code == 2
        assert "'default' takes no option labels; it is for hf: models" in done.err
    done = run_cli("explain", "--claim", "a tower", "--evidence", "a river", "--base-url", endpoint.url)
    assert done.code == 2
    assert "takes no option --base-url" in done.err
    assert not endpoint.asked


def test_check_takes_what_language_models_are_told(
    run_cli: Callable[..., Any], write_jsonl: Callable[..., Any], endpoint: Endpoint, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    for name in ("AVER_LLM_URL", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    text = tmp_path / "text.txt"
    text.write_text("Tea is hot.", encoding="utf-8")
    claims = write_jsonl("claims.jsonl", [{"id": 1, "claim": "Tea is hot."}])
    for what in (["Tea is hot."], ["--text", text], ["--claims", claims]):
        given = "check", *what, "--evidence", "Tea is hot.", "--model", "llm:m"
        done = run_cli(*given)
        assert (done.code, done.out) == (2, "")
        assert "--base-url URL (in Python base_url=), or the environment variable AVER_LLM_URL" in done.err
        done = run_cli(*given, "--base-url", endpoint.url, "--timeout", 5, "--prices", 10, 20, "--threads", 1)
        assert done.code == 0, done.err
        assert "SUPPORTS" in done.out
        assert "llm:m: requests: " in done.err
        assert ", cost 0.0" in done.err
    # whichever of the two is one is told
    done = run_cli("check", "Tea is hot.", "--evidence", "Tea is hot.", "--model", "fast", "--ranker", "llm:m",
                   "--base-url", endpoint.url)  # fmt: skip
    assert done.code == 0, done.err


def test_a_judge_that_is_loaded_is_given_back(judge: LLMJudge) -> None:
    assert load_judge(judge) is judge
    with pytest.raises(InputError, match="is loaded already and takes no option threads, timeout"):
        load_judge(judge, threads=2, timeout=1.0)
