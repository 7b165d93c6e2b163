"""Rewrites the bodies of kernels before Python compiles them, so that running them is tracing them.

    if c: a            for t in __tile__.branches(c):         both sides run, with names for values
    else: b                if t: a
                           else: b
    with T.Kernel(n)   for bx in __tile__.cells(T.Kernel(n), "bx"):
        as bx: a           a                               once when traced, each cell with numbers
    for k in f(n): a   for k in __tile__.loop("k", lambda: f(n), {…}): a     {…}: names that a changes
    A: T.Tensor(…)     A = __tile__.declare("A", T.Tensor(…), A)
    x = v              x = __tile__.assign("x", v)            names buffers; sets variables
    x = T.alloc_var()  x = __tile__.variable("x", varies, lambda: T.alloc_var())
    a and b, not a     __tile__.logical_and(lambda: a, …)
    a if c else b      __tile__.choose(c, lambda: a, lambda: b)
    a < b < c, a == b  __tile__.compare(…)
    while c: a         for _ in __tile__.while_loop(lambda: c, (x,)): a     x: variables that the condition has
    range(n)           __tile__.for_range(n)
    min(a, b)          __tile__.smallest(min, a, b)
    a / b              __tile__.divide(a, b)                 by zero gives an infinity, as on the chip
    int(x), float(x)   __tile__.number(int, x)               in all of the file

A function is rewritten if it is decorated as a kernel or a macro, or opens a T.Kernel. All else is Python's."""

import ast
import copy

KERNEL_DECORATORS = {"prim_func", "macro", "inline"}
HELPER = "__tile__"
SIGN = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne"}


def rewrite(source, filename):
    """The tree of a file, with the bodies of its kernels rewritten."""
    tree = ast.parse(source, filename)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and is_kernel(node):
            body = Body(node)
            body.run()
            if body.eager:
                node.decorator_list.append(helper("eager", ast.Constant(" ".join(body.declared))))
    return ast.fix_missing_locations(Conversions().visit(tree))


class Conversions(ast.NodeTransformer):
    """int(x), max(x, y), anywhere in a file: of a stand-in they are one, too, so that no size of a kernel is made of nothing."""

    def visit_Call(self, node):
        self.generic_visit(node)
        plain = not node.keywords and not any(isinstance(a, ast.Starred) for a in node.args)
        if plain and isinstance(node.func, ast.Name) and node.func.id in ("int", "float", "min", "max"):
            return ast.copy_location(helper("number", node.func, *node.args), node)
        return node


def parse(filename):
    """The tree of a file as it stands."""
    with open(filename, encoding="utf-8") as file:
        return ast.parse(file.read(), filename)


def last_name(node):
    """`prim_func` of `T.prim_func(…)`."""
    while isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def is_kernel(function):
    if any(last_name(d) in KERNEL_DECORATORS for d in function.decorator_list):
        return True
    return opens_kernel(function)


def opens_kernel(function):
    """Whether its own body, and not that of a function inside, has a `with T.Kernel(…)`."""
    stack = list(function.body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.With) and any(last_name(i.context_expr) == "Kernel" for i in node.items):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            stack += ast.iter_child_nodes(node)
    return False


def helper(name, *args):
    return ast.Call(ast.Attribute(ast.Name(HELPER, ast.Load()), name, ast.Load()), list(args), [])


def lazy(node):
    empty = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.Lambda(empty, node)


def names_of(target):
    """The names that a loop gives its variables, as text."""
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    return ast.Constant(" ".join(getattr(p, "id", "_") for p in parts))


def leaves(body):
    """Whether statements return, or break or continue the loop around them."""
    stack = [(n, False) for n in body]
    while stack:
        node, looped = stack.pop()
        if isinstance(node, ast.Return) or (isinstance(node, (ast.Break, ast.Continue)) and not looped):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.Lambda)):
            looped = looped or isinstance(node, (ast.For, ast.While))
            stack += [(n, looped) for n in ast.iter_child_nodes(node)]
    return False


