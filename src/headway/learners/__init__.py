"""Learners: their options, and what batch learners do around scikit-learn; formulas of online ones are in kernels.

- `registry`: learners by name, ours and those of other packages
- `online`: perceptron, MIRA, passive-aggressive, confidence-weighted, AROW; their steps: `kernels/weights/rules.pxd`
- `batch`: linear support-vector machines and logistic regression, which see all examples at once
- `kernel_svm`: kernel machines, as a learner and as arrays
- `exponential`: a learner of weighted examples; its formulas are in `kernels/weights/logistic.pyx`
"""
