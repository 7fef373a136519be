"""Which names players can have, which look alike, and which passwords are too close to the club."""

import re
import string
import unicodedata
from functools import cache, lru_cache
from itertools import groupby

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.encoding import punycode
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

SHORTEST, LONGEST = 3, 20
NAME_IS_TAKEN = _("This name, or one very similar to it, is already taken.")
LONGEST_LOGIN, LONGEST_PASSWORD = 254, 1000  # of a name or an address, and of what is hashed
RESERVED = frozenset(
    "abuse admin administration administrator arbiter boss chief club crownhead director everybody everyone"
    " guest help helpdesk host hostmaster info jury me message mod moderation moderator noreply nobody"
    " official operator owner postmaster referee root security service staff superuser support sysadmin sysop"
    " system team webmaster".split()
)
"""Names of the club and of those who run it; the club's own name and what the host adds belong to them."""

_OF_RESULTS = frozenset({"both", "draw"})  # what directors say where they name who loses or wins
_OF_NOBODY = frozenset("closed deleted none null undefined".split())  # what pages and programs say for that
COMPUTER = "computer-"  # and the number of its level: what the engine is called when it plays
CLOSED = "closed-account-"  # and a numeral: what a closed account is called
GUEST = "guest-"  # and a number: what somebody who plays without an account is called

_STAFF = (
    "admin",
    "administrator",
    "administratoren",
    "mod",
    "moderator",
    "moderatoren",
    "official",
    "staff",
    "support",
    "sysadmin",
    "crownhead",
)
"""Not even as a word within a name: between signs, or written with a capital of its own."""

_STAFF_RUN_TOGETHER = (
    "admin",
    "administrator",
    "administratoren",
    "moderator",
    "moderatoren",
    "official",
    "support",
    "sysadmin",
    "crownhead",
)
"""Not even where a name begins or ends; *Falstaff* and *Modesto* end and begin with others."""

