#!/usr/bin/env python3
"""Turns ODS into C: typed accessors, builders and tables for a dialect.

mlir-c knows operations only by index and string. Given what
`llvm-tblgen --dump-json` prints for a .td file, this writes

  --header  C: enums with their spellings, attribute and type constructors and
            getters, and for each op `<dialect>_<op>_isa/_create` and an
            accessor an operand, attribute, result and region
  --verifiers  C: declarations of the ops' verifiers, which the library alone calls
  --glue    C++: what the header declares and only C++ can do (attribute and
            type storage), and `verify()` of each op, forwarded to C
  --table   C: the facts of each op (class Facts in TTBase.td), sorted by length and name;
            operands become places, and a name that does not exist is an error

The same input gives the same bytes.
"""
import argparse
import json
import re

# C++ parameter type -> (C argument, C++ from C, C result, C from C++)
PLAIN = {
    "int64_t": ("int64_t", "{}", "int64_t", "{}"),
    "bool": ("bool", "{}", "bool", "{}"),
    "::llvm::StringRef": ("MlirStringRef", "unwrap({})", "MlirStringRef", "wrap({})"),
    "::mlir::Type": ("MlirType", "unwrap({})", "MlirType", "wrap({})"),
}
INT_LIST = "::llvm::ArrayRef<int64_t>"
KEYWORDS = {"for", "if", "int", "long", "register", "default", "static"}


def snake(name):
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()


def camel(name):
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


class Records:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.all = json.load(file)

    def of(self, cls):
        names = self.all["!instanceof"].get(cls, [])
        records = [self.all[name] for name in names]
        return sorted(records, key=lambda r: (r["!locs"][0].split(":")[0],
                                              int(r["!locs"][0].split(":")[1]), r["!name"]))

    def is_a(self, name, cls):
        return name in self.all["!instanceof"].get(cls, [])

    def dialect(self, record, field):
        return self.all[record[field]["def"]]["name"]

    def enum_of(self, cpp):
        for record in self.of("EnumInfo"):
            if cpp.split("::")[-1] == record["className"]:
                return record
        return None


class Parameter:
    """One parameter of an attribute or type."""

    def __init__(self, records, name, spec):
        self.name = name
        self.cpp = spec if isinstance(spec, str) else records.all[spec["def"]]["cppType"]
        self.is_list = self.cpp == INT_LIST
        enum = records.enum_of(self.cpp)
        if self.is_list:
            return
        if enum:
            c = "Tt" + enum["className"]
            self.types = (c, "static_cast<" + self.cpp + ">({})", c, "static_cast<" + c + ">({})")
        elif self.cpp in PLAIN:
            self.types = PLAIN[self.cpp]
        else:  # an attribute, perhaps null
            self.types = ("MlirAttribute", "::llvm::cast_if_present<" + self.cpp + ">(unwrap({}))",
                          "MlirAttribute", "wrap(::mlir::Attribute({}))")

    def c_args(self):
        if self.is_list:
            return [f"intptr_t num_{self.name}", f"const int64_t *{self.name}"]
        return [f"{self.types[0]} {self.name}"]

    def cpp_value(self):
        if self.is_list:
            return f"::llvm::ArrayRef<int64_t>({self.name}, static_cast<size_t>(num_{self.name}))"
        return self.types[1].format(self.name)


