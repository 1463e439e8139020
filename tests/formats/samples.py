"""One small hand-written sentence or two in every format."""

CONLLU = """\
# sent_id = s1
# text = Don't fall asleep, Åsa!
1-2\tDon't\t_\t_\t_\t_\t_\t_\t_\t_
1\tDo\tdo\tAUX\tVBP\tMood=Imp\t3\taux\t3:aux\t_
2\tn't\tnot\tPART\tRB\t_\t3\tadvmod\t3:advmod\t_
3\tfall\tfall\tVERB\tVB\tVerbForm=Inf\t0\troot\t0:root\t_
4\tasleep\tasleep\tADJ\tJJ\t_\t3\txcomp\t3:xcomp\tSpaceAfter=No
5\t,\t,\tPUNCT\t,\t_\t6\tpunct\t6:punct\t_
6\tÅsa\tÅsa\tPROPN\tNNP\tNumber=Sing\t3\tvocative\t3:vocative\tSpaceAfter=No
7\t!\t!\tPUNCT\t.\t_\t3\tpunct\t3:punct\t_

# sent_id = s2
# text = You tea, I 10 000 beers
1\tYou\tyou\tPRON\tPRP\t_\t0\troot\t0:root\t_
1.1\tdrink\tdrink\tVERB\tVBP\t_\t_\t_\t0:root\tCopyOf=1
2\ttea\ttea\tNOUN\tNN\t_\t1\torphan\t1.1:obj\tSpaceAfter=No
3\t,\t,\tPUNCT\t,\t_\t1\tpunct\t1:punct\t_
4\tI\tI\tPRON\tPRP\t_\t1\tconj\t1.1:conj\t_
5\t10 000\t10 000\tNUM\tCD\t_\t6\tnummod\t6:nummod\t_
6\tbeers\tbeer\tNOUN\tNNS\tNumber=Plur\t4\torphan\t_\t_

"""
CONLLX = """\
1\tHunden\thund\tN\tNC\tgender=common|def=def\t2\tsubj\t2\tsubj
2\tgør\tgø\tV\tVA\ttense=present\t0\tROOT\t0\tROOT
3\t.\t.\tX\tXP\t_\t2\tpnct\t_\t_

"""
CONLL2008 = """\
1\tThe\tthe\tDT\tDT\tThe\tthe\tDT\t4\tNMOD\t_\t_
2\tlong-term\tlong-term\tJJ\tJJ\tlong\tlong\tRB\t3\tAMOD\t_\t_
3\t_\t_\t_\t_\tterm\tterm\tNN\t4\tNMOD\t_\t_
4\tplan\tplan\tNN\tNN\tplan\tplan\tNN\t5\tSBJ\tplan.01\tA1
5\tworks\twork\tVBZ\tVBZ\tworks\twork\tVBZ\t0\tROOT\twork.01\t_

"""
CONLL2009 = """\
1\tDogs\tdog\tdogs\tNNS\tNNP\tn=p\tn=s\t2\t0\tSBJ\tROOT\t_\t_\tA0
2\tbark\tbark\tbark\tVBP\tVB\tp=3\tp=1\t0\t1\tROOT\tOBJ\tY\tbark.01\t_

"""
MALTTAB = "Dogs\tNNS\t2\tSBJ\nbark\tVBP\t0\tROOT\n\n"
BLIND = "Dogs\tNNS\nbark\tVBP\n\n"
SAMPLES = {
    "conllu": CONLLU,
    "conllx": CONLLX,
    "conll2008": CONLL2008,
    "conll2009": CONLL2009,
    "malttab": MALTTAB,
}
