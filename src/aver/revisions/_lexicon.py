"""Words that can stand in each other's place and change the fact: same-class sets, opposites, verbs of two roles.

Small, closed and hand-made on purpose: a replacement from here keeps a sentence fluent and makes it say
something incompatible with what it said.
"""

from __future__ import annotations

__all__ = [
    "ALIKE",
    "BASE_OF",
    "CLASSES",
    "MADE_BY",
    "OPPOSITES",
    "ORDINALS",
    "PARAPHRASES",
    "PAST_OF",
    "ROLE_VERBS",
    "TYPE_NOUNS",
    "VERB_FORMS",
]

# Each line is a class: any two members exclude each other in the slot where one of them stands.
CLASSES: dict[str, tuple[str, ...]] = {
    name: tuple(word.strip() for word in members.split(","))
    for name, members in {
        "nationality": "American, British, English, Scottish, Irish, Welsh, Canadian, Australian, French, German, "
        "Italian, Spanish, Portuguese, Dutch, Belgian, Swiss, Austrian, Swedish, Norwegian, Danish, Finnish, "
        "Icelandic, Polish, Czech, Hungarian, Romanian, Bulgarian, Greek, Turkish, Russian, Ukrainian, Serbian, "
        "Croatian, Israeli, Egyptian, Nigerian, Kenyan, Ghanaian, Indian, Pakistani, Chinese, Japanese, Korean, "
        "Indonesian, Filipino, Thai, Vietnamese, Iranian, Brazilian, Argentine, Mexican, Colombian, Chilean, "
        "Peruvian, Cuban, Jamaican",
        "country": "United States, United Kingdom, England, Scotland, Ireland, Wales, Canada, Australia, New Zealand, "
        "France, Germany, Italy, Spain, Portugal, Netherlands, Belgium, Switzerland, Austria, Sweden, Norway, "
        "Denmark, Finland, Iceland, Poland, Hungary, Romania, Bulgaria, Greece, Turkey, Russia, Ukraine, Serbia, "
        "Croatia, Israel, Egypt, Nigeria, Kenya, Ghana, South Africa, India, Pakistan, China, Japan, South Korea, "
        "Indonesia, Philippines, Thailand, Vietnam, Iran, Brazil, Argentina, Mexico, Colombia, Chile, Peru, Cuba",
        "state": "Alabama, Alaska, Arizona, Arkansas, California, Colorado, Connecticut, Florida, Hawaii, Idaho, "
        "Illinois, Indiana, Iowa, Kansas, Kentucky, Louisiana, Maine, Maryland, Massachusetts, Michigan, Minnesota, "
        "Mississippi, Missouri, Montana, Nebraska, Nevada, New Hampshire, New Jersey, New Mexico, North Carolina, "
        "North Dakota, Ohio, Oklahoma, Oregon, Pennsylvania, South Carolina, South Dakota, Tennessee, Texas, Utah, "
        "Vermont, Virginia, Wisconsin, Wyoming",
        "city": "London, Paris, Berlin, Madrid, Rome, Vienna, Stockholm, Oslo, Copenhagen, Helsinki, Warsaw, Budapest, "
        "Athens, Moscow, Istanbul, Cairo, Tokyo, Beijing, Shanghai, Hong Kong, Singapore, Mumbai, Sydney, Melbourne, "
        "Toronto, Montreal, Vancouver, Chicago, Boston, Philadelphia, Los Angeles, San Francisco, Seattle, Houston, "
        "Dallas, Atlanta, Miami, Detroit, Denver, Dublin, Edinburgh, Glasgow, Manchester, Liverpool, Birmingham",
        "occupation": "actor, singer, novelist, painter, politician, lawyer, engineer, physicist, chemist, historian, "
        "journalist, composer, poet, philosopher, architect, photographer, sculptor, economist, mathematician, "
        "botanist, footballer, cricketer, boxer, swimmer, wrestler, cyclist, comedian, screenwriter, businessman, "
        "physician, surgeon, general, bishop, astronaut, chef, dancer, playwright, guitarist, drummer, pianist",
        "work": "film, novel, album, song, play, opera, musical, video game, television series, comic book, poem, "
        "documentary, magazine, newspaper, short story",
        "genre": "comedy, drama, horror, thriller, western, romance, science fiction, fantasy",
        "music": "rock, jazz, country, hip hop, pop, folk, blues, classical, heavy metal, punk, electronic, reggae",
        "sport": "football, basketball, baseball, cricket, rugby, tennis, hockey, volleyball, handball, "
        "softball, lacrosse",
        "party": "Republican, Democratic, Labour, Conservative, Liberal, Green",
        "month": "January, February, March, April, May, June, July, August, September, October, November, December",
        "weekday": "Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday",
        "language": "English-language, French-language, Spanish-language, German-language, Tamil-language, "
        "Hindi-language, Japanese-language, Italian-language, Malayalam-language, Telugu-language",
        "colour": "red, blue, green, yellow, black, white, purple, orange, brown, grey",
        "place": "village, town, city, river, lake, mountain, island, district, suburb, railway station, airport",
        "body": "university, museum, hospital, church, school, bank, airline, newspaper, law firm, record label",
        "beast": "moth, beetle, spider, fish, frog, snake, lizard, bird, snail, bat, butterfly, mammal",
        "reception": "positive, negative, mixed",
        "frequency": "daily, weekly, monthly, quarterly, annually",
        "continent": "Europe, Asia, Africa, North America, South America, Oceania",
    }.items()
}

