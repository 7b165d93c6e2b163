#!/usr/bin/env python3
"""Checks a plan against its JSON Schema (the part of it that the schema uses)."""
import json
import sys

TYPES = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool,
         "null": type(None)}


def fail(path, what):
    sys.exit(f"invalid: {path or 'plan'}: {what}")


def check(schema, root, value, path):
    if "$ref" in schema:
        schema = root["$defs"][schema["$ref"].split("/")[-1]]
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(isinstance(value, TYPES[k]) and not (k == "integer" and value is True)
                         for k in kinds):
        fail(path, f"must be {' or '.join(kinds)}")
    if "enum" in schema and value not in schema["enum"]:
        fail(path, f"must be one of {schema['enum']}")
    if isinstance(value, int) and value < schema.get("minimum", value):
        fail(path, f"must be at least {schema['minimum']}")
    if isinstance(value, dict):
        known = schema.get("properties", {})
        for key in schema.get("required", []):
            if key not in value:
                fail(path, f"has no '{key}'")
        for key, item in value.items():
            if key not in known and schema.get("additionalProperties") is False:
                fail(path, f"has an unknown key '{key}'")
            if key in known:
                check(known[key], root, item, f"{path}.{key}")
    if isinstance(value, list):
        if not schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value)):
            fail(path, "has a wrong number of items")
        for i, item in enumerate(value):
            check(schema.get("items", {}), root, item, f"{path}[{i}]")


with open(sys.argv[1], encoding="utf-8") as file:
    plan_schema = json.load(file)
with open(sys.argv[2], encoding="utf-8") as file:
    plan = json.load(file)
if "host" in plan:
    check(plan_schema["$defs"]["host"], plan_schema, plan, "")
    for kernel in plan["plans"]:
        check(plan_schema, plan_schema, kernel, kernel["kernel"])
    kernels = [launch["kernel"] for launch in plan["launches"]]
    print(f"valid: {plan['host']}, {len(kernels)} launches: {', '.join(kernels)}")
    sys.exit()
check(plan_schema, plan_schema, plan, "")
units = sum(a["count"] for a in plan["assignments"])
print(f"valid: {plan['kernel']}, {len(plan['assignments'])} cores, {units} units")