class AttrOrType:
    def __init__(self, records, record, kind):
        dialect = records.dialect(record, "dialect")
        self.kind = kind  # "Attribute" or "Type"
        suffix = "_attr" if kind == "Attribute" else "_type"
        self.prefix = f"{dialect}_{record['mnemonic']}{suffix}"
        self.summary = record["summary"]
        self.cpp = f"::tilewright::{dialect}::{record['cppClassName']}"
        self.parameters = [Parameter(records, name, spec)
                           for spec, name in record["parameters"]["args"]]

    def signatures(self):
        """(result, name, arguments, C++ body) of every function."""
        c = "Mlir" + self.kind
        var = self.kind[0].lower() + self.kind[1:]
        cast = f"::llvm::cast<{self.cpp}>(unwrap({var}))"
        args = ["MlirContext context"] + [a for p in self.parameters for a in p.c_args()]
        values = "".join(", " + p.cpp_value() for p in self.parameters)
        yield (c, f"{self.prefix}_get", args,
               f"return wrap(::mlir::{self.kind}({self.cpp}::get(unwrap(context){values})));")
        yield ("bool", f"{self.prefix}_isa", [f"{c} {var}"],
               f"return {var}.ptr && ::llvm::isa<{self.cpp}>(unwrap({var}));")
        for p in self.parameters:
            getter = f"{cast}.get{camel(p.name)}()"
            if p.is_list:
                yield ("intptr_t", f"{self.prefix}_num_{p.name}", [f"{c} {var}"],
                       f"return static_cast<intptr_t>({getter}.size());")
                yield ("int64_t", f"{self.prefix}_{p.name}", [f"{c} {var}", "intptr_t i"],
                       f"return {getter}[static_cast<size_t>(i)];")
            else:
                yield (p.types[2], f"{self.prefix}_{p.name}", [f"{c} {var}"],
                       "return " + p.types[3].format(getter) + ";")


