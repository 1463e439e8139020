"""The grammar of the sample treebank: clauses; `grammar.py` explains the notation."""

CLAUSES = """
CLAUSE
    86 [verb] nsubj=SUBJECT TENSED
    14 [transitive -stative] nsubj:pass=SUBJECT(obj) PASSIVE_GROUP WITHOUT_OBJECT obl:agent=AGENT(nsubj)?35
     1 [adjective] nsubj=SUBJECT COPULA advmod=ADVERB(degree)?20 *pos REASON
     5 [noun] nsubj=NUCLEUS cop=be.pres det=a PRE *sg POST
     3 [noun] nsubj=NUCLEUS cop=be.past det=a PRE *sg POST
     1 [noun] nsubj=NUCLEUS cop=be.pres advmod=n't det=a PRE *sg POST
TENSED
    50 PAST_GROUP COMPLEMENTS ADJUNCTS
    40 PRESENT_GROUP COMPLEMENTS ADJUNCTS
     7 [-clausal -predicative] PAST_GROUP COMPLEMENTS advmod=ADVERB(past)
     6 [-clausal -predicative] PRESENT_GROUP COMPLEMENTS advmod=ADVERB(present)
     4 [-clausal -predicative] GROUP COMPLEMENTS conj=ANOTHER_VERB
     3 [transitive -particle -give -put] *past conj=SHARING_VERB obj=NP
GROUP
     3 PAST_GROUP
     2 PRESENT_GROUP
PAST_GROUP
    60 *past
     4 advmod=ADVERB(manner) *past
     6 aux=have.past *part
     5 [-stative] aux=be.past *ing
     5 aux=do.past advmod=not *inf
     4 aux=do.past advmod=n't *inf
     2 aux=have.past advmod=n't *part
PRESENT_GROUP
    26 *pres
     6 advmod=ADVERB(frequency) *pres
     8 aux=have.pres *part
     8 [-stative] aux=be.pres *ing
    12 MODAL *inf
     4 aux=do.pres advmod=not *inf
     4 aux=do.pres advmod=n't *inf
     2 aux=wo advmod=n't *inf
     2 aux=ca advmod=n't *inf
MODAL
     4 aux=will
     3 aux=can
     2 aux=could
     2 aux=should
     2 aux=must
     1 aux=may
PASSIVE_GROUP
     6 aux:pass=be.past *passive
     3 aux:pass=be.pres *passive
     2 aux=have.pres aux:pass=be.part *passive
     2 MODAL aux:pass=be.inf *passive
     1 aux:pass=be.past advmod=n't *passive
COPULA
     4 cop=be.pres
     4 cop=be.past
     1 cop=be.past advmod=n't
     1 cop=be.pres advmod=not
     1 MODAL cop=be.inf
     1 aux=have.pres cop=be.part
AGENT
     1 case=by PHRASE
ANOTHER_VERB
     4 cc=and *same COMPLEMENTS
     1 cc=or *same COMPLEMENTS
SHARING_VERB
     1 cc=and *same
REASON
     4
     2 [obl] obl=PP
     2 [gradable] ccomp=CONTENT(embedded)
     2 [gradable] xcomp=INFINITIVE(action)
ADVERBIAL
     3 mark=because/mark CLAUSE
     3 advmod=when/mark CLAUSE
     2 mark=if CLAUSE
     2 mark=although CLAUSE
     1 mark=while CLAUSE
     2 mark=before/mark CLAUSE
     2 mark=after/mark CLAUSE
CONTENT
     1 mark=that/mark CLAUSE
INDIRECT_QUESTION
     2 mark=whether CLAUSE
     1 mark=if CLAUSE
INFINITIVE
    12 mark=to/mark *inf COMPLEMENTS
     1 advmod=not mark=to/mark *inf COMPLEMENTS

# What a verb takes

COMPLEMENTS
     6 [transitive -particle -give -put -fill] obj=NP
     1 [transitive -particle -give -put -fill] advmod=ADVERB(manner) obj=NP
     1 [put] obj=NP obl=PP
     3 [fill] obj=NP obl=PP
     1 [fill] obj=NP
     4 [give] iobj=NP obj=NP
     4 [give] obj=NP obl=PP(recipient)
     1 [give] obj=NP
     3 [phrasal] compound:prt=PARTICLE obj=NP
     2 [phrasal] obj=NP compound:prt=PARTICLE
     1 [rise] compound:prt=PARTICLE
     4 [intransitive -particle]
     4 [intransitive -particle] obl=PP
     2 [intransitive -particle] advmod=ADVERB(manner) obl=PP
     5 [say] ccomp=CONTENT(embedded)
     4 [say] ccomp=CLAUSE(embedded)
     2 [say] ccomp=INDIRECT_QUESTION(embedded)
     3 [tell] obj=NP ccomp=CONTENT(embedded)
     2 [tell] obj=NP obl=PP(about)
     1 [urge] obj=NP xcomp=INFINITIVE(action)
     1 [try] xcomp=INFINITIVE(action)
     2 [regard] obj=NP xcomp=ADJECTIVE(quality)
     2 [regard] obj=NP xcomp=ROLE(person)
     2 [seem] xcomp=ADJECTIVE(mood)
     1 [seem] xcomp=ADJECTIVE(attitude)
     2 [seem] xcomp=ADJECTIVE(quality)
     3 [seem] xcomp=ROLE(person)
PARTICLES
     1 [-particle]
     1 [particle] compound:prt=PARTICLE
WITHOUT_OBJECT
     3 [transitive -particle -give -put -fill]
     1 [transitive obl -particle -give -put -fill] obl=PP
     1 [put] obl=PP
     1 [fill] obl=PP
     1 [give] obl=PP(recipient)
     1 [phrasal] compound:prt=PARTICLE
ADJUNCTS
     1 [clausal]
     1 [predicative]
    20 [-clausal -predicative]
    90 [obl -clausal -predicative -put -fill] obl=PP
    12 [-clausal -predicative] obl=PP(setting)
     6 [-clausal -predicative -stative] advmod=ADVERB(manner)
    16 [obl -clausal -predicative -stative] advmod=ADVERB(manner) obl=PP
    14 [-clausal -predicative] obl:tmod=DURATION(span)
    10 [-clausal -predicative -stative] advcl=INFINITIVE(action)
    30 [intransitive] advcl=INFINITIVE(action)
     5 [-clausal -predicative] advcl=ADVERBIAL(embedded)
DURATION
     2 amod=last *sg
     1 amod=next *sg
     3 nummod=NUMERAL(amount) *pl
     2 det=every *sg
     1 det=the amod=ADJECTIVE *sg
"""
