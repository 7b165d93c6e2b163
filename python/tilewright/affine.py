"""Index expressions as sums: constants times atoms, and bounds of them.

An atom is a `Var`, or what is no sum (a quotient, a remainder, a minimum)."""

from .expr import INDEX, Const, Expr, Var, number, settle


def linear(x):
    """x as ({key: (coefficient, atom)}, constant)."""
    x = settle(x)
    value = number(x)
    if value is not None:
        return {}, value
    if x.op == "cast" and is_integer(x.dtype) and is_integer(x.args[0].dtype):
        return linear(x.args[0])
    if x.op in ("add", "sub"):
        a, c = linear(x.args[0])
        b, d = linear(x.args[1])
        sign = 1 if x.op == "add" else -1
        total = dict(a)
        for key, (k, atom) in b.items():
            k = total.get(key, (0, atom))[0] + sign * k
            total[key] = (k, atom)
        return together({key: v for key, v in total.items() if v[0]}, c + sign * d)
    if x.op == "mul":
        for one, other in (x.args, x.args[::-1]):
            k = number(one)
            if k is not None:
                terms, c = linear(other)
                return {key: (k * v, atom) for key, (v, atom) in terms.items() if k}, k * c
    if x.op in ("floordiv", "mod") and number(x.args[1]):
        k = number(x.args[1])
        terms, c = linear(x.args[0])
        whole = {key: (v // k, atom) for key, (v, atom) in terms.items() if v % k == 0}
        rest = {key: t for key, t in terms.items() if t[0] % k}
        low, high = span(rest, c % k)
        if low is not None and high is not None and low >= 0 and high < k:
            return (whole, c // k) if x.op == "floordiv" else (rest, c % k)
        if x.dtype == INDEX and k > 0 and (whole or c // k):
            # What k divides leaves a quotient, and not a remainder.
            less = Expr(x.op, (build(rest, c % k), Const(k, INDEX)), x.dtype)
            if x.op == "mod":
                return {key_of(less): (1, less)}, 0
            whole[key_of(less)] = (1, less)
            return whole, c // k
    return {key_of(x): (1, x)}, 0


def together(terms, constant):
    """A sum in which k * n * (x // n) + k * (x % n) is k * x."""
    for key, (k, atom) in terms.items():
        n = number(atom.args[1]) if isinstance(atom, Expr) and atom.op == "mod" else None
        other = key_of(Expr("floordiv", atom.args, atom.dtype)) if n else None
        if n and terms.get(other, (0,))[0] == k * n:
            rest = {q: t for q, t in terms.items() if q not in (key, other)}
            more, c = linear(atom.args[0])
            for q, (m, a) in more.items():
                rest[q] = (rest.get(q, (0, a))[0] + k * m, a)
            return together({q: t for q, t in rest.items() if t[0]}, constant + k * c)
    return terms, constant


def is_integer(dtype):
    """Whether a type counts as an index does: narrow integers wrap around, and are left alone."""
    return dtype == "index" or (not dtype.is_float and dtype.bits >= 32)


def key_of(x):
    """A key that is equal for expressions that are."""
    x = settle(x)
    if not isinstance(x, Expr):
        return ("number", x)
    if isinstance(x, Var):
        return ("var", id(x))
    if isinstance(x, Const):
        return ("number", x.value, x.dtype)
    if x.op == "load":
        return ("load", id(x.buffer), x.version, tuple(key_of(i) for i in x.indices))
    return (x.op, x.dtype) + tuple(key_of(a) for a in x.args)


def build(terms, constant):
    """The expression of a sum."""
    total = None
    for k, atom in terms.values():
        piece = atom if k == 1 else atom * k
        total = piece if total is None else total + piece
    if total is None:
        return constant
    return total + constant if constant else total


def simplify(x):
    return build(*linear(x))


def span(terms, constant):
    """(low, high) of a sum, both inclusive, None where not known."""
    low = high = constant
    for k, atom in terms.values():
        a, b = atom_bounds(atom)
        if k < 0:
            a, b = b, a
        low = None if low is None or a is None else low + k * a
        high = None if high is None or b is None else high + k * b
    return low, high


def bounds(x):
    """(low, high) of an index, both inclusive, None where not known."""
    return span(*linear(x))


def reaches(x, size):
    """Whether a sum of cells and loops surely is `size` or more in one of them: each of them goes its own way."""
    terms, _ = linear(x)
    high = bounds(x)[1]
    return high is not None and high >= size and all(
        isinstance(a, Var) and isinstance(a.low, int) and isinstance(a.high, int) for _, a in terms.values())


def never_negative(x):
    """Whether an index is surely not below zero; loops up to a size count, n - i with i < n."""
    terms, constant = linear(x)
    for _ in range(4):
        low, _ = span(terms, constant)
        if low is not None:
            return low >= 0
        # What a loop's last value is stands for the loop, where it is subtracted.
        for key, (k, atom) in terms.items():
            if not isinstance(atom, Var):
                continue
            end = atom.high if k < 0 else atom.low
            if isinstance(end, Expr):
                break
        else:
            return False
        del terms[key]
        more, c = linear(end)
        constant += k * c
        for other, (n, a) in more.items():
            total = terms.get(other, (0, a))[0] + k * n
            terms.pop(other, None)
            if total:
                terms[other] = (total, a)
    return False


def atom_bounds(x):
    if isinstance(x, Var):
        high = x.high
        if isinstance(high, Expr):
            high = bounds(high)[1]
        low = x.low
        if isinstance(low, Expr):
            low = bounds(low)[0]
        return low, high
    if isinstance(x, Expr) and x.op == "scalar":
        x = x.args[0]
    if isinstance(x, Expr) and x.op == "load" and not x.dtype.is_float:
        return x.buffer.range or (None if x.dtype.is_signed else 0, None)
    if not isinstance(x, Expr) or len(x.args) != 2:
        return None, None
    (a, b), (c, d) = bounds(x.args[0]), bounds(x.args[1])
    k = number(x.args[1])
    if x.op == "floordiv" and k:
        return (None if a is None else a // k), (None if b is None else b // k)
    if x.op == "mod" and k:
        return 0, (k - 1 if b is None or a is None or a < 0 else min(b, k - 1))
    if x.op == "min":
        highs = [v for v in (b, d) if v is not None]
        return (None if a is None or c is None else min(a, c)), (min(highs) if highs else None)
    if x.op == "max":
        lows = [v for v in (a, c) if v is not None]
        return (max(lows) if lows else None), (None if b is None or d is None else max(b, d))
    if x.op == "mul" and None not in (a, b, c, d):
        products = [a * c, a * d, b * c, b * d]
        return min(products), max(products)
    return None, None


def split(x, variables):
    """x = sum of k * v over `variables` + rest: ([(k, v)…], rest), or None where x is no such sum."""
    terms, constant = linear(x)
    ids = {id(v) for v in variables}
    mine, rest = [], {}
    for key, (k, atom) in terms.items():
        if isinstance(atom, Var) and id(atom) in ids:
            mine.append((k, atom))
        elif depends(atom, ids):
            return None
        else:
            rest[key] = (k, atom)
    return mine, build(rest, constant)


def depends(x, ids):
    """Whether an expression has one of the variables in it."""
    x = settle(x)
    if not isinstance(x, Expr):
        return False
    if isinstance(x, Var):
        return id(x) in ids
    if x.op == "load":
        return any(depends(i, ids) for i in x.indices)
    return any(depends(a, ids) for a in x.args)