def varying(function, variables):
    """Those variables that are set in a loop or branch that does not have them made."""
    made, set_in = {}, {}

    def walk(node, around):
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name) and target.id in variables:
                    where = made if node.value is not None and last_name(node.value) == "alloc_var" else set_in
                    where.setdefault(target.id, []).append(around)
        for field, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    inside = isinstance(node, (ast.For, ast.While, ast.If)) and field in ("body", "orelse")
                    walk(child, around + ((node, field),) if inside else around)

    walk(function, ())
    return {
        name for name, places in set_in.items()
        for place in places if not any(m[: len(place)] == place for m in made.get(name, [()]))
    }


def carried(body):
    """Names that statements read before they surely set them, and set."""
    read, written = set(), set()

    def walk(node, done):
        """Visits a node in the order in which Python runs it; `done` are the names that are surely set."""
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.Lambda)):
            return
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                if node.id not in done:
                    read.add(node.id)
            else:
                written.add(node.id)
                done.add(node.id)
        elif isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
            if node.value is not None:
                walk(node.value, done)
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(node, ast.AugAssign) and isinstance(target, ast.Name) and target.id not in done:
                    read.add(target.id)
                walk(target, done)
        elif isinstance(node, (ast.If, ast.For, ast.While)):
            walk(node.test if not isinstance(node, ast.For) else node.iter, done)
            inner = set(done)
            if isinstance(node, ast.For):
                walk(node.target, inner)
            for part in (node.body, node.orelse):
                some = set(inner)
                for statement in part:
                    walk(statement, some)
        else:
            for child in ast.iter_child_nodes(node):
                walk(child, done)

    done = set()
    for statement in body:
        walk(statement, done)
    return read & written


