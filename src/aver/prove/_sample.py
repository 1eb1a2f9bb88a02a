"""A small set of pairs that the project wrote itself, so that a proof runs on any machine.

Ten invented passages, each in two versions that differ in one fact. `first` is true to the version as it stands and
false to the revised one, `second` the other way round: the texts of those forty pairs are each right once and wrong
once, so nobody can tell from the text alone. `either` is true to both versions in other words, `neither` is told by
none. Nothing in them is about the real world: knowing things does not help, reading does.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

__all__ = ["SampleRow", "Topic", "sample_rows", "sample_topics"]


class Topic(NamedTuple):
    """A passage, the fact that its revision changes, and four texts about it."""

    name: str
    kind: str
    """What the revision changes: a figure, a name, a date, a negation, who did what to whom …"""
    passage: str
    old: str
    new: str
    first: str
    second: str
    either: str
    neither: str

    @property
    def revised(self) -> str:
        """The passage with its one fact changed."""
        return self.passage.replace(self.old, self.new)


class SampleRow(NamedTuple):
    """One text against one source."""

    place: str
    topic: str
    kind: str
    text: str
    source: str
    label: str
    """`supported`, `refuted` or `unsupported`."""
    contrast: str
    """Rows with the same contrast are one text against the two versions; empty where there is no other."""

    @property
    def consistent(self) -> bool:
        return self.label == "supported"


_TOPICS = (
    Topic(
        "ferry", "figure",
        "The ferry Marlinda links the island of Oss with the mainland. She can carry 240 passengers and 36 cars, and "
        "makes the crossing in fifty minutes. From October to March she sails twice a day; in summer a third crossing "
        "is added in the evening. The Ossian Steam Company has run the service since 1958.",
        "240 passengers", "420 passengers",
        "The Marlinda has room for 240 passengers.",
        "The ferry can take 420 people on board.",
        "In winter the ferry to Oss crosses two times a day.",
        "The Marlinda was built in a shipyard on the mainland.",
    ),
    Topic(
        "bridge", "date",
        "Work on the Tavel Bridge began in the spring of 1927. The central arch was closed in 1931 and the bridge was "
        "opened to traffic in May 1932. It carries two lanes of road and a footpath, but the tram line that had been "
        "planned was never laid. Repairs to the northern pier kept it shut for most of 1964.",
        "in May 1932", "in May 1935",
        "Traffic first crossed the Tavel Bridge in 1932.",
        "The Tavel Bridge was opened in 1935.",
        "No trams run over the bridge, although a line was planned.",
        "The bridge was the longest in the country when it was opened.",
    ),
    Topic(
        "orchestra", "name",
        "The Lindhaven Chamber Orchestra was founded by the cellist Ida Brandt. Its present conductor, Marek Solan, "
        "took over four years ago after a long search. The orchestra gives about thirty concerts a year, most of them "
        "in the old customs house, and records for a small label in Gent.",
        "Marek Solan", "Pauline Achard",
        "Marek Solan conducts the Lindhaven Chamber Orchestra.",
        "The orchestra's conductor is Pauline Achard.",
        "A cellist founded the orchestra, which plays around thirty concerts each year.",
        "The orchestra has toured Japan three times.",
    ),
    Topic(
        "trial", "negation",
        "In the trial 312 adults with mild asthma inhaled either the new powder or a placebo for twelve weeks. The "
        "powder did not reduce the number of attacks compared with the placebo. Headache was the most common side "
        "effect and was reported by nine people. The authors call for a longer study with more severe cases.",
        "did not reduce", "clearly reduced",
        "Compared with a placebo, the powder failed to lower the number of attacks.",
        "The powder lowered the number of asthma attacks.",
        "Just over three hundred adults took part, for twelve weeks.",
        "The powder is now sold in pharmacies in several countries.",
    ),
    Topic(
        "takeover", "who and whom",
        "After weeks of rumours it is official: Calder Mills has bought its rival Fenn & Sons for 18 million crowns. "
        "Both firms spin wool and are based in the same valley. All 95 jobs at the two works are to be kept, the new "
        "owners said, and the Fenn name will stay on the label.",
        "Calder Mills has bought its rival Fenn & Sons", "Fenn & Sons has bought its rival Calder Mills",
        "Fenn & Sons was taken over by Calder Mills.",
        "Calder Mills was bought by Fenn & Sons.",
        "The wool firm changed hands for 18 million crowns and no job is to go.",
        "Workers at both mills went on strike over pay.",
    ),
    Topic(
        "vote", "comparison",
        "The council of Harrow Dene voted on the new swimming bath on Tuesday night. Fourteen councillors were in "
        "favour and eleven against, with two abstaining. The bath will cost 6.2 million, more than twice the first "
        "estimate, and is to open in three years. The old one will be pulled down afterwards.",
        "Fourteen councillors were in favour and eleven against",
        "Eleven councillors were in favour and fourteen against",
        "More councillors voted for the swimming bath than against it.",
        "A majority of those voting rejected the swimming bath.",
        "Two members of the council abstained in Tuesday's vote.",
        "The mayor left the room before the vote was taken.",
    ),
    Topic(
        "expedition", "place",
        "Sena Orlova's party reached the hut at Cold Fork on the ninth day and waited out a storm there. They then "
        "crossed the glacier from the western side and stood on the summit of Mount Dren early in the morning of "
        "4 August. It was the first ascent by women. On the way down they lost a tent but nobody was hurt.",
        "from the western side", "from the southern side",
        "The party came over the glacier from the west.",
        "They approached across the glacier from the south.",
        "Everyone in Orlova's party came down from Mount Dren unharmed.",
        "Orlova had tried to climb Mount Dren once before.",
    ),
    Topic(
        "recipe", "quantity",
        "For the plain loaf mix 500 grams of flour with 10 grams of salt, 7 grams of dry yeast and a third of a litre "
        "of lukewarm water. Knead for ten minutes and leave the dough to rise for two hours under a cloth. Bake at 220 "
        "degrees for 40 minutes. Let the bread cool before you cut it.",
        "for 40 minutes", "for 25 minutes",
        "The loaf stays in the oven for forty minutes.",
        "The bread is baked for twenty-five minutes.",
        "The dough should be kneaded ten minutes and then rest two hours.",
        "A spoonful of honey is added to the dough.",
    ),
    Topic(
        "league", "result",
        "Eastport and Vale met for the last time this season on Saturday. Vale led at half-time through Dario Kemp, "
        "but Eastport turned the match round after the break and won 3–1. The defeat sends Vale down to the second "
        "league after eleven years; their coach will stay. Some 8,700 people saw the game.",
        "but Eastport turned the match round after the break and won 3–1. The defeat sends Vale down",
        "and they held on after the break to win 2–1. Even so, other results send Vale down",
        "Eastport beat Vale by three goals to one.",
        "Vale won the match against Eastport.",
        "Vale will play in the second league next season, under the same coach.",
        "Dario Kemp is the league's highest scorer this season.",
    ),
    Topic(
        "library", "condition",
        "From 1 June the Wexley library is open every day except Monday. Borrowing is free for residents; visitors pay "
        "a deposit of 20 crowns, which is returned with the last book. Up to twelve books can be taken out at a time "
        "for four weeks. The reading room on the second floor is closed until the roof has been mended.",
        "every day except Monday", "every day except Friday",
        "The library in Wexley is shut on Mondays.",
        "On Fridays the Wexley library does not open.",
        "People who live in Wexley borrow books without paying.",
        "The library lends films as well as books.",
    ),
)  # fmt: skip


def sample_topics() -> tuple[Topic, ...]:
    """The ten passages.

    >>> topic = sample_topics()[0]
    >>> topic.old in topic.passage, topic.new in topic.revised
    (True, True)
    """
    return _TOPICS


@functools.cache
def sample_rows() -> tuple[SampleRow, ...]:
    """The pairs, six for each passage: four contrastive ones, a paraphrase and a text that goes beyond the source.

    >>> rows = sample_rows()
    >>> len(rows), sum(row.consistent for row in rows), sorted({row.label for row in rows})
    (60, 30, ['refuted', 'supported', 'unsupported'])
    """
    rows = []
    for topic in _TOPICS:
        held = ((topic.passage, "as it stands"), (topic.revised, "revised"))
        for which, text in (("first", topic.first), ("second", topic.second)):
            for number, (source, version) in enumerate(held):
                label = "supported" if (number == 0) == (which == "first") else "refuted"
                place = f"sample {topic.name}, {which} text, source {version}"
                rows.append(SampleRow(place, topic.name, topic.kind, text, source, label, f"{topic.name} {which}"))
        rows.append(SampleRow(f"sample {topic.name}, either", topic.name, "paraphrase", topic.either, topic.passage,
                              "supported", ""))  # fmt: skip
        rows.append(SampleRow(f"sample {topic.name}, neither", topic.name, "beyond the source", topic.neither,
                              topic.passage, "unsupported", ""))  # fmt: skip
    return tuple(rows)