_INNOCENT = ("supporter", "supportive", "unofficial")  # words that begin or end like those
_GUEST = re.compile(rf"{GUEST}([1-9]\d{{0,13}})")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{2,19}")
_SEPARATORS = str.maketrans("", "", "-_")
_TWINS = (("0", "o"), ("1", "l"), ("i", "l"), ("rn", "m"), ("vv", "w"))
_DIGITS_AS_LETTERS = str.maketrans("2345789", "zeastbg")
_ALL_DIGITS_AS_LETTERS = str.maketrans("012345789", "olzeastbg")
_ALL_DIGITS_AS_CAPITALS = str.maketrans("012345789", "OLZEASTBG")
# Letters of other alphabets that are drawn as ours are, small or large.
_CYRILLIC = dict(zip("авекмнорстухіјѕԁӏԛԝғ", "abekmhopctyxijsdlqwf", strict=True))
_GREEK = dict(zip("αβγεζηικμνορτυχ", "abyezhikmnoptyx", strict=True))
# And those that look so only as capitals or small capitals, or with a stroke through them.
_ARMENIAN = dict(zip("ՏՍԼՕօոսհյցզգ", "SULOonuhjgqq", strict=True))
_CHEROKEE = dict(zip("ᎪᏴᏟᎠᎬᏀᎻᏆᎫᏦᏞᎷᏢᎡᏚᏕᎢᏙᏔᎩᏃ", "ABCDEGHIJKLMPRSSTVWYZ", strict=True))
_LISU = dict(zip("ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "ABCDEFGHIJKLMNOPRSTUVWXYZ", strict=True))
_SMALL_CAPITALS = dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz", strict=True))
_STROKES = dict(zip("ıɩɑɡłøđħŧƒɨʉſᔕ", "iiaglodhtfiuss", strict=True))
_IN_SIGNS = {
    chr(first + number): letter
    for first in (0x1F150, 0x1F170, 0x1F1E6)  # white on a disc or a square, and the letters of flags
    for number, letter in enumerate(string.ascii_lowercase)
}
_CAPITALS_ALIKE = {large.upper(): small.upper() for large, small in (_CYRILLIC | _GREEK).items()}
AS_DRAWN = str.maketrans(
    _CYRILLIC
    | _GREEK
    | _CAPITALS_ALIKE
    | _ARMENIAN
    | _CHEROKEE
    | _LISU
    | _SMALL_CAPITALS
    | _STROKES
    | _IN_SIGNS
)
PLAIN_MAILBOX = re.compile(r"[-!#$%&'*+/=?^_`{}|~0-9A-Za-z]+(\.[-!#$%&'*+/=?^_`{}|~0-9A-Za-z]+)*\Z")
"""What stands before the @ of an address.

The standard also allows quotation marks, and between them nearly anything: control characters that no letter
can carry, and many spellings of one mailbox.
"""

_UNSEEN = {"Mn", "Me", "Cf"}  # marks above and below letters, and what is not drawn at all
_BLANK = "\u115f\u1160\u2800"  # letters and signs that are drawn as nothing
_NUMBERS = "0123456789-_"  # before and after a name, they make it no other


def check_address(text: str) -> None:
    """Raise `ValidationError` for what is no e-mail address, or too long for one."""
    validate_email(text)
    try:
        punycode(text.rpartition("@")[2])  # as it stands in a letter
    except UnicodeError as error:
        raise ValidationError(validate_email.message, code=validate_email.code) from error
    if len(text) > LONGEST_LOGIN:
        raise ValidationError(
            _("Use at most %(limit_value)s characters."), params={"limit_value": LONGEST_LOGIN}
        )


def likeness(name: str) -> str:
    """Return the same text for all names that are easily mistaken for one another."""
    text = name.casefold().translate(_SEPARATORS)
    for look, alike in _TWINS:
        text = text.replace(look, alike)
    return text


def player_likeness(name: str) -> str:
    """Return the same text for all names of players that look alike; digits may stand for letters."""
    text = likeness(name)
    is_ours = name.startswith((CLOSED, COMPUTER)) or guest_number(name) is not None
    return text if is_ours else text.translate(_DIGITS_AS_LETTERS)


def folded(name: str) -> str:
    """Return the name in the case by which it is compared."""
    return name.lower()


def is_reserved(name: str) -> bool:
    """Return whether a name is the club's, or like it: `Staff`, `b055`, `club-support`, `ModsTeam`."""
    drawn = {name, _CL.sub("d", name)}
    return any(map(_is_reserved_as_written, drawn | {_OF_SEVERAL.sub("", form) for form in drawn}))


def _is_reserved_as_written(name: str) -> bool:
    plain = likeness(name)
    if folded(name) in _OF_RESULTS | _OF_NOBODY or plain.startswith(_CLOSED):
        return True
    if _COMPUTERS.fullmatch(plain) is not None:
        return True
    reserved = {player_likeness(word) for word in (*RESERVED, *_words_of_club())}
    bare = name.strip(_NUMBERS)
    if {player_likeness(form) for form in (name, bare)} & reserved:
        return True
    words_of_name = [
        *re.split("[-_]", name),
        *_words_by_case(name),
    ]
    if any(_STAFF_AS_WORD.fullmatch(player_likeness(word.strip(_NUMBERS))) for word in words_of_name):
        return True
    if any(map(_nearly_names_office, (bare, *words_of_name))) or _names_staff_with_signs(bare):
        return True
    together = player_likeness(bare)
    if any(map(_begins_or_ends_like_staff, (together, player_likeness(name)))):
        return True
    reserved.discard("me")
    words, attributes = ("|".join(map(re.escape, group)) for group in (sorted(reserved), sorted(_ATTRIBUTES)))
    return bool(re.fullmatch(f"(?:{attributes})?(?:(?:{words})[sz]*)+", together))


def impersonates_staff(name: str) -> bool:
    """Return whether a name of several words, as of a team, has one for the staff: `Club Moderators`.

    Also across words, `S t a f f`, together with others, `Clubstaff`, or in letters that look so.
    """
    drawn = _as_drawn(name)
    words = " ".join(re.findall(r"[^\W_]+", drawn))
    parts = set(_words_by_case(words)) - set(words.split())
    text = _CL_ACROSS.sub("\0", "\n".join((words, *parts))).casefold()
    return (
        _names_of_staff((*RESERVED, *_words_of_club())).search(text) is not None
        or _strokes_of_staff().search(_in_strokes(text)) is not None
        or any(map(_names_staff_with_signs, drawn.split()))
        or any(map(_names_staff_with_odd_letters, name.split()))
    )


@lru_cache(maxsize=4)
def _names_of_staff(reserved: tuple[str, ...]) -> re.Pattern[str]:
    """What finds the staff in words as drawn: among other names of the club, or but for a letter.

    One search, for a name can have so many words that all runs of them are too many to look at.
    """
    others = ({player_likeness(word) for word in reserved if word != "me"} | _ATTRIBUTES) - {""}
    made_of_others = re.compile(f"(?:{'|'.join(map(re.escape, sorted(others)))}){{2,}}")
    simple = [word for word in sorted(others) if not made_of_others.fullmatch(word)]
    other = "|".join(map(_across_words, simple))
    staff = "|".join(map(_with_letters_repeated, sorted(_STAFF_WORDS)))
    nearly = map(_but_for_a_letter, (word for word in sorted(_STAFF_WORDS) if len(word) >= _LONG_WORD))
    speaks = f"(?: ?(?:{other}))* ?(?:{staff})(?: ?[sz25]){{0,3}}(?: ?(?:{other}))*"
    return _of_whole_words("|".join((speaks, *nearly)))


@cache
def _strokes_of_staff() -> re.Pattern[str]:
    """What finds the staff in words by their strokes."""
    return _of_whole_words(
        "|".join(
            re.sub(r"(\w)({\d+,\d+})?", _stroke, _IN_STROKES[office].pattern)
            for office in sorted(_STAFF_WORDS & _IN_STROKES.keys())
        )
    )


def _of_whole_words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![^ \n])[0-9]*(?:{pattern})[0-9]*(?![^ \n])")


def _across_words(likeness_of_word: str) -> str:
    """A pattern for a word, however it is drawn and divided."""
    return " ?".join(map(_drawn, likeness_of_word))


def _with_letters_repeated(likeness_of_word: str) -> str:
    """Likewise, also with more of some letters: `Stafff`; of *mod* that makes other words."""
    if likeness_of_word == "mod":
        return _across_words(likeness_of_word)
    letters = [(_drawn(letter), len(list(run)) - 1) for letter, run in groupby(likeness_of_word)]
    return " ?".join(f"{letter}(?: ?{letter}){{{more},}}" for letter, more in letters)


def _but_for_a_letter(likeness_of_word: str) -> str:
    """A pattern for a word with at most one letter changed, added or left out, likewise."""
    letters = [f" ?{_drawn(letter)}" for letter in likeness_of_word]
    other, last = (rf" ?(?:r ?n|v ?v|[^ \n{but}])" for but in ("", "0-9"))  # digits at the end don't count
    pattern = f"(?:{last})?"
    for place in reversed(range(len(letters))):
        letter, rest = letters[place], "".join(letters[place + 1 :])
        ways = [f"{letter}{pattern}", f"{other}{letter}{rest}", f"{other if rest else last}{rest}"]
        if likeness_of_word[:place] + likeness_of_word[place + 1 :] not in _INNOCENT_LIKENESS:
            ways.append(rest)
        pattern = f"(?:{'|'.join(ways)})"
    return pattern


def _drawn(letter: str) -> str:
    """A pattern for what is drawn as a letter of a likeness; see `likeness` and `player_likeness`."""
    return _DRAWN.get(letter, re.escape(letter))


def _stroke(part: re.Match[str]) -> str:
    """A pattern for a part of that of an office in strokes."""
    letter, count = part[1], part[2] or ""
    return f"(?: ?[li1R]){count}" if letter == "l" else f"(?: ?{_STROKES_OF.get(letter) or _drawn(letter)})+"


def _in_strokes(text: str) -> str:
    return re.sub("r(?= ?n)", "R", text).replace("m", "lll").replace("n", "ll")


def _as_drawn(text: str) -> str:
    """The letters that a text looks like, whatever alphabet, style or accents they are written in."""
    letters = unicodedata.normalize("NFKD", text).translate(AS_DRAWN)
    return "".join(
        letter for letter in letters if letter not in _BLANK and unicodedata.category(letter) not in _UNSEEN
    )


def _words_by_case(name: str) -> list[str]:
    """The words within a word that stand out by their capitals: `Mod` in `JimMod`, `M0Djim` and `mod2Jim`.

    Digits may stand for small or large letters.
    """
    small = name.translate(_ALL_DIGITS_AS_LETTERS)
    forms = {name, small, name.translate(_ALL_DIGITS_AS_CAPITALS)}
    words = [word for form in forms for pattern in _BY_CASE for word in pattern.findall(form)]
    return words + _BEFORE_CAPITAL.findall(name) + _BEFORE_CAPITAL.findall(small)


def _begins_or_ends_like_staff(likeness_of_name: str) -> bool:
    """Whether a word for the staff stands at either end, also with doubled letters, in x's or of several."""
    text = _single(likeness_of_name)
    for word in map(_single, map(player_likeness, _INNOCENT)):
        text = text.replace(word, "-")
    forms = (text, text.strip("x"), text.rstrip("sz"))
    return _DRAWN_AS_ADMIN.search(likeness_of_name) is not None or any(
        form.startswith(word) or form.endswith(word)
        for form in forms
        for word in _STAFF_RUN_TOGETHER_LIKENESS
    )


def _nearly_names_office(word: str) -> bool:
    """Whether a word is an office but for one letter, or in its strokes: `zupport`, `adnnin`."""
    likeness_of_word = player_likeness(word.strip(_NUMBERS))
    if likeness_of_word in _INNOCENT_LIKENESS:
        return False
    strokes = _strokes(likeness_of_word).rstrip("s")  # no office ends in one
    return any(
        in_strokes.fullmatch(strokes) or _is_one_letter_off(likeness_of_word, office)
        for office, in_strokes in _IN_STROKES.items()
    )


def _names_staff_with_signs(word: str) -> bool:
    """Whether signs within a word stand for letters of the staff: `adm-n`, `St*ff`; not *M.D.*."""
    signs = re.sub(r"[\W_]", "\0", word.strip(f"{_NUMBERS}{string.punctuation}"))
    if "\0" not in signs:
        return False
    text = player_likeness(signs)
    return any(
        len(text) == len(office)
        and all(sign in {"\0", letter} for sign, letter in zip(text, office, strict=False))
        for office in _STAFF_WORDS - {"mod"}
    )


def _names_staff_with_odd_letters(word: str) -> bool:
    """Whether a word for the staff has letters that aren't ours, like any that are: `Ƽtaff`, `Stⲁffs`.

    Only among at least as many that are: who writes in another alphabet means something else.
    """
    if not any(letter in string.ascii_letters for letter in unicodedata.normalize("NFKD", word)):
        return False
    drawn = re.sub(r"[^\W\d_a-zA-Z]", "\0", _as_drawn(word))
    return 0 < 2 * drawn.count("\0") <= len(drawn) and any(
        map(_names_staff_with_signs, {drawn, drawn.lower().removesuffix("s")})
    )


def _strokes(likeness_of_name: str) -> str:
    """A likeness by its strokes: `m` is three, `n` two, one like `i`; any other letter once where doubled."""
    text = likeness_of_name.replace("m", "lll").replace("n", "ll").replace("z", "s")
    return re.sub(r"([^l])\1+", r"\1", text)


def _is_one_letter_off(text: str, word: str) -> bool:
    """Whether a text becomes a word by one letter changed, added or left out."""
    if len(word) < _LONG_WORD or abs(len(text) - len(word)) > 1:
        return False
    first = next((at for at, pair in enumerate(zip(text, word, strict=False)) if pair[0] != pair[1]), None)
    if first is None:
        return True
    rest, other = text[first:], word[first:]
    return rest[1:] == other[1:] or rest[1:] == other or rest == other[1:]


def _single(text: str) -> str:
    """A text with each letter once where it is doubled."""
    return re.sub(r"(.)\1+", r"\1", text)


def display_name(name: str) -> str:
    """Return the name to display; a closed account has none, and a guest a number."""
    if name.startswith(CLOSED):
        return gettext("closed account")
    number = guest_number(name)
    return name if number is None else gettext("Guest %(number)s") % {"number": number}


def computer_level(name: str) -> int | None:
    """Return the level of the computer with a name; None for the name of a person."""
    match = _COMPUTER.fullmatch(name)
    return int(match[1]) if match else None


def guest_number(name: str) -> int | None:
    """Return the number of the guest with a name; None for the name of a member."""
    match = _GUEST.fullmatch(name)
    return int(match[1]) if match else None


def check_name(name: str) -> None:
    """Raise `ValidationError` unless a player can have this name."""
    if not _NAME.fullmatch(name):
        raise ValidationError(
            _("A name has 3 to 20 letters (a–z), digits, - or _, and begins with a letter or digit."),
            code="name",
        )


class ClubNameValidator:
    """Refuses passwords that are little more than the club's name, its address or its game."""

    def validate(self, password: str, user: object = None) -> None:  # noqa: ARG002 - Django gives the user
        """Raise `ValidationError` for such a password."""
        host = _host()
        names = (*_words_of_club(), settings.CLUB_NAME, host, host.removeprefix("www."), *_GAME)
        words = {word for name in names for word in _readings(name) if len(word) >= SHORTEST}
        words |= {_letters(settings.CLUB_NAME)} - {""}  # however short it is
        typed = _readings(password)
        if any(_is_little_more(reading, word) for word in words for reading in typed):
            raise ValidationError(
                _("This password is too similar to the name of the club."), code="password_too_similar"
            )

    def get_help_text(self) -> str:
        """What Django says beside the field."""
        return gettext("Your password can't be similar to the name of the club.")


def _words_of_club() -> list[str]:
    """The club's name, its address, and what its host has reserved; those long enough to be meant."""
    words = [settings.CLUB_NAME.replace(" ", ""), *_host().split("."), *settings.RESERVED_NAMES]
    return [word for word in words if len(word) >= SHORTEST and word not in _COMMON_LABELS]


def _host() -> str:
    return settings.SERVED_AT.partition("://")[2].partition(":")[0].partition("/")[0]


def _is_little_more(text: str, word: str) -> bool:
    rest = text.replace(word, "")
    return rest != text and len(rest.replace("club", "")) < _LEFT_OVER


def _letters(text: str) -> str:
    """The plain letters and digits of a text, however they are accented or spaced."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", text).casefold()))


def _readings(text: str) -> set[str]:
    """What a password or name may be without what people add to make it one, forwards and backwards.

    A digit or a sign within it stands for itself, for a letter or, if there are few different ones, for
    nothing.
    """
    core = unicodedata.normalize("NFKD", text).casefold().strip(f"{_NUMBERS} {string.punctuation}")
    plain = _letters(core)
    readings = {plain, _letters(core.translate(_TYPED_AS_LETTERS)), plain.translate(_TYPED_AS_LETTERS)}
    readings.add(_letters(text))
    if len(set(filter(str.isnumeric, plain))) <= _FEW_DIGITS:
        readings.add("".join(filter(str.isalpha, plain)))
    return readings | {reading[::-1] for reading in readings}


_GAME = ("crownhead", "checkers", "draughts")
_LEFT_OVER = 3  # letters beside the word that make no difference
_FEW_DIGITS = 5  # different ones, such as 12345; more are a secret of their own
_TYPED_AS_LETTERS = str.maketrans("0134578@$!", "oleastbasi")
_COMMON_LABELS = frozenset({"www", "localhost", "com", "org", "net", "example"})
_STAFF_LIKENESS = frozenset(map(player_likeness, _STAFF))
_STAFF_WORDS = _STAFF_LIKENESS - {
    player_likeness("crownhead")
}  # which a team of the club may be called after
_ATTRIBUTES = frozenset(map(player_likeness, ("head", "main", "real", "site", "the", "tournament")))
_STAFF_RUN_TOGETHER_LIKENESS = tuple(_single(player_likeness(word)) for word in _STAFF_RUN_TOGETHER)
_OFFICES = _STAFF_LIKENESS | set(map(player_likeness, "arbiter director helpdesk operator referee".split()))
_LONG_WORD = 6  # letters: one of them more, less or changed makes no other word
_IN_STROKES = {
    office: re.compile(
        re.sub("l{3,}", lambda run: f"l{{{len(run[0]) - 1},{len(run[0]) + 1}}}", _strokes(office))
    )
    for office in _OFFICES
    if len(office) >= _LONG_WORD or office == player_likeness("admin")
}
_DRAWN_AS_ADMIN = re.compile("^{0}|{0}$".format("ad(?:m|nn|ln|nl)(?:ln|nl|m)"))  # `admm`; not *treadmill*
_INNOCENT_LIKENESS = frozenset(map(player_likeness, ("moderato", "directory", "arbeiter", *_INNOCENT)))
_BY_CASE = (
    re.compile("[A-Z][a-z]+"),
    re.compile("[A-Z]{2,}"),
    re.compile("[A-Z]{2,}(?=[A-Z][a-z])"),
)
_BEFORE_CAPITAL = re.compile("(?<![A-Za-z])[a-z]+(?=[0-9]*[A-Z])")
_CL = re.compile("c[lI1]")  # drawn as a d
_CL_ACROSS = re.compile("c(?= ?[lI1])")  # likewise across words
_DRAWN = {
    **{letter: f"[{letter}{digit}]" for letter, digit in zip("zeastbg", "2345789", strict=True)},
    "c": "[c\0]",
    "d": "(?:d|\0 ?[li1])",
    "l": "[li1]",
    "m": "(?:m|r ?n)",
    "o": "[o0]",
    "w": "(?:w|v ?v)",
}
_OF_SEVERAL = re.compile(  # the end of a word that is longer than *me*
    "(?<=[A-Za-z0-9_-]{3})(?:s+(?=[A-Z])|S+(?=[A-Z][a-z])|[sS]+(?=[-_0-9]|$))"
)
_STAFF_AS_WORD = re.compile(f"(?:{'|'.join(map(_with_letters_repeated, sorted(_STAFF_LIKENESS)))})[sz]*")
_STROKES_OF = {"r": "[rR]", "s": "[sz25]"}  # R: a stroke of an m, where an n follows
_CLOSED = likeness(CLOSED)
_COMPUTER = re.compile(rf"{COMPUTER}(\d{{1,2}})")
_COMPUTERS = re.compile(rf"{likeness(COMPUTER)}[0-9lo]*")  # as digits look in a likeness
