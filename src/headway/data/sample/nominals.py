"""The grammar of the sample treebank: noun phrases; `grammar.py` explains the notation."""

NOMINALS = """
NP
    10 PHRASE
     1 advmod=ADVERB(focus) PHRASE
PHRASE
    88 BODY
     6 [-pronoun] BODY conj=AND_NP !plural
     4 [-pronoun] NUCLEUS conj=AND_NP !plural
     1 [-pronoun] BODY conj=LISTED_NP conj=AND_NP !plural
     1 [-pronoun] BODY conj=OR_NP
     1 [-pronoun] cc:preconj=both BODY conj=AND_NP !plural
AND_NP
     1 cc=and BODY
OR_NP
     1 cc=or BODY
LISTED_NP
     1 punct=comma BODY
PP
     9 case=PREPOSITION PHRASE
     1 advmod=ADVERB(focus) case=PREPOSITION PHRASE
BODY
     1 [noun] NUCLEUS POST
     1 [-noun] NUCLEUS
SUBJECT
     8 NUCLEUS
     1 advmod=ADVERB(focus) NUCLEUS
     2 NP
NUCLEUS
    40 [count] det=the PRE *sg
    28 [count] det=a PRE *sg
     5 [count] det=this PRE *sg
     3 [count] det=that PRE *sg
     3 [count] det=the amod=SUPERLATIVE(size) *sg
     2 [count] det=every PRE *sg
     2 [count] det=no PRE *sg
    10 [count] POSSESSOR PRE *sg
    18 [count] det=the PRE *pl
    14 [count] PRE *pl
     3 [count] det=these PRE *pl
     2 [count] det=those PRE *pl
     3 [count] det=some PRE *pl
     3 [count] amod=many PRE *pl
     2 [count] amod=few PRE *pl
     4 [count] nummod=NUMERAL(amount) PRE *pl
     1 [count] det:predet=all det=the PRE *pl
     4 [count] POSSESSOR PRE *pl
     4 [mass] det=the PRE *sg
     6 [mass] PRE *sg
     1 [mass] det=some PRE *sg
     1 [mass] POSSESSOR PRE *sg
     4 [daypart] det=the *sg
     1 [daypart] det=a amod=ADJECTIVE *sg
    75 [proper] *sg
    15 [name] *sg flat=SURNAME
     5 [name] *sg punct=bracket appos=ROLE punct=bracket/end
     1 [pronoun] *case
PLAIN
     3 [count] det=a PRE *sg
     2 [count] det=the PRE *sg
     2 [count] PRE *pl
     1 [count] det=some PRE *pl
INDEFINITE
     4 [count] det=a PRE *sg POST
     1 [count] det=no PRE *sg POST
     2 [count] nummod=NUMERAL(amount) PRE *pl POST
     1 [count] PRE *pl POST
     1 [mass] det=some PRE *sg POST
ROLE
     3 det=a PRE *sg POST
     2 det=the PRE *sg POST
SURNAME
     1 *sg
NUMERAL
     1 *num
POSSESSOR
     2 nmod:poss=my
     1 nmod:poss=your
     3 nmod:poss=his
     3 nmod:poss=her
     1 nmod:poss=our
     2 nmod:poss=their
     5 nmod:poss=OWNER(name)
     3 nmod:poss=OWNER(person)
OWNER
     1 [proper] *sg case='s
     1 [count] det=the amod=ADJECTIVE?20 *sg case='s
PRE
    64
    20 [amod] amod=ADJECTIVE
     4 [amod] amod=ADJECTIVE amod=ADJECTIVE
     2 [amod] amod=TWO_ADJECTIVES
     6 [compound] compound=MODIFIER
     5 [compound] amod=ADJECTIVE compound=MODIFIER
     5 [compound] compound=MODIFIED
     4 [compound] compound=MODIFIER compound=MODIFIER
     4 [compound] compound=COMPOUND
ADJECTIVE
    84 *pos
     8 advmod=ADVERB(degree) *pos
     6 [short] *cmp
     6 [gradable] advmod=more *pos
SUPERLATIVE
     1 *sup
TWO_ADJECTIVES
     1 *pos conj=AND_ADJECTIVE
AND_ADJECTIVE
     1 cc=and *pos
MODIFIER
     1 *sg
MODIFIED
     1 *sg
     5 [mass amod] amod=ADJECTIVE *sg
COMPOUND
     1 *sg
     5 [compound] compound=MODIFIER *sg
POST
    40
    38 [nmod] nmod=PP
     4 [nmod] nmod=PP nmod=PP
     4 [nmod doing animate] nmod=PP acl:relcl=WHO_RELATIVE(doing)
     2 [nmod doing -animate] nmod=PP acl:relcl=WHICH_RELATIVE(doing)
     4 [nmod undergoing] nmod=PP acl:relcl=OBJECT_RELATIVE(undergoing)
     6 [place] advmod=ADVERB(location)
     4 [person] advmod=ADVERB(location)
     3 [doing animate] acl:relcl=WHO_RELATIVE(doing)
     2 [doing -animate] acl:relcl=WHICH_RELATIVE(doing)
     2 [undergoing] acl:relcl=OBJECT_RELATIVE(undergoing)
     2 [doing] acl=PRESENT_PARTICIPLE(doing)
     2 [undergoing] acl=PAST_PARTICIPLE(undergoing)
    80 [infinitive] acl=INFINITIVE(action)
    40 [content] acl=CONTENT(embedded)
WHO_RELATIVE
     1 nsubj=who TENSED
WHICH_RELATIVE
     1 nsubj=which/rel TENSED
     1 nsubj=that/rel TENSED
OBJECT_RELATIVE
     3 obj=that/rel nsubj=SUBJECT GROUP WITHOUT_OBJECT
     2 nsubj=SUBJECT GROUP WITHOUT_OBJECT
PRESENT_PARTICIPLE
     1 *ing COMPLEMENTS
PAST_PARTICIPLE
     3 *passive WITHOUT_OBJECT obl:agent=AGENT(nsubj)
     2 [obl -particle -give] *passive obl=PP
ADVERB
     1 *adv
"""