class Op:
    def __init__(self, records, record):
        self.record = record
        self.dialect = records.dialect(record, "opDialect")
        self.name = f"{self.dialect}.{record['opName']}"
        self.prefix = self.name.replace(".", "_")
        self.operands, self.attributes = [], []
        self.enums = {r["!name"]: r["className"] for r in records.of("EnumInfo")}
        # of each attribute, the enum that it is, perhaps an optional one
        self.enum_attrs = {}
        self.arguments = []  # both, in the order of the definition
        for spec, name in record["arguments"]["args"]:
            kind = self.multiplicity(records, spec["def"])
            if records.is_a(spec["def"], "AttrConstraint"):
                optional = records.all[spec["def"]].get("isOptional", 0)
                self.attributes.append((name, spec["def"], bool(optional)))
                base = records.all[spec["def"]].get("baseAttr") if optional else spec
                enum = self.enums.get(base["def"]) if base else None
                if enum:
                    self.enum_attrs[name] = enum
                self.arguments.append(self.attributes[-1])
            else:
                self.operands.append((name, kind))
                self.arguments.append(self.operands[-1])
        self.results = [name for _, name in record["results"]["args"]]
        self.regions = [name for _, name in record["regions"]["args"]]
        if sum(kind != "one" for _, kind in self.operands) > 1:
            raise SystemExit(f"{self.name}: more than one optional or variadic operand")

    @staticmethod
    def multiplicity(records, name):
        if records.is_a(name, "Variadic"):
            return "many"
        return "optional" if records.is_a(name, "Optional") else "one"

    @staticmethod
    def safe(name):
        return name + "_" if name in KEYWORDS else name

    def attribute_kind(self, spec):
        spec = re.sub(r"^anonymous_\d+$", "", spec)
        return {"StrAttr": "string", "I64Attr": "int", "SymbolNameAttr": "string"}.get(
            spec, "enum" if spec in self.enums else "attr")

    def header(self):
        yield f"/* {self.name}: {self.record['summary']} */"
        yield (f"static inline bool {self.prefix}_isa(MlirOperation op) "
               f"{{ return tt_op_is(op, \"{self.name}\"); }}")
        for index, (name, kind) in enumerate(self.operands):
            yield from self.operand_accessors(index, name, kind)
        for name, spec, _ in self.attributes:
            if self.attribute_kind(spec) == "enum":
                c = "Tt" + self.enums[spec]
                yield (f"static inline {c} {self.prefix}_{name}(MlirOperation op) "
                       f"{{ return ({c})mlirIntegerAttrGetValueInt(tt_op_attr(op, \"{name}\")); }}")
                continue
            yield (f"static inline MlirAttribute {self.prefix}_{name}(MlirOperation op) "
                   f"{{ return tt_op_attr(op, \"{name}\"); }}")
        for index, name in enumerate(self.results):
            yield (f"static inline MlirValue {self.prefix}_{name}(MlirOperation op) "
                   f"{{ return mlirOperationGetResult(op, {index}); }}")
        for index, name in enumerate(self.regions):
            yield (f"static inline MlirRegion {self.prefix}_{name}(MlirOperation op) "
                   f"{{ return mlirOperationGetRegion(op, {index}); }}")
        yield from self.builder()
        yield ""

    def operand_accessors(self, index, name, kind):
        before, after = index, len(self.operands) - index - 1
        if kind == "one":
            varying = any(k != "one" for _, k in self.operands[:index])
            where = f"mlirOperationGetNumOperands(op) - {after + 1}" if varying else str(before)
            yield (f"static inline MlirValue {self.prefix}_{name}(MlirOperation op) "
                   f"{{ return mlirOperationGetOperand(op, {where}); }}")
        elif kind == "optional":
            yield (f"static inline MlirValue {self.prefix}_{name}(MlirOperation op) "
                   f"{{ return tt_op_optional_operand(op, {before}, {len(self.operands)}); }}")
        else:
            yield (f"static inline intptr_t {self.prefix}_num_{name}(MlirOperation op) "
                   f"{{ return mlirOperationGetNumOperands(op) - {before + after}; }}")
            yield (f"static inline MlirValue {self.prefix}_{name}(MlirOperation op, intptr_t i) "
                   f"{{ return mlirOperationGetOperand(op, {before} + i); }}")

    def builder(self):
        args = ["TtBuilder *builder", "MlirLocation loc"]
        body = [f"TtOpState state = tt_op_state(\"{self.name}\", loc);"]
        inferred = not self.results or all(
            self.result_type(i) for i in range(len(self.results)))
        if not inferred:
            args += [f"MlirType {self.safe(r)}_type" for r in self.results]
        for argument in self.arguments:
            if len(argument) == 2:
                self.build_operand(*argument, args, body)
            else:
                self.build_attribute(argument[0], argument[1], args, body)
        for index, name in enumerate(self.results):
            kind = self.result_type(index) if inferred else f"{self.safe(name)}_type"
            body.append(f"tt_op_state_result(&state, {kind});")
        for _ in self.regions:
            body.append("tt_op_state_region(&state);")
        yield f"static inline MlirOperation {self.prefix}_create({', '.join(args)}) {{"
        yield from ("  " + line for line in body)
        yield "  return tt_builder_insert(builder, tt_op_state_finish(&state));"
        yield "}"

    def build_operand(self, name, kind, args, body):
        v = self.safe(name)
        if kind == "many":
            args += [f"intptr_t num_{name}", f"const MlirValue *{v}"]
            body.append(f"for (intptr_t i = 0; i < num_{name}; ++i) "
                        f"tt_op_state_operand(&state, {v}[i]);")
        else:
            args.append(f"MlirValue {v}")
            body.append(f"tt_op_state_operand(&state, {v});")

    def build_attribute(self, name, spec, args, body):
        kind, v = self.attribute_kind(spec), self.safe(name)
        c_type, value = {
            "string": ("const char *", f"tt_string_attr(builder->context, {v})"),
            "int": ("int64_t ", f"tt_i64_attr(builder->context, {v})"),
            "enum": (f"Tt{self.enums.get(spec)} ", f"tt_i32_attr(builder->context, (int){v})"),
            "attr": ("MlirAttribute ", v)}[kind]
        args.append(c_type + v)
        body.append(f"tt_op_state_attr(&state, builder->context, \"{name}\", {value});")

    def result_type(self, index):
        """C expression for results whose constraint has only one type."""
        known = {"Index": "mlirIndexTypeGet(builder->context)",
                 "Metalium_L1AddrType": "metalium_l1_addr_type_get(builder->context)",
                 "Metalium_NocAddrType": "metalium_noc_addr_type_get(builder->context)",
                 "Metalium_TensorAccessorType": "metalium_tensor_accessor_type_get(builder->context)"}
        return known.get(self.record["results"]["args"][index][0].get("def"))

    def place(self, field, name, ops):
        """Where an operand is, as TtOperandPlace."""
        names = [n for n, _ in self.operands]
        if not name:
            return "{0, -1}"
        if name not in names:
            raise SystemExit(f"{self.name}: '{name}' in '{field}' is none of its operands ({', '.join(names)})")
        at, (_, kind) = names.index(name), self.operands[names.index(name)]
        varying = [k for _, k in self.operands[:at] if k != "one"]
        if kind == "optional":
            return f"{{{at}, {len(names)}}}"
        return f"{{{at - len(names)}, 0}}" if varying else f"{{{at}, 0}}"

    def facts(self, ops):
        """A row of TtOpInfo. `ops` has all ops by name."""
        r = self.record

        def word(prefix, field):
            return f".{field} = {prefix}_{r[field].upper()}"

        def text(field):
            return f".{field} = " + ('"' + r[field] + '"' if r[field] else "NULL")

        def check(condition, message):
            if not condition:
                raise SystemExit(f"{self.name}: {message}")

        reads, attrs = r["reads"], [name for name, _, _ in self.attributes]
        check(not r["takes"] or len(r["takes"]) == len(reads), "'takes' has a word for each of 'reads'")
        check(not r["tiles"] or len(r["tiles"]) == len(reads), "'tiles' has an operand for each of 'reads'")
        check(not r["init"] or r["init"] in ops, f"'init' names no op: {r['init']}")
        for field in ("dst_sources",):
            check(not r[field] or r[field] in attrs, f"'{field}' names no attribute: {r[field]}")
        check(not r["sources"] or len(r["sources"]) == 2, "'sources' are two, A and B")
        check(all(not s or s in reads for s in r["sources"]), "'sources' are of 'reads'")
        in_dst = r["dst"] in [n for n, _ in self.operands]
        check(in_dst or not r["dst"] or r["dst"] in attrs, f"'dst' names nothing: {r['dst']}")
        if r["init"]:
            self.check_init(ops[r["init"]], attrs, check)
        variant = f"TT_BINARY_{r['variant'].upper()}" if r["variant"] else -1
        startup = f"TT_STARTUP_{r['startup'].upper()}" if r["startup"] else -1
        spell = "".join(f"tt_{snake(self.enum_attrs[a])}_str, " if a in self.enum_attrs else "NULL, "
                        for a in attrs)
        fields = [f".variant = {variant}", f".startup = {startup}",
                  f".spell = (const char *(*const[])(int)){{{spell}NULL}}",
                  f'.name = "{self.name}"', f".length = {len(self.name)}",
                  word("TT_LEVEL", "level"), word("TT_ROLE", "role"),
                  word("TT_ACT", "does"), word("TT_UNIT", "unit"), f".num_reads = {len(reads)}",
                  word("TT_DST_USE", "dst_use"), text("init"),
                  f'.mode = "{r["mode"]}"', text("dst_sources"),
                  *[f".{bit} = {'true' if r[bit] else 'false'}"
                    for bit in ("unpacks_to_dst", "takes_integers")],
                  f".node = {'TT_DFG_NODE_KIND_' + r['node'].upper() if r['node'] else -1}"]
        fields += [f".{f} = {self.place(f, r[f], ops)}" for f in ("fills", "moves", "count", "address")]
        fields += [f".dst = {self.place('dst', r['dst'] if in_dst else '', ops)}"]
        if in_dst and dict(self.operands)[r["dst"]] == "many":
            fields.append(".all_dst = true")
        for field in ("reads", "tiles"):
            if r[field]:
                fields.append(f".{field} = {{{', '.join(self.place(field, n, ops) for n in r[field])}}}")
        if r["takes"]:
            fields.append(f".takes = {{{', '.join('TT_TAKES_' + t.upper() for t in r['takes'])}}}")
        sources = [reads.index(s) if s else -1 for s in r["sources"]] or [-1, -1]
        fields.append(f".sources = {{{sources[0]}, {sources[1]}}}")
        for field, names in (("operands", [n for n, _ in self.operands]), ("attrs", attrs)):
            quoted = "".join(f'"{n}", ' for n in names)
            fields.append(f".{field} = (const char *const[]){{{quoted}NULL}}")
        return "{" + ", ".join(fields) + "},"

    def check_init(self, init, attrs, check):
        """Each operand of an init but `out` and each attribute is one of the op that needs it."""
        own = [n for n, _ in self.operands]
        for name, _ in init.operands:
            check(name in own or name == "out", f"operand '{name}' of {init.name} is none of its own")
        for name, _, optional in init.attributes:
            check(name in attrs or optional or self.record["variant"],
                  f"attribute '{name}' of {init.name} is none of its own, and there is no 'variant'")

    def verifier(self):
        cls = self.record["!name"].split("_", 1)[1]
        when = "verifyRegions" if self.record["hasRegionVerifier"] else "verify"
        return (f"::mlir::LogicalResult tilewright::{self.dialect}::{cls}::{when}() {{\n"
                f"  return ::mlir::success({self.prefix}_verify(wrap(getOperation())));\n}}")


