"""The verbs, by kind; what may follow them is in `clauses.py`. `entry.py` explains the notation."""

VERBS = """
perceive  verb transitive -iew
    see/saw/seen watch notice observe spot film photograph sketch examine
    nsubj = someone 12, animal
    obj = anyone 5, animal 4, vehicle 3, building 2, event, outdoors
    obl = with: optics 10; through: optics 5; from: building 5, vehicle 2; without: optics 3
handle  verb transitive -ench
    open cut/cut/cut repair break/broke/broken fix clean lock damage scratch
    nsubj = someone
    obj = part 5, container 3, furniture 3, vehicle 3, tool
    obl = with: tool 11; without: tool 5; for: anyone 5
make  verb transitive -oduce
    make/made/made build/built/built paint carve design draw/drew/drawn restore
    nsubj = someone
    obj = furniture 4, building 3, tool 2, container 2, garment 2, vehicle
    obl = from: stuff 8; with: tool 5; for: anyone 6; without: tool 3; out-of: stuff 3
eat  verb transitive -ibble
    eat/ate/eaten cook taste swallow order share devour
    nsubj = someone 8, animal 2
    obj = food 7, substance 4
    obl = with: utensil 8; without: utensil 5; in: room 3; from: container 3
put  verb transitive -osit
    put/put/put place lay/laid/laid hide/hid/hidden store drop leave/left/left
    nsubj = someone
    obj = things
    obl = into: container 10; onto: furniture 8; under: furniture 5; behind: part 2; into: room 3
take  verb transitive -atch
    take/took/taken steal/stole/stolen remove borrow fetch buy/bought/bought grab
    nsubj = someone
    obj = things 14, vehicle 2
    obl = from: container 6, furniture 5, person 5; out-of: container 7, room 5; for: anyone 3
give  verb transitive -onate
    give/gave/given send/sent/sent offer lend/lent/lent show/showed/shown sell/sold/sold hand bring/brought/brought
    nsubj = someone 8, institution 2
    iobj = anyone
    obj = things 14, vehicle
    recipient = to: anyone 7, institution 3
    obl = at: event 3; with: feeling 3; without: feeling 5
fill  verb transitive -oad
    fill load cover decorate wrap stuff pack
    nsubj = someone
    obj = container 5, vehicle 3, room 2
    obl = with: substance 10, food 5, document 3, stuff 3
read  verb transitive -ecite
    read/read/read write/wrote/written study publish translate print finish
    nsubj = someone
    obj = document 9, topic
    obl = in: room 5, building 5; for: institution 3; without: feeling 3; through: optics 3; to: person 3
meet  verb transitive -eet
    meet/met/met visit help marry invite follow love kiss
    nsubj = someone
    obj = anyone
    obl = at: event 6; in: town 5, building 3; on: weekday 2; through: person 3; without: garment 3
discuss  verb transitive -ebate
    discuss explain mention remember forget/forgot/forgotten describe criticize
    nsubj = someone 8, institution 2, document
    obj = event 3, plan 5, document 2, claim 3, topic 2
    obl = with: person 6, name 5; at: event 3; in: document 3; without: feeling 5
affect  verb transitive -ocken
    surprise frighten please amuse bore annoy shock
    nsubj = event 4, document 3, claim 3, plan 2, animal 2, someone
    obj = anyone 7, institution
    obl = with: document 2; at: event 3; through: plan 3; without: feature 3
govern  verb transitive -ulate
    support reject fund close/closed/closed announce organize found
    nsubj = institution 7, someone 2
    obj = plan 5, event 3, institution 3, building 2
    obl = in: town 5; without: institution 7; on: weekday 2; through: institution 5; with: feeling 2
own  verb transitive stative
    own need want like lack
    nsubj = someone 8, institution 2
    obj = things 14, vehicle 3, building 2, furniture 2
phrasal  verb transitive particle -ick
    pick-up turn-off throw/threw/thrown-away put/put/put-down bring/brought/brought-back
    take/took/taken-out clean-up hand-over switch-on knock-over
    nsubj = someone
    obj = things
    obl = with: feeling 3; in: room 3; without: feeling 3; for: anyone 2; through: part 3
rise  verb intransitive particle -ip
    stand/stood/stood-up sit/sat/sat-down wake/woke/woken-up run/ran/run-away
    nsubj = someone
    obl = in: room 3; at: event 3; without: feeling 3; after: event 3
talk  verb intransitive -atter
    talk speak/spoke/spoken argue complain joke dream write/wrote/written
    nsubj = someone
    obl = about: event 4, topic 3, anyone 3, plan 2; with: person 5, name 3; to: person 5, name 3
    obl = without: feeling 3
move  verb intransitive -ander
    go/went/gone walk run/ran/run travel drive/drove/driven hurry ride/rode/ridden climb wander
    nsubj = someone 8, animal 2, vehicle 2
    obl = to: town 6, building 6, event 3; through: outdoors 5, building 2; up: outdoors 8; down: outdoors 8
    obl = over: outdoors 7; off: outdoors 3; by: vehicle 3; with: person 3; towards: building 5
    obl = across: outdoors 3; past: building 3
stay  verb intransitive -inger
    live stay sleep/slept/slept wait work rest sing/sang/sung
    nsubj = someone 8, animal 2
    obl = in: town 6, building 5, room 5; with: person 5; for: institution 3; beside: outdoors 3, person 3
    obl = until: event 3; without: person 3
arrive  verb intransitive -anish
    arrive appear come/came/come fall/fell/fallen vanish laugh die
    nsubj = someone 8, animal 2, document
    obl = at: building 5, event 3; in: town 5; from: town 3; on: weekday 2; without: garment 5; before: event 3
happen  verb intransitive -opple
    happen begin/began/begun end occur continue start
    nsubj = event
    obl = in: town 6, outdoors 3; on: weekday 3; because-of: event 5; without: person 3; until: event 2
say  verb clausal -uggest
    say/said/said think/thought/thought believe know/knew/known claim hope suspect
    nsubj = someone
    obl = in: document 2
tell  verb clausal -otify
    tell/told/told warn remind inform assure convince
    nsubj = someone
    obj = anyone
    about = about: event 4, plan 3, person 2, document
urge  verb clausal -uade
    persuade order ask force allow urge teach/taught/taught
    nsubj = someone 7, institution 2
    obj = anyone
try  verb clausal -empt
    try want plan decide hope refuse start promise
    nsubj = someone 8, institution
regard  verb predicative -eem
    consider call find/found/found think/thought/thought declare
    nsubj = someone
    obj = anyone
seem  verb predicative
    seem become/became/become remain look sound feel/felt/felt
    nsubj = someone
existence  existence
    be
    nsubj = container 3, animal 3, document 2, food 2, furniture 2, tool, person
    obl = in: room 6, building 3, town 2; on: furniture 4; under: furniture 3; behind: building
    obl = near: outdoors
"""
