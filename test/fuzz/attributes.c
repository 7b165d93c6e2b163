/*===- attributes.c - libFuzzer on the text of our types and attributes -----------------------------------===
 *
 * What parses is printed, and parses again to the same. Text without our prefix is not looked at: upstream's
 * own attributes are upstream's to test.
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

static void check_type(const char *text) {
  MlirType type = mlirTypeParseGet(context, tt_str(text));
  char *printed = NULL;
  size_t n = 0;
  if (mlirTypeIsNull(type)) return;
  FILE *out = open_memstream(&printed, &n);
  if (!out) abort();
  mlirTypePrint(type, append, out);
  fclose(out);
  if (!mlirTypeEqual(mlirTypeParseGet(context, tt_str(printed)), type)) fail(text, printed);
  free(printed);
}

static void check_attribute(const char *text) {
  MlirAttribute attribute = mlirAttributeParseGet(context, tt_str(text));
  char *printed = NULL;
  size_t n = 0;
  if (mlirAttributeIsNull(attribute)) return;
  FILE *out = open_memstream(&printed, &n);
  if (!out) abort();
  mlirAttributePrint(attribute, append, out);
  fclose(out);
  if (!mlirAttributeEqual(mlirAttributeParseGet(context, tt_str(printed)), attribute)) fail(text, printed);
  free(printed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  bool is_type = size > 4 && memcmp(data, "!tt.", 4) == 0, is_attribute = size > 4 && memcmp(data, "#tt.", 4) == 0;
  if (!is_type && !is_attribute) return -1; /* not kept */
  char *text = malloc(size + 1);
  if (!text) abort();
  memcpy(text, data, size);
  text[size] = '\0';
  open_context();
  if (is_type) check_type(text);
  else check_attribute(text);
  free(text);
  return 0;
}
