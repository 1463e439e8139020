"""The adjectives and adverbs, by kind; `entry.py` explains the notation."""

MODIFIERS = """
size  adjective short -ast
    big small large long short tiny huge tall deep broad
    nsubj = building 3, animal 2, furniture 2, outdoors 2
colour  adjective short -ish
    red black white green blue brown grey yellow pink
    nsubj = garment 3, part 2, vehicle 2, animal
age  adjective -ique
    old new young ancient modern recent
    nsubj = building 3, someone 2, document 2, vehicle 2
quality  adjective -ous -ful
    good bad strange beautiful famous terrible simple excellent cheap dull
    nsubj = document 3, food 3, plan 3, event 2, building, tool
taste  adjective short -urd
    sweet fresh warm sour rich mild spicy cold
    nsubj = food 3, substance 3
form  adjective short -ound
    round flat square narrow heavy light thick
    nsubj = container 3, furniture 2, tool 2, utensil
status  adjective -al -ic
    public secret official annual local final private legal
    nsubj = event 3, plan 3, document 2
mood  adjective gradable -ulous
    happy angry sad nervous curious calm excited
    nsubj = someone 9, animal
    obl = about: event 4, plan 3, document
attitude  adjective gradable -ond
    afraid proud tired jealous fond aware
    nsubj = someone
    obl = of: person 3, name 2, animal, institution
nation  adjective -ese
    German French Italian Russian Greek Polish Turkish Irish
    nsubj = someone 3, food, substance, vehicle
judgement  adjective judgement -ible
    important strange good wrong easy possible clear sad
manner  adverb -ily
    quickly slowly quietly carefully suddenly gladly badly calmly secretly proudly
frequency  adverb
    often always never sometimes usually rarely seldom
degree  adverb
    very quite too rather really extremely almost
focus  adverb
    only even just mainly especially merely
location  adverb
    upstairs outside nearby downstairs abroad
past  adverb
    yesterday recently then once earlier
present  adverb
    now today tomorrow soon again here there
stance  adverb -edly
    perhaps however luckily therefore sadly apparently fortunately
"""
