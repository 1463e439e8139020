"""The grammar of the sample treebank: sentences; clauses are in `clauses.py`, noun phrases in `nominals.py`.

It is a dependency grammar: it says how a head and its dependents are put in order. A symbol is realised around a head
word that its governor has selected already, by one of the symbol's rules. A rule has a weight, a guard that the
head's kind must satisfy (`[verb -clausal]`: names of kinds, categories, tags and selections of the lexicon), and
items in the order of the sentence:

    *past             the head itself, in this form; `*same` is the form of the governor, `*case` follows the role
    obj=NP            a dependent: the head selects a word for the relation `obj`, and NP is realised around it
    obj=NP(nsubj)     the same, but selected as if for `nsubj`; `(^obj)` lets the governor of the head select
    cc=and            a function word, by its name in `closed.py`; `be.pres` agrees with the subject, `n't` makes
                      one token with the word before it
    COMPLEMENTS       more dependents of the same head, by the rules of another symbol
    amod=ADJECTIVE?30 present 30 times of 100
    nmod@obj=PP       a dependent not of the head but of its dependent `obj`: crossing arcs
    case=PREPOSITION  the preposition that the head was selected with; PARTICLE is the one that belongs to a verb
    !plural           the head counts as plural for the verb

Deep in a sentence the first rule that its guard allows is taken, so put the simplest rule first. Modifiers follow
the principle of `attachment.py`.
"""

