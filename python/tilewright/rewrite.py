"""Rewrites the bodies of kernels before Python compiles them, so that running them is tracing them.

    if c: a            for t in __tile__.branches(c):         both sides run, with names for values
    else: b                if t: a
                           else: b
    with T.Kernel(n)   for bx in __tile__.cells(T.Kernel(n), "bx"):
        as bx: a           a                               once when traced, each cell with numbers
    for k in f(n): a   for k in __tile__.loop("k", lambda: f(n)): a
    A: T.Tensor(…)     A = __tile__.declare("A", T.Tensor(…), A)
    x = v              x = __tile__.assign("x", v)            names buffers; sets variables
    a and b, not a     __tile__.logical_and(lambda: a, …)
    a if c else b      __tile__.choose(c, lambda: a, lambda: b)
    a < b < c, a == b  __tile__.compare(…)
    range(n)           __tile__.for_range(n)

A function is rewritten if it is decorated as a kernel or a macro, or opens a T.Kernel. All else is Python's."""

import ast

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
    return ast.fix_missing_locations(tree)


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
        item = node.items[0]
        if last_name(item.context_expr) != "Kernel" or len(node.items) > 1:
            return node
        target = item.optional_vars or ast.Name("_", ast.Store())
        loop = ast.For(target, helper("cells", item.context_expr, names_of(target)), node.body, [])
        return ast.copy_location(loop, node)

    def visit_For(self, node):
        self.generic_visit(node)
        node.iter = ast.copy_location(helper("loop", names_of(node.target), lazy(node.iter)), node.iter)
        return node

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
        if target.id in self.variables and last_name(value) != "alloc_var":
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
        return node
