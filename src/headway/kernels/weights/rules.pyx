"""The step rules of rules.pxd as objects, by which Python chooses one and brings its own."""

from libc.math cimport isfinite

from headway.kernels.weights.rules cimport (
    AROW, CW_DEVIATION, CW_VARIANCE, OF_PYTHON, PA, PA_1, PA_2, PERCEPTRON, Rule, is_settled, step_to,
)

from headway.base.errors import HeadwayError, known

RULES = {
    "perceptron": PERCEPTRON,
    "pa": PA,
    "pa-1": PA_1,
    "pa-2": PA_2,
    "cw": CW_DEVIATION,
    "cw-variance": CW_VARIANCE,
    "arow": AROW,
}


cdef class StepRule:
    """How far a learner moves: a rule of ours by its name, or with `of` a function."""

    def __init__(self, str name, double strength):
        if name not in RULES:
            raise HeadwayError(f"unknown step rule {name!r}; {known(RULES)}")
        self.rule.kind, self.rule.strength = RULES[name], strength

    @classmethod
    def of(cls, function):
        """A rule that asks step(margin, variance, wanted) for the step and the shrink, (0, 0) to learn nothing."""
        cdef StepRule found = StepRule.__new__(StepRule)
        found.function = function
        found.rule.kind, found.rule.owner = OF_PYTHON, <void*> found
        return found

    def step(self, double margin, double variance, double wanted=1):
        """The step and the shrink for a margin and its variance."""
        cdef double shrink
        move = step_to(&self.rule, wanted, margin, variance, &shrink)
        self.check()
        return move, shrink

    def is_settled(self, double margin, double variance):
        """Whether no variance up to the given one could ask for an update, where a margin of 1 is wanted."""
        return bool(is_settled(&self.rule, 1, margin, variance))

    def check(self):
        """Raise what a function of Python has raised."""
        if self.failed:
            error, self.error, self.failed = self.error, None, False
            raise error

    cdef double ask(self, double wanted, double m, double v, double* shrink):
        """The step of a function of Python, which must be a finite number, with a finite shrink of at least 0."""
        cdef double move, less
        answer = self.function(m, v, wanted)
        try:
            step, shrinkage = answer
            move, less = step, shrinkage
        except (TypeError, ValueError):
            move = less = -1
        else:
            if isfinite(move) and isfinite(less) and less >= 0:
                shrink[0] = less
                return move
        name = getattr(self.function, "__qualname__", repr(self.function))
        raise HeadwayError(
            f"the step function {name} gave {answer!r} for margin {m:g} and variance {v:g};"
            " let it return two finite numbers, the step and a shrink of at least 0"
        )


cdef double ask_python(const Rule* rule, double wanted, double m, double v, double* shrink) noexcept with gil:
    """The step of a rule of Python, 0 once it has failed."""
    cdef StepRule owner = <StepRule> rule.owner
    shrink[0] = 0
    if not owner.failed:
        try:
            return owner.ask(wanted, m, v, shrink)
        except BaseException as error:
            owner.error, owner.failed = error, True
    return 0