SENTENCES = """
PROJECTIVE
    70 root=STATEMENT(predicate)
     8 root=QUESTION(questioned)
     3 root=OBJECT_QUESTION(transitive)
     4 root=COMMAND(action)
     3 root=TOPICALISED(transitive)
     7 root=JUDGEMENT(judgement)
     5 root=EXISTENCE(existence)
     4 root=QUOTATION(embedded)

NONPROJECTIVE
     3 root=LONG_QUESTION(say)
     3 root=LONG_TOPIC(say)
     4 root=EXTRAPOSED_RELATIVE(arrive)
     2 root=EXTRAPOSED_MODIFIER(read)
     2 root=EXTRAPOSED_MODIFIER(discuss)
     3 root=STRANDED_PREPOSITION(intransitive)
     4 root=LONG_RELATIVE_OBJECT(tangible)

GAPPING
     1 root=GAPPED(tangible)

# Sentences

STATEMENT
    20 OPENING CLAUSE punct=stop
     2 OPENING CLAUSE conj=SECOND_CLAUSE(embedded) punct=stop
SECOND_CLAUSE
     3 punct=comma cc=and CLAUSE
     2 punct=comma cc=but CLAUSE
OPENING
    72
     7 obl=PP(setting) punct=comma
     4 advcl=ADVERBIAL(embedded) punct=comma
     5 advmod=ADVERB(stance) punct=comma
    18 advmod=ADVERB(frequency)
     1 discourse=yes punct=comma
     1 discourse=well punct=comma
     2 vocative=NUCLEUS(name) punct=comma
QUESTION
     5 [verb] aux=do.past nsubj=SUBJECT *inf COMPLEMENTS ADJUNCTS punct=question
     3 [verb] aux=do.pres nsubj=SUBJECT *inf COMPLEMENTS ADJUNCTS punct=question
     3 [verb] WH_ADVERB aux=do.past nsubj=SUBJECT *inf COMPLEMENTS ADJUNCTS punct=question
     2 [verb] WH_ADVERB MODAL nsubj=SUBJECT *inf COMPLEMENTS ADJUNCTS punct=question
     2 [verb] aux=have.pres nsubj=SUBJECT *part COMPLEMENTS ADJUNCTS punct=question
     4 [verb] nsubj=WH *past COMPLEMENTS ADJUNCTS punct=question
     2 [adjective] cop=be.pres nsubj=SUBJECT advmod=ADVERB(degree)?20 *pos REASON punct=question
     1 [adjective] advmod=why/wh cop=be.past nsubj=SUBJECT advmod=ADVERB(degree)?20 *pos REASON punct=question
WH_ADVERB
     2 advmod=when/wh
     2 advmod=why/wh
     1 advmod=where/wh
     1 advmod=how/wh
WH
     1 *wh
OBJECT_QUESTION
     3 obj=WH aux=do.past nsubj=SUBJECT *inf WITHOUT_OBJECT punct=question
     1 obj=WH MODAL nsubj=SUBJECT *inf WITHOUT_OBJECT punct=question
COMMAND
     4 *imp COMPLEMENTS ADJUNCTS punct=exclamation
     1 aux=do.imp advmod=n't *imp COMPLEMENTS ADJUNCTS punct=exclamation
TOPICALISED
     1 obj=NP punct=comma nsubj=SUBJECT PAST_GROUP WITHOUT_OBJECT punct=stop
JUDGEMENT
     3 expl=it cop=be.pres advmod=ADVERB(degree)?20 *pos CONTENT_SUBJECT punct=stop
     2 expl=it cop=be.past advmod=ADVERB(degree)?20 *pos CONTENT_SUBJECT punct=stop
     1 expl=it cop=be.pres advmod=n't *pos CONTENT_SUBJECT punct=stop
CONTENT_SUBJECT
     1 csubj=CONTENT(embedded)
     1 csubj=INFINITIVE(action)
EXISTENCE
     3 expl=there *pres nsubj=INDEFINITE obl=PP punct=stop
     2 expl=there *past nsubj=INDEFINITE obl=PP?60 punct=stop
QUOTATION
     1 punct=opening CLAUSE punct=comma punct=closing parataxis=SAID(say) punct=stop
SAID
     3 nsubj=SUBJECT *past
     2 *past nsubj=NUCLEUS(name)

# Sentences with crossing arcs

LONG_QUESTION
     1 obj@ccomp=WH aux=do.past nsubj=SUBJECT *inf ccomp=GAP_CLAUSE(transitive) punct=question
LONG_TOPIC
     1 obj@ccomp=NP punct=comma nsubj=SUBJECT PAST_GROUP ccomp=GAP_CLAUSE(transitive) punct=stop
GAP_CLAUSE
     2 mark=that/mark nsubj=SUBJECT GROUP WITHOUT_OBJECT
     3 nsubj=SUBJECT GROUP WITHOUT_OBJECT
EXTRAPOSED_RELATIVE
     1 nsubj=PLAIN(person) *past obl=PP?40 acl:relcl@nsubj=WHO_RELATIVE(doing) punct=stop
EXTRAPOSED_MODIFIER
     2 nsubj=SUBJECT *past obj=PLAIN(document) advmod=ADVERB(past) nmod@obj=PP punct=stop
     1 nsubj=SUBJECT *past obj=PLAIN(document) obl:tmod=DURATION(span) nmod@obj=PP punct=stop
STRANDED_PREPOSITION
     3 obl=WH aux=do.past nsubj=SUBJECT *inf PARTICLES case@obl=PREPOSITION punct=question
     1 obl=WH MODAL nsubj=SUBJECT *inf PARTICLES case@obl=PREPOSITION punct=question
LONG_RELATIVE_OBJECT
     1 nsubj=SUBJECT *past obj=LONG_NP punct=stop
LONG_NP
     1 det=the amod=ADJECTIVE?20 *sg acl:relcl=LONG_RELATIVE(say)
LONG_RELATIVE
     1 obj@ccomp=that/rel nsubj=SUBJECT *past ccomp=GAP_CLAUSE(^undergoing)

# Sentences with an empty node

GAPPED
     1 nsubj=SHORT *past obj=SHORT conj=REMNANT(name) punct=stop
REMNANT
     1 cc=and SHORT orphan=SHORT(^obj)
SHORT
     2 [count] det=the *sg
     2 [count] det=a *sg
     1 [count] det=the *pl
     1 [mass] det=the *sg
     1 [daypart] det=the *sg
     1 [proper] *sg
     1 [pronoun] *case
"""
