"""Why a stage decided as it did: decisions, their runners-up, and the features that made the difference.

parser → `explained`; decisions → `contract`; heads and labels of trees → `trees`; errors added up →
`wrong_decisions`; HTML → `page`.
"""
