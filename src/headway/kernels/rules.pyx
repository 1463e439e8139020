"""The step rules of rules.pxd for Python, as the tests check them."""

from headway.kernels.rules cimport (
    AROW, CW_DEVIATION, CW_VARIANCE, PA, PA_1, PA_2, PERCEPTRON, Rule, is_settled, step_to,
)

RULES = {
    "perceptron": PERCEPTRON,
    "pa": PA,
    "pa-1": PA_1,
    "pa-2": PA_2,
    "cw": CW_DEVIATION,
    "cw-variance": CW_VARIANCE,
    "arow": AROW,
}


def step(str name, double strength, double margin, double variance):
    """The step and the shrink of a rule for a margin and its variance, where a margin of 1 is wanted."""
    return step_towards(name, strength, 1, margin, variance)


def step_towards(str name, double strength, double wanted, double margin, double variance):
    """The same where another margin is wanted."""
    cdef Rule rule
    cdef double shrink
    rule.kind, rule.strength = RULES[name], strength
    move = step_to(&rule, wanted, margin, variance, &shrink)
    return move, shrink


def settled(str name, double strength, double margin, double variance):
    """Whether no variance up to the given one could ask for an update."""
    cdef Rule rule
    rule.kind, rule.strength = RULES[name], strength
    return bool(is_settled(&rule, margin, variance))
