"""The nouns, names, pronouns and numerals, by kind; `entry.py` explains the notation."""

NOUNS = """
person  noun count animate -ist -eer -ian
    man/men woman/women child/children teacher doctor farmer neighbour soldier lawyer sailor painter
    singer student nurse baker judge thief/thieves queen writer clerk guard tailor butcher poet captain
    stranger
    nsubj = name 3, he 4
    amod = age 4, mood 6, attitude, nation 2
    compound = institution 3, topic 2, town
    nmod = with: feature 10, garment 3, animal 3; from: town 7; in: garment 5; of: institution 10
animal  noun count animate -ling -oon
    dog cat horse cow bird mouse/mice sheep/sheep wolf/wolves goat fox bear donkey hen rabbit duck lion
    snake
    amod = size 4, colour 4, mood 2
    compound = outdoors 2, building
    nmod = with: feature 7; from: outdoors 3; of: person 8
feature  noun count -ip -ack
    beard scar tail smile nose voice moustache wound tooth/teeth limp wig freckle ear accent
    amod = size 3, colour 3, form 2
garment  noun count -oak -ella
    hat coat scarf/scarves dress shirt glove boot jacket apron cloak cap belt uniform sock
    amod = colour 5, size 2, age
    compound = stuff 3, season
    nmod = of: person 8; from: town 3; for: event 3
tool  noun count -ammer -iller
    hammer knife/knives saw axe drill rope brush needle spade wrench key chisel broom file
    amod = form 4, age 3, size 2
    compound = stuff 3, furniture
    nmod = of: person 6, stuff 3; for: furniture 3
optics  noun count -oscope -icam
    telescope camera microscope mirror periscope lens spyglass magnifier viewfinder
    amod = quality 4, age 3, form
    compound = nature 2, stuff
    nmod = of: person 6; from: town 3
utensil  noun count -adle -ork
    spoon fork ladle chopstick straw napkin tray skewer
    amod = form 3, size 2
    compound = stuff 3
    nmod = of: stuff 5, person 2
vehicle  noun count -omobile -icraft
    car train boat bus bicycle truck ship wagon tram plane cart ferry canoe van
    amod = colour 4, age 3, nation 2
    compound = substance 2, outdoors 2, institution
    nmod = of: institution 5, person 5; from: town 3; with: part 3
room  noun count place -oom
    kitchen garden cellar hall corridor bedroom yard attic office balcony courtyard pantry
    amod = size 4, quality 3
    compound = building 3
    nmod = of: building 10; with: furniture 5; behind: building 3
outdoors  noun count place -orest -eadow
    forest field river hill valley street road beach park lake mountain path square island meadow
    amod = size 4, quality 3
    compound = nature 3
    nmod = of: town 6; near: town 5; behind: building 3
building  noun count place -ouse -all
    house church school castle tower bridge hospital library factory hotel farm museum station prison mill
    amod = age 4, size 4
    compound = stuff 2, town 2, institution
    nmod = of: institution 6; in: town 7; on: outdoors 3; with: part 3; near: outdoors 3
container  noun count -ottle -asket
    box bottle bag basket jar bucket barrel cup drawer crate sack chest trunk bowl
    amod = form 5, size 3, colour 2
    compound = substance 4, stuff 2, food
    nmod = of: substance 13, food 8; for: document 2, food 2
substance  noun mass -ine -ol
    water wine milk sugar oil sand flour salt butter honey beer tea coffee cream
    amod = taste 6, nation 2
    compound = food 2, animal 2
    nmod = of: person 2; from: town 5; in: container 5
food  noun count -ake -umpling
    apple pie cake sandwich pear egg onion potato/potatoes biscuit loaf/loaves sausage plum pancake
    dumpling
    amod = taste 6, size 2
    compound = substance 4
    nmod = of: person 5; with: substance 8; from: town 3
document  noun count -agraph -ible
    book letter report map article poem novel diary contract newspaper story message essay
    amod = status 3, quality 4, age 2
    compound = topic 4, event 2, institution
    nmod = about: event 8, topic 6, person 5; of: person 6; by: name 5; on: topic 2; from: institution 3
event  noun count -ation -ament
    war wedding meeting storm concert fire party election trial accident funeral festival strike
    earthquake
    amod = status 4, quality 3
    compound = season 2, topic 2, town 2, institution
    nmod = of: institution 8; in: town 7; between: institution 5; at: building 3
plan  noun count infinitive -osal -anza
    plan attempt promise decision effort offer proposal chance wish desire refusal permission
    amod = status 4, quality 4
    compound = institution 2, event
    nmod = of: institution 8, person 3; for: event 5, building 3; against: institution 5
claim  noun count content -otion -urmise
    fact idea claim belief rumour fear suspicion impression theory warning
    amod = quality 5, status 2
    compound = topic
    nmod = about: event 6, person 3, institution 3; of: person 5; against: person 3
institution  noun count place -ociety -itute
    company bank ministry council university club army court team union committee parliament
    amod = nation 4, status 3, size
    compound = topic 3, town 3, substance 2
    nmod = of: topic 6, town 6; in: town 5; against: event 3
part  noun count -indle -oof
    door roof wall window wheel handle floor engine gate lock ceiling staircase lid cover
    amod = size 3, colour 3, form 2
    compound = stuff 4
    nmod = of: building 10, vehicle 6, container 3, room 3
furniture  noun count -able -est
    table chair shelf/shelves bed desk bench sofa cupboard stool lamp carpet wardrobe
    amod = form 4, age 3, colour 2
    compound = room 4, stuff 3
    nmod = of: stuff 6, person 3; in: room 7; with: part 3
stuff  noun mass -ium -ite
    wood stone steel glass clay paper leather iron silver brick
    amod = colour 3, quality
topic  noun mass -ology -onics
    history music law art politics science religion football poetry medicine chess
    amod = nation 4, age 3
feeling  noun mass -itude
    joy anger fear pride pleasure care patience relief courage surprise
    amod = size
nature  noun mass
    moon sun star wind snow ice cloud rain
season  noun mass
    summer winter spring autumn
dayparts  noun daypart
    morning evening afternoon
    amod = quality
span  noun count
    week month year day hour minute
    amod = quality
"""

NAMES = """
name  proper animate -a -o -ine -us
    Anna Peter Maria Tom Clara Paul Ruth Victor Nora Felix Ida Hugo Julia Oscar Alice Bruno Laura Simon
    flat = surname
    appos = person
surname  proper -son -berg -ski
    Keller Novak Brown Silva Lund Moretti Hayes Brandt Costa Weber Olsen Price
town  proper -ton -ford -ville
    Lisbon Vienna Oslo Prague Dublin Cairo Lima Kyoto Geneva Turin Bergen Quito
weekday  proper
    Monday Friday Sunday Saturday Wednesday Thursday Tuesday
he  pronoun animate
    he/him/3sg she/her/3sg
they  pronoun animate
    they/them/3pl we/us/1pl you/you/2sg I/me/1sg
amount  number -digits
    two three four five six ten seven twelve eight twenty nine fifty
"""
