"""Learners: their options, and what batch learners do around scikit-learn; formulas of online ones are in kernels.

- `registry`: learners by name, ours and those of other packages
- `online`: the contract of online learners; their steps are in `kernels/weights/rules.pxd`
- `perceptron`, `passive_aggressive`, `confidence_weighted`, `arow`: their options
- `batch`, `linear`: the contract of batch learners, and what linear ones have in common
- `linear_svm`, `logistic`, `kernel_svm`: their options and estimators
- `machines`: kernel machines as arrays
- `exponential`: a learner of weighted examples; its formulas are in `kernels/weights/logistic.pyx`
"""