class Body(ast.NodeTransformer):
    """Rewrites one function's body; functions inside of it are rewritten on their own, if they are kernels."""

    def __init__(self, function):
        self.function = function
        names = [a.arg for a in function.args.args + function.args.kwonlyargs]
        self.bound = set(names)
        self.variables = set(names) if any(last_name(d) in ("macro", "inline") for d in function.decorator_list) else set()
        self.counter = 0
        self.declared = []
        self.eager = opens_kernel(function) and not any(
            last_name(d) in KERNEL_DECORATORS for d in function.decorator_list
        )
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                if last_name(node.value) == "alloc_var":
                    self.variables.add(node.targets[0].id)
            if isinstance(node, ast.AnnAssign) and node.value is not None and isinstance(node.target, ast.Name):
                if last_name(node.value) == "alloc_var":
                    self.variables.add(node.target.id)

        self.varying = varying(function, self.variables)

    def run(self):
        self.function.body = [new for old in self.function.body for new in self.many(self.visit(old))]

    @staticmethod
    def many(node):
        return node if isinstance(node, list) else [] if node is None else [node]

    def visit_FunctionDef(self, node):
        return node

    visit_ClassDef = visit_Lambda = visit_FunctionDef

    def visit_With(self, node):
        self.generic_visit(node)
        item, others = node.items[0], node.items[1:]
        if last_name(item.context_expr) != "Kernel":
            return node
        if others:
            node.body = [ast.copy_location(ast.With(others, node.body), node)]
        target = item.optional_vars or ast.Name("_", ast.Store())
        loop = ast.For(target, helper("cells", item.context_expr, names_of(target)), node.body, [])
        return ast.copy_location(loop, node)

    def visit_For(self, node):
        changed = self.changed(node.body)
        self.generic_visit(node)
        loop = helper("loop", names_of(node.target), lazy(node.iter), changed)
        node.iter = ast.copy_location(loop, node.iter)
        return node

    def visit_While(self, node):
        if leaves(node.body) or node.orelse:
            return self.generic_visit(node)
        changed = self.changed(node.body)
        self.generic_visit(node)
        loop = ast.For(ast.Name("_", ast.Store()), helper("while_loop", lazy(node.test), changed), node.body, [])
        return ast.copy_location(loop, node)

    @staticmethod
    def changed(body):
        """{name: how to ask for it} of the names whose value goes from one step of a loop to the next."""
        names = sorted(carried(body))
        return ast.Dict([ast.Constant(n) for n in names], [lazy(ast.Name(n, ast.Load())) for n in names])

    def visit_If(self, node):
        self.generic_visit(node)
        if leaves(node.body) or leaves(node.orelse):
            return node
        self.counter += 1
        name = f"__branch{self.counter}"
        test = ast.copy_location(ast.If(ast.Name(name, ast.Load()), node.body, node.orelse), node)
        loop = ast.For(ast.Name(name, ast.Store()), helper("branches", node.test), [test], [])
        return ast.copy_location(loop, node)

    def visit_AnnAssign(self, node):
        self.generic_visit(node)
        if not isinstance(node.target, ast.Name):
            return node
        if node.value is not None:
            return self.visit_plain(node, node.target, node.value)
        self.declared.append(node.target.id)
        old = ast.Name(node.target.id, ast.Load()) if node.target.id in self.bound else ast.Constant(None)
        value = helper("declare", ast.Constant(node.target.id), node.annotation, old)
        return ast.copy_location(ast.Assign([node.target], value), node)

    def visit_Assign(self, node):
        self.generic_visit(node)
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            return self.visit_plain(node, node.targets[0], node.value)
        return node

    def visit_plain(self, node, target, value):
        if last_name(value) == "alloc_var":
            value = helper("variable", ast.Constant(target.id), ast.Constant(target.id in self.varying), lazy(value))
        elif target.id in self.variables:
            value = helper("set_variable", ast.Name(target.id, ast.Load()), value)
        else:
            value = helper("assign", ast.Constant(target.id), value)
        return ast.copy_location(ast.Assign([target], value), node)

    def visit_BoolOp(self, node):
        self.generic_visit(node)
        name = "logical_and" if isinstance(node.op, ast.And) else "logical_or"
        return ast.copy_location(helper(name, *[lazy(v) for v in node.values]), node)

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.Not):
            return ast.copy_location(helper("logical_not", node.operand), node)
        return node

    def visit_BinOp(self, node):
        self.generic_visit(node)
        if isinstance(node.op, ast.Div):
            return ast.copy_location(helper("divide", node.left, node.right), node)
        return node

    def visit_AugAssign(self, node):
        if not isinstance(node.op, ast.Div) or not isinstance(node.target, ast.Subscript):
            return self.generic_visit(node)
        old = copy.deepcopy(node.target)
        old.ctx = ast.Load()
        return self.visit(ast.copy_location(ast.Assign([node.target], ast.BinOp(old, ast.Div(), node.value)), node))

    def visit_IfExp(self, node):
        self.generic_visit(node)
        return ast.copy_location(helper("choose", node.test, lazy(node.body), lazy(node.orelse)), node)

    def visit_Compare(self, node):
        self.generic_visit(node)
        if not all(type(op) in SIGN for op in node.ops):
            return node
        parts = [node.left]
        for op, right in zip(node.ops, node.comparators):
            parts += [ast.Constant(SIGN[type(op)]), right]
        return ast.copy_location(helper("compare", *parts), node)

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "range" and not node.keywords:
            return ast.copy_location(helper("for_range", *node.args), node)
        if isinstance(node.func, ast.Name) and node.func.id in ("min", "max") and len(node.args) > 1 and not node.keywords:
            return ast.copy_location(helper("smallest", node.func, *node.args), node)
        chosen = isinstance(node.func, ast.Attribute) and node.func.attr == "if_then_else"
        if chosen and len(node.args) == 3 and not node.keywords and not any(isinstance(a, ast.Starred) for a in node.args):
            # Only the side that counts may lie inside of its buffer.
            condition, then, other = node.args
            return ast.copy_location(helper("choose", condition, lazy(then), lazy(other)), node)
        return node
