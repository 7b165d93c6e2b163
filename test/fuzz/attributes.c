/*===- attributes.c - libFuzzer on the text of our types and attributes -----------------------===
 *
 * What parses is printed, and parses again to the same. Text without our prefix is not looked at:
 * upstream's own attributes are upstream's to test.
 *
 *===----------------------------------------------------------------------===*/

#include "tilewright/tilewright.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static MlirContext context;

static MlirLogicalResult ignore(MlirDiagnostic diagnostic, void *unused) {
  (void)diagnostic, (void)unused;
  return mlirLogicalResultSuccess();
}

/* Contexts keep what they have made: a new one, every so often. */
static void open_context(void) {
  static unsigned inputs;
  if (inputs++ % 20000 != 0) return;
  if (inputs > 1) mlirContextDestroy(context);
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tt_register_all_dialects(registry);
  context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextGetOrLoadDialect(context, tt_str("tt"));
  mlirContextGetOrLoadDialect(context, tt_str("metalium"));
  mlirContextAttachDiagnosticHandler(context, ignore, NULL, NULL);
}

static void append(MlirStringRef part, void *data) {
  FILE *out = data;
  fwrite(part.data, 1, part.length, out);
}

static void fail(const char *first, const char *again) {
  fprintf(stderr, "'%s' parses, but is printed as '%s', which is another or none\n", first, again);
  abort();
}

/* What a type or an attribute is printed as; to be freed. */
static char *printed(MlirType type, MlirAttribute attribute) {
  char *text = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&text, &n);
  if (!out) abort();
  if (mlirTypeIsNull(type)) mlirAttributePrint(attribute, append, out);
  else mlirTypePrint(type, append, out);
  fclose(out);
  return text;
}

static void check_text(const char *text, bool is_type) {
  MlirType type = {NULL};
  MlirAttribute attribute = {NULL};
  if (is_type) type = mlirTypeParseGet(context, tt_str(text));
  else attribute = mlirAttributeParseGet(context, tt_str(text));
  if (mlirTypeIsNull(type) && mlirAttributeIsNull(attribute)) return;
  char *again = printed(type, attribute);
  bool same = is_type
                  ? mlirTypeEqual(mlirTypeParseGet(context, tt_str(again)), type)
                  : mlirAttributeEqual(mlirAttributeParseGet(context, tt_str(again)), attribute);
  if (!same) fail(text, again);
  free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bool is_type = size > 4 && memcmp(data, "!tt.", 4) == 0,
       is_attribute = size > 4 && memcmp(data, "#tt.", 4) == 0;
  if (!is_type && !is_attribute) return -1; /* not kept */
  char *text = malloc(size + 1);
  if (!text) abort();
  memcpy(text, data, size);
  text[size] = '\0';
  open_context();
  check_text(text, is_type);
  free(text);
  return 0;
}