def enums(records):
    for record in records.of("EnumInfo"):
        c, p = "Tt" + record["className"], "tt_" + snake(record["className"])
        cases = [records.all[e["def"]] for e in record["enumerants"]]
        yield f"/* {record['summary']} */"
        body = ", ".join(f"{p.upper()}_{k['str'].upper()} = {k['value']}" for k in cases)
        yield f"typedef enum {c} {{ {body} }} {c};"
        yield f"enum {{ {p.upper()}_COUNT = {len(cases)} }};"
        yield f"/* The spelling of a value; empty where there is no such value. */"
        yield f"static inline const char *{p}_str(int value) {{"
        names = ", ".join('"' + k["str"] + '"' for k in cases)
        yield f"  static const char *const names[] = {{{names}}};"
        yield f"  return value >= 0 && value < {len(cases)} ? names[value] : \"\";"
        yield "}"
        yield f"/* The value spelled `text`; false where there is none. */"
        yield f"static inline bool {p}_parse(MlirStringRef text, {c} *value) {{"
        yield f"  for (int i = 0; i < {len(cases)}; ++i)"
        yield f"    if (tt_str_eq(text, {p}_str(i))) return *value = ({c})i, true;"
        yield "  return false;"
        yield "}"
        yield ""


HEADER_TOP = """/* Generated by cmake/gen_c_api.py from {td}; do not edit. */
#ifndef TILEWRIGHT_DIALECTS_H
#define TILEWRIGHT_DIALECTS_H

#include "tilewright/builder.h"

#ifdef __cplusplus
extern "C" {{
#endif
#pragma GCC visibility push(default)
"""
HEADER_END = """#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("json")
    parser.add_argument("--td", default="the .td files")
    for kind in ("header", "verifiers", "glue", "table"):
        parser.add_argument(f"--{kind}")
    args = parser.parse_args()
    records = Records(args.json)
    storage = ([AttrOrType(records, r, "Attribute") for r in records.of("AttrDef") if r["mnemonic"]] +
               [AttrOrType(records, r, "Type") for r in records.of("TypeDef") if r["mnemonic"]])
    ops = [Op(records, r) for r in records.of("Op")]
    verified = [op for op in ops if op.record["hasVerifier"] or op.record["hasRegionVerifier"]]

    def write(path, lines):
        if path:
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")

    header = [HEADER_TOP.format(td=args.td)] + list(enums(records))
    for item in storage:
        header.append(f"/* {item.summary} */")
        header += [f"{r} {n}({', '.join(a)});" for r, n, a, _ in item.signatures()] + [""]
    for op in ops:
        header += list(op.header())
    write(args.header, header + [HEADER_END])

    verifiers = ["/* Generated by cmake/gen_c_api.py: true, or false and a diagnostic at the op. */"]
    write(args.verifiers, verifiers + [f"bool {op.prefix}_verify(MlirOperation op);" for op in verified])

    glue = ["// Generated by cmake/gen_c_api.py; do not edit."]
    for item in storage:
        glue += [f"extern \"C\" {r} {n}({', '.join(a)}) {{ {b} }}" for r, n, a, b in item.signatures()]
    write(args.glue, glue + [op.verifier() for op in verified])

    table = ["/* Generated by cmake/gen_c_api.py; do not edit. */"]
    by_name = {op.name: op for op in ops}
    table += [by_name[name].facts(by_name) for name in sorted(by_name, key=lambda name: (len(name), name))]
    write(args.table, table)


if __name__ == "__main__":
    main()