# Members of a class that do not exclude each other.
ALIKE = (
    {"British", "English", "Scottish", "Welsh", "Irish"},
    {"United Kingdom", "England", "Scotland", "Wales", "Ireland"},
    {"village", "town", "city", "suburb", "district"},
    {"film", "documentary", "musical", "opera", "play", "television series"},
    {"actor", "comedian", "dancer", "singer", "guitarist", "drummer", "pianist", "composer"},
    {"novelist", "poet", "playwright", "screenwriter", "journalist", "historian", "philosopher"},
    {"lawyer", "politician", "businessman", "economist"}, {"physician", "surgeon"},
    {"university", "school"}, {"moth", "butterfly"}, {"comedy", "romance", "drama"}, {"horror", "thriller"},
    {"science fiction", "fantasy", "thriller", "horror"}, {"rock", "heavy metal", "punk", "pop", "electronic"},
    {"folk", "country", "blues", "pop", "rock"}, {"novel", "comic book", "short story"}, {"bird", "bat", "mammal"},
    {"island", "district", "city", "town", "village"},
)  # fmt: skip

OPPOSITES: tuple[tuple[str, str], ...] = (
    ("largest", "smallest"), ("larger", "smaller"), ("highest", "lowest"), ("higher", "lower"), ("longest", "shortest"),
    ("longer", "shorter"), ("oldest", "youngest"), ("older", "younger"), ("most", "least"), ("more", "less"),
    ("best", "worst"), ("better", "worse"), ("fastest", "slowest"), ("faster", "slower"), ("earliest", "latest"),
    ("earlier", "later"), ("before", "after"), ("increased", "decreased"), ("increase", "decrease"), ("rose", "fell"),
    ("grew", "shrank"), ("won", "lost"), ("winning", "losing"),
    ("northern", "southern"), ("eastern", "western"), ("north", "south"), ("east", "west"), ("northeast", "southwest"),
    ("northwest", "southeast"), ("male", "female"), ("major", "minor"), ("public", "private"),
    ("opened", "closed"), ("began", "ended"), ("success", "failure"), ("successful", "unsuccessful"),
    ("common", "rare"), ("popular", "obscure"), ("ancient", "modern"), ("upper", "lower"), ("above", "below"),
    ("majority", "minority"), ("strong", "weak"), ("joined", "left"), ("fictional", "real"),
    ("always", "never"), ("often", "rarely"), ("professional", "amateur"), ("rural", "urban"),
    ("inside", "outside"), ("wife", "sister"), ("husband", "brother"), ("son", "nephew"), ("daughter", "niece"),
    ("father", "uncle"), ("mother", "aunt"), ("accepted", "rejected"),
    ("approved", "rejected"), ("supported", "opposed"), ("gained", "lost"),
    ("extinct", "extant"), ("maximum", "minimum"), ("victory", "defeat"),
    ("allies", "enemies"), ("warm", "cold"), ("hot", "cold"), ("dry", "wet"), ("open", "closed"), ("near", "far from"),
    ("superior", "inferior"),
)  # fmt: skip

