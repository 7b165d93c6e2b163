"""Compares a result with the judge's: the same figures as tt-run's, with a wide tolerance.

The judge does not round, so it finds wrong translations, not wrong roundings; those are MLIR's JIT's to find."""

import math

#: What rounding to bf16 at every step may come to.
RMS, CORRELATION = 0.05, 0.995
#: How far a single element may be off: this much of a typical element, and of its own size. A wrong row among a thousand is lost
#: in a mean.
TYPICAL, OWN = 0.5, 0.25


def compare(name, got, want):
    """(text, whether it is well)."""
    if len(got) != len(want):
        return f"{name}: {len(got)} elements, not {len(want)}", False
    odd = {i for i, (g, w) in enumerate(zip(got, want)) if not (math.isfinite(w) and math.isfinite(g))}
    for i in sorted(odd):
        g, w = got[i], want[i]
        if not (g == w or (math.isnan(w) and not math.isfinite(g))):
            return f"{name}: element {i} is {g}, and Python's {w}", False
    pairs = [(g, w) for g, w in zip(got, want) if math.isfinite(w) and math.isfinite(g)]
    if not pairs:
        return f"{name}: relative RMS 0 (at most {RMS}): all are infinite or NaN, as Python's are", True
    n = len(pairs)
    error = math.sqrt(math.fsum((g - w) ** 2 for g, w in pairs) / n)
    size = math.sqrt(math.fsum(w * w for _, w in pairs) / n)
    mean_g, mean_w = (math.fsum(c) / n for c in zip(*pairs))
    across = math.fsum((g - mean_g) * (w - mean_w) for g, w in pairs)
    spread = math.sqrt(math.fsum((g - mean_g) ** 2 for g, _ in pairs) * math.fsum((w - mean_w) ** 2 for _, w in pairs))
    relative = error / size if size else error
    flat = math.sqrt(math.fsum((w - mean_w) ** 2 for _, w in pairs) / n) <= 1e-3 * size
    correlation = across / spread if spread and not flat else 1.0
    text = f"{name}: relative RMS {relative:.3g} (at most {RMS}), PCC {correlation:.7f}"
    off, far = max((abs(g - w) - OWN * abs(w), i) for i, (g, w) in enumerate(zip(got, want)) if i not in odd)
    if off > TYPICAL * size:
        return f"{text}, element {far} is {got[far]:.6g}, and Python's {want[far]:.6g}", False
    return text, relative <= RMS and correlation >= CORRELATION
