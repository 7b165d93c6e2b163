/*===- ir.c - changes of IR -------------------------------------------------------------------===
 *
 * Other than changes of text, these mostly parse: what passes are given is well-formed, and odd.
 *
 *===----------------------------------------------------------------------===*/

#include "fuzz.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/*===- What a module holds ------------------------------------------------------------------===*/

typedef struct Inventory {
  MlirOperation *ops; /* below the module */
  size_t num_ops, ops_capacity;
  MlirValue *values;
  size_t num_values, values_capacity;
} Inventory;

static void *room(void *data, size_t n, size_t *capacity, size_t size) {
  if (n < *capacity) return data;
  *capacity = *capacity ? 2 * *capacity : 256;
  void *p = realloc(data, *capacity * size);
  if (!p) abort();
  return p;
}

static void add_value(Inventory *v, MlirValue value) {
  v->values = room(v->values, v->num_values, &v->values_capacity, sizeof *v->values);
  v->values[v->num_values++] = value;
}

static MlirWalkResult add_op(MlirOperation op, void *data) {
  Inventory *v = data;
  /* Bodies of named ops that upstream makes, without a place: nobody can write them otherwise. */
  if (mlirLocationEqual(mlirOperationGetLocation(op),
                        mlirLocationUnknownGet(mlirOperationGetContext(op))))
    return MlirWalkResultSkip;
  v->ops = room(v->ops, v->num_ops, &v->ops_capacity, sizeof *v->ops);
  v->ops[v->num_ops++] = op;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    add_value(v, mlirOperationGetResult(op, i));
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    for (intptr_t j = 0; !mlirBlockIsNull(block) && j < mlirBlockGetNumArguments(block); ++j)
      add_value(v, mlirBlockGetArgument(block, j));
  }
  return MlirWalkResultAdvance;
}

/* Another value of this type, the value itself where there is none. */
static MlirValue another(Random *r, const Inventory *v, MlirValue value) {
  size_t from = below(r, v->num_values);
  for (size_t i = 0; i < v->num_values; ++i) {
    MlirValue other = v->values[(from + i) % v->num_values];
    if (!mlirValueEqual(other, value) &&
        mlirTypeEqual(mlirValueGetType(other), mlirValueGetType(value)))
      return other;
  }
  return value;
}

/*===- Attributes ---------------------------------------------------------------------------===*/

static void append(MlirStringRef part, void *data) {
  Text *t = data;
  text_replace(t, t->n, 0, part.data, part.length);
}

/* Upstream's parser dies of array<…> of what is no type; tests of ours are not to. */
static bool upstream_dies(const char *text) {
  for (const char *at = text; (at = strstr(at, "array<")); ++at)
    if (strncmp(at + 6, "i64", 3) != 0 && strncmp(at + 6, "i32", 3) != 0) return true;
  return false;
}

static bool is_ours(MlirOperation op) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  return strncmp(name.data, "tt.", 3) == 0 || strncmp(name.data, "metalium.", 9) == 0;
}

/* Ops of upstream take their attributes to be there, once they are parsed; nobody can take these
 * away. */
static void set_attribute(MlirOperation op, MlirStringRef name, MlirAttribute to) {
  MlirAttribute old = mlirOperationGetAttributeByName(op, name);
  if (mlirAttributeIsNull(to)) mlirOperationRemoveAttributeByName(op, name);
  else mlirOperationSetAttributeByName(op, name, to);
  bool inherent = mlirOperationHasInherentAttributeByName(op, name);
  if (inherent && !is_ours(op) && !mlirAttributeIsNull(old) &&
      mlirAttributeIsNull(mlirOperationGetAttributeByName(op, name)))
    mlirOperationSetAttributeByName(op, name, old);
}

static void change_attribute(Random *r, const Corpus *c, const Inventory *v, MlirOperation op) {
  intptr_t n = mlirOperationGetNumAttributes(op);
  MlirContext context = mlirOperationGetContext(op);
  if (n == 0) return;
  MlirNamedAttribute a = mlirOperationGetAttribute(op, (intptr_t)below(r, (size_t)n));
  MlirStringRef name = mlirIdentifierStr(a.name);
  switch (below(r, 8)) {
  case 0: set_attribute(op, name, (MlirAttribute){NULL}); return;
  case 1: { /* one that another op has */
    MlirOperation other = v->ops[below(r, v->num_ops)];
    intptr_t m = mlirOperationGetNumAttributes(other);
    if (m == 0) return;
    MlirNamedAttribute b = mlirOperationGetAttribute(other, (intptr_t)below(r, (size_t)m));
    set_attribute(op, below(r, 2) ? name : mlirIdentifierStr(b.name), b.attribute);
    return;
  }
  default: break;
  }
  Text text = text_copy("", 0);
  mlirAttributePrint(a.attribute, append, &text);
  for (size_t changes = 1 + below(r, 2); changes > 0; --changes) change_number_or_word(r, c, &text);
  MlirAttribute changed = {NULL};
  if (!upstream_dies(text.data))
    changed = mlirAttributeParseGet(context, (MlirStringRef){text.data, text.n});
  if (!mlirAttributeIsNull(changed)) set_attribute(op, name, changed);
  free(text.data);
}

/*===- Ops ----------------------------------------------------------------------------------===*/

static bool is_last(MlirOperation op) {
  return mlirOperationIsNull(mlirOperationGetNextInBlock(op));
}

/* Whether a value is made by an op or in its regions. */
static bool is_of(MlirValue value, MlirOperation op) {
  MlirOperation at = mlirValueIsAOpResult(value)
                         ? mlirOpResultGetOwner(value)
                         : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  while (!mlirOperationIsNull(at) && !mlirOperationEqual(at, op))
    at = mlirOperationGetParentOperation(at);
  return !mlirOperationIsNull(at);
}

/* An op goes; what used it uses others of the type, if there are any. */
static void remove_op(Random *r, const Inventory *v, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i), other = another(r, v, result);
    if (mlirOpOperandIsNull(mlirValueGetFirstUse(result))) continue;
    if (is_of(other, op)) return;
    mlirValueReplaceAllUsesOfWith(result, other);
  }
  mlirOperationDestroy(op);
}

static void change_op(Random *r, const Inventory *v, MlirOperation op) {
  intptr_t operands = mlirOperationGetNumOperands(op);
  switch (below(r, 5)) {
  case 0:
    if (!is_last(op)) remove_op(r, v, op);
    break;
  case 1: { /* twice */
    MlirOperation copy = mlirOperationClone(op);
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, copy);
    break;
  }
  case 2: /* a place further down */
    if (!is_last(op) && !is_last(mlirOperationGetNextInBlock(op)))
      mlirOperationMoveAfter(op, mlirOperationGetNextInBlock(op));
    break;
  default:
    if (operands == 0) break;
    intptr_t i = (intptr_t)below(r, (size_t)operands);
    mlirOperationSetOperand(op, i, another(r, v, mlirOperationGetOperand(op, i)));
  }
}

void change_ir(Random *r, const Corpus *c, MlirOperation module) {
  Inventory v = {0};
  mlirOperationWalk(module, add_op, &v, MlirWalkPreOrder);
  if (v.num_ops > 1) {
    MlirOperation op = v.ops[1 + below(r, v.num_ops - 1)]; /* not the module */
    if (below(r, 2)) change_attribute(r, c, &v, op);
    else change_op(r, &v, op);
  }
  free(v.ops), free(v.values);
}
