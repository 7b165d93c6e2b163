"""A step of a softmax whose row is not there all at once: a macro that the files of attention beside this one use."""

import tilelang.language as T


@T.macro
def online_softmax(scores, best, before, factor, partial, total, acc, scale):
    """Makes scores weights, 2^((scores - best) * scale), and brings `total` and `acc` to the new largest score of each row."""
    rows, columns = scores.shape
    T.copy(best, before)
    T.reduce_max(scores, best, dim=1, clear=False)
    for i in T.Parallel(rows):
        factor[i] = T.exp2((before[i] - best[i]) * scale)
    for i, j in T.Parallel(rows, columns):
        scores[i, j] = T.exp2((scores[i, j] - best[i]) * scale)
    T.reduce_sum(scores, partial, dim=1)
    for i in T.Parallel(rows):
        total[i] = total[i] * factor[i] + partial[i]
    for i, j in T.Parallel(rows, acc.shape[1]):
        acc[i, j] *= factor[i]