ORDINALS = tuple("first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split())

# active past form -> passive participle; "A defeated B" and "B defeated A" can't both be what is meant
ROLE_VERBS: dict[str, str] = {
    verb: verb
    for verb in (
        "defeated acquired bought succeeded replaced influenced inspired preceded conquered invaded founded discovered "
        "taught employed sued murdered assassinated outlived absorbed trained mentored attacked captured killed shot "
        "eliminated recruited hired appointed nominated rescued coached adopted betrayed deposed dethroned colonised "
        "liberated annexed bombed besieged purchased outscored knighted arrested executed poisoned occupied"
    ).split()
} | {"beat": "beaten", "overthrew": "overthrown", "overtook": "overtaken"}

# what somebody is said to have done to a work or a place: participle -> active past form
MADE_BY: dict[str, str] = {
    verb: verb
    for verb in (
        "directed produced composed designed founded created published developed established released recorded edited "
        "invented discovered illustrated launched commissioned owned acquired purchased distributed introduced hosted"
    ).split()
} | {"written": "wrote", "built": "built"}


def _forms(verb: str) -> tuple[str, str, str]:
    """Infinitive, past form and participle; "sign" is enough where they are regular."""
    lemma, _, forms = verb.partition(":")
    past, _, participle = (forms or f"{lemma.removesuffix('e')}ed").partition(":")
    return lemma, past, participle or past


# Past forms with infinitive and participle, and whether one can plan to do it. "Opened" and its like are left out:
# things do that as well, and things have no plans.
VERB_FORMS: dict[str, tuple[str, str, bool]] = {
    past: (lemma, participle, meant)
    for meant, verbs in {
        True: "join leave:left:left move sign buy:bought:bought sell:sold:sold acquire publish attend resign retire "
        "marry:married:married invade attack write:wrote:written direct visit return purchase hire appoint sue "
        "teach:taught:taught study:studied:studied compete run:ran:run build:built:built translate photograph",
        False: "win:won:won defeat influence inspire describe discover invent design create receive score reach earn "
        "contribute collaborate include become:became:become begin:began:begun lose:lost:lost lead:led:led cause "
        "contain suffer",
    }.items()
    for lemma, past, participle in map(_forms, verbs.split())
}

# The head noun of "X is a …": a page's own first sentence says what kind of thing it is.
TYPE_NOUNS: dict[str, str] = {
    noun: kind
    for kind, nouns in {
        "person": "actor actress singer novelist painter politician lawyer engineer physicist chemist historian "
        "journalist composer poet philosopher architect photographer sculptor economist mathematician footballer "
        "cricketer boxer swimmer wrestler comedian screenwriter businessman businesswoman physician musician writer "
        "author player director producer rapper songwriter model artist officer scholar professor scientist king "
        "queen emperor president minister senator judge coach manager dancer playwright guitarist drummer pianist",
        "place": "city town village municipality district county province region capital suburb settlement commune",
        "country": "country nation republic kingdom",
        "water": "river lake sea bay stream",
        "peak": "mountain peak volcano hill",
        "island": "island islet archipelago",
        "film": "film movie documentary",
        "series": "sitcom series show anime",
        "album": "album EP soundtrack",
        "song": "song single",
        "book": "novel book memoir novella",
        "band": "band group duo trio quartet",
        "company": "company corporation firm manufacturer retailer airline bank label publisher",
        "university": "university college institute",
        "team": "team club franchise",
        "game": "game",
        "species": "species genus",
        "newspaper": "newspaper magazine journal",
        "award": "award prize medal",
    }.items()
    for noun in nouns.split()
}

# Safe rewordings of a claim: the fact stays what it was. (found, put instead)
PARAPHRASES: tuple[tuple[str, str], ...] = (
    ("approximately", "about"), ("The film", "The movie"), ("the film", "the movie"),
    ("film directed", "movie directed"),
    ("comedy film", "comedy movie"), ("drama film", "drama movie"), ("horror film", "horror movie"),
    ("located in", "situated in"), ("situated in", "located in"),
    ("consists of", "is made up of"), ("comprises", "consists of"), ("was established", "was founded"),
    ("was founded", "was established"), ("began", "started"), ("commenced", "began"), ("purchased", "bought"),
    ("portrayed by", "played by"), ("is known as", "is called"), ("also known as", "also called"),
    ("resides", "lives"), ("primarily", "mainly"), ("particularly", "especially"), ("numerous", "many"),
    ("however ,", ""), ("best known for", "famous for"), ("prior to", "before"),
    ("subsequently", "later"), ("is a native of", "comes from"), ("is situated", "lies"), ("is located", "lies"),
    ("was released in", "came out in"), ("was released on", "came out on"),
    ("attempted to", "tried to"), ("assisted", "helped"),
    ("currently", "now"), ("frequently", "often"), ("employs \ue000", "has a staff of \ue000"),
    ("grossed", "made"), ("deceased", "dead"), ("film starring", "film with"),
    ("movie starring", "movie with"), ("series starring", "series with"),
)  # fmt: skip

# Verbs that are not regular, and the other way round
PAST_OF = {
    "win": "won", "make": "made", "become": "became", "take": "took", "get": "got", "give": "gave", "go": "went",
    "come": "came", "have": "had", "leave": "left", "lose": "lost", "begin": "began", "write": "wrote", "see": "saw",
    "appear": "appeared", "play": "played", "beat": "beat", "hold": "held", "sell": "sold", "find": "found",
    "know": "knew", "run": "ran", "say": "said", "rise": "rose", "fall": "fell", "grow": "grew", "meet": "met",
}  # fmt: skip
BASE_OF = {past: base for base, past in PAST_OF.items()}
