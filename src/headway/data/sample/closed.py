"""The function words, each under the name that the grammar calls it by."""

from __future__ import annotations

from headway.data.sample.morphology import Finite, Word, agreeing, be, word

TABLE = """
the           the        the       DET    DT    Definite=Def|PronType=Art
a             a          a         DET    DT    Definite=Ind|PronType=Art
this          this       this      DET    DT    Number=Sing|PronType=Dem
that          that       that      DET    DT    Number=Sing|PronType=Dem
these         these      this      DET    DT    Number=Plur|PronType=Dem
those         those      that      DET    DT    Number=Plur|PronType=Dem
every         every      every     DET    DT    PronType=Tot
no            no         no        DET    DT    PronType=Neg
some          some       some      DET    DT    PronType=Ind
all           all        all       DET    PDT   PronType=Tot
many          many       many      ADJ    JJ    Degree=Pos
few           few        few       ADJ    JJ    Degree=Pos
my            my         my        PRON   PRP$  Case=Gen|Number=Sing|Person=1|Poss=Yes|PronType=Prs
your          your       your      PRON   PRP$  Case=Gen|Person=2|Poss=Yes|PronType=Prs
his           his        his       PRON   PRP$  Case=Gen|Gender=Masc|Number=Sing|Person=3|Poss=Yes|PronType=Prs
her           her        her       PRON   PRP$  Case=Gen|Gender=Fem|Number=Sing|Person=3|Poss=Yes|PronType=Prs
our           our        our       PRON   PRP$  Case=Gen|Number=Plur|Person=1|Poss=Yes|PronType=Prs
their         their      their     PRON   PRP$  Case=Gen|Number=Plur|Person=3|Poss=Yes|PronType=Prs
's            's         's        PART   POS   _
there         there      there     PRON   EX    PronType=Dem
it            it         it        PRON   PRP   Case=Nom|Number=Sing|Person=3|PronType=Prs
who           who        who       PRON   WP    PronType=Rel
which/rel     which      which     PRON   WDT   PronType=Rel
that/rel      that       that      PRON   WDT   PronType=Rel
who/wh        who        who       PRON   WP    PronType=Int
what/wh       what       what      PRON   WP    PronType=Int
when/wh       when       when      ADV    WRB   PronType=Int
where/wh      where      where     ADV    WRB   PronType=Int
why/wh        why        why       ADV    WRB   PronType=Int
how/wh        how        how       ADV    WRB   PronType=Int
to/mark       to         to        PART   TO    _
not           not        not       PART   RB    Polarity=Neg
n't           n't        not       PART   RB    Polarity=Neg
that/mark     that       that      SCONJ  IN    _
whether       whether    whether   SCONJ  IN    _
because/mark  because    because   SCONJ  IN    _
although      although   although  SCONJ  IN    _
if            if         if        SCONJ  IN    _
while         while      while     SCONJ  IN    _
before/mark   before     before    SCONJ  IN    _
after/mark    after      after     SCONJ  IN    _
when/mark     when       when      ADV    WRB   PronType=Int
and           and        and       CCONJ  CC    _
or            or         or        CCONJ  CC    _
but           but        but       CCONJ  CC    _
both          both       both      CCONJ  CC    _
more          more       more      ADV    RBR   Degree=Cmp
will          will       will      AUX    MD    Mood=Ind|VerbForm=Fin
wo            wo         will      AUX    MD    Mood=Ind|VerbForm=Fin
can           can        can       AUX    MD    Mood=Ind|VerbForm=Fin
ca            ca         can       AUX    MD    Mood=Ind|VerbForm=Fin
could         could      could     AUX    MD    Mood=Ind|VerbForm=Fin
should        should     should    AUX    MD    Mood=Ind|VerbForm=Fin
must          must       must      AUX    MD    Mood=Ind|VerbForm=Fin
may           may        may       AUX    MD    Mood=Ind|VerbForm=Fin
be.inf        be         be        AUX    VB    VerbForm=Inf
be.part       been       be        AUX    VBN   Tense=Past|VerbForm=Part
have.past     had        have      AUX    VBD   Mood=Ind|Tense=Past|VerbForm=Fin
do.past       did        do        AUX    VBD   Mood=Ind|Tense=Past|VerbForm=Fin
do.imp        do         do        AUX    VB    Mood=Imp|VerbForm=Fin
yes           yes        yes       INTJ   UH    _
well          well       well      INTJ   UH    _
last          last       last      ADJ    JJ    Degree=Pos
next          next       next      ADJ    JJ    Degree=Pos
"""
PREPOSITIONS = """
about across after against at because before behind beside between by down during for from in
into near of off on onto out over past through to towards under until up with without
"""
PARTICLES = ("up", "down", "off", "out", "on", "over", "away", "back")
PUNCTUATION = {
    "stop": (".", ".", "left"),
    "question": ("?", ".", "left"),
    "exclamation": ("!", ".", "left"),
    "comma": (",", ",", "left"),
    "bracket": ("(", "-LRB-", "right"),
    "bracket/end": (")", "-RRB-", "left"),
    "opening": ('"', "``", "right"),
    "closing": ('"', "''", "left"),
}


def closed_words() -> dict[str, Word | Finite]:
    """All function words by name; particles are called `up/particle`, prepositions as they are spelled."""
    words: dict[str, Word | Finite] = {}
    for line in TABLE.strip().splitlines():
        called, text, lemma, upos, xpos, feats = line.split()
        third = called.endswith("/wh") or called in ("it", "there")
        tight = "joined" if "'" in text else ""
        words[called] = word(text, lemma, upos, xpos, feats, tight, "3sg" if third else "")
    words |= {text: word(text, text, "ADP", "IN") for text in PREPOSITIONS.split()}
    words |= {f"{text}/particle": word(text, text, "ADP", "IN") for text in PARTICLES}
    for called, (text, xpos, tight) in PUNCTUATION.items():
        words[called] = word(text, text, "PUNCT", xpos, tight=tight)
    words["have.pres"] = agreeing("have", "AUX", "Pres", ("have", "have", "has", "have", "have"))
    words["do.pres"] = agreeing("do", "AUX", "Pres", ("do", "do", "does", "do", "do"))
    return words | {"be.pres": be("pres", "AUX"), "be.past": be("past", "AUX")}
