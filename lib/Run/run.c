/*===- run.c - tt-run ------------------------------------------------------------------------===
 *
 *   kernel.mlir -> the rest of the pipeline -> files -> host program, compiled
 *     -> run on the emulated device -> outputs, compared with the reference
 *
 *===----------------------------------------------------------------------===*/

#include "tilewright/run.h"

#include "../Metalium/emit_host.h"
#include "options.h"
#include "tilewright/tilewright.h"
#include "tilewright/verify.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Run {
  TtArena *arena;
  TtRunOptions options;
  MlirContext context;
  MlirModule module, reference; /* reference: null unless --check */
  MlirOperation subject; /* the program, or the host function */
  TtOps programs;        /* it, or those that the host function launches */
  char *dir;     /* of the emitted files: <dir>/<kernel>/ */
  char *folder;
  TtTensors args; /* of the subject */
  intptr_t n;     /* of args, those of the command line; the others stay on the device */
  void **data;   /* elements of each tensor */
  char **numbers; /* the text of each scalar, else NULL */
} Run;

static void progress(const char *step) {
  if (isatty(2)) fprintf(stderr, "\r\033[K  %s", *step ? step : "\r\033[K");
}

/*===- Compiling ---------------------------------------------------------------------------===*/

static void print_text(MlirStringRef text, void *unused) {
  (void)unused;
  fwrite(text.data, 1, text.length, stderr);
}

/* file:line:column: error: what is wrong */
static MlirLogicalResult print_diagnostic(MlirDiagnostic diagnostic, void *unused) {
  static const char *const severities[] = {"error", "warning", "note", "remark"};
  MlirLocation loc = mlirDiagnosticGetLocation(diagnostic);
  progress("");
  if (mlirLocationIsAFileLineColRange(loc)) {
    MlirStringRef file = mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(loc));
    fprintf(stderr, "%.*s:%d:%d: ", (int)file.length, file.data,
            mlirLocationFileLineColRangeGetStartLine(loc),
            mlirLocationFileLineColRangeGetStartColumn(loc));
  }
  fprintf(stderr, "%s: ", severities[mlirDiagnosticGetSeverity(diagnostic)]);
  mlirDiagnosticPrint(diagnostic, print_text, unused);
  fputc('\n', stderr);
  return mlirLogicalResultSuccess();
}

static void open_context(Run *r) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tt_register_all_dialects(registry);
  r->context = mlirContextCreateWithRegistry(registry, true);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(r->context, print_diagnostic, NULL, NULL);
  mlirContextLoadAllAvailableDialects(r->context);
  mlirRegisterAllLLVMTranslations(r->context);
  mlirRegisterAllPasses();
  tt_register_passes();
}

/* D2 has run: readers and writers have bound accessors. */
static bool are_bound(Run *r, MlirOperation module) {
  TtOps funcs = tt_collect(r->arena, module, "func.func");
  for (intptr_t i = 0; i < funcs.n; ++i) {
    TtArgs args = tt_kernel_args(r->arena, funcs.data[i]);
    for (intptr_t j = 0; j < args.n; ++j) {
      MlirAttribute a = tt_named_attr(funcs.data[i], "tensor_accessor", args.data[j].name);
      if (tt_tensor_accessor_attr_isa(a) &&
          tt_tensor_accessor_attr_type(a) == TT_ACCESSOR_KIND_BOUND)
        return true;
    }
  }
  return false;
}

/* The pipeline that a module still needs, by what it holds. */
static const char *remaining_pipeline(Run *r, MlirOperation module) {
  TtArena *a = r->arena;
  bool split = tt_collect(a, module, "tt.program").n > 0;
  bool kernels = tt_kernels(a, module).n > 0;
  if (!split || kernels) {
    if (!r->options.arch && !r->options.grid) return "tt-pipeline";
    return tt_arena_printf(a, "tt-pipeline{%s%s%s%s}", r->options.arch ? "arch=" : "",
                           r->options.arch ? r->options.arch : "", r->options.grid ? " grid=" : "",
                           r->options.grid ? r->options.grid : "");
  }
  static const char end[] = "tt-finalize-persistent-signature,tt-verify-ir";
  if (tt_collect(a, module, "tt.dst.acquire").n > 0) return end;
  bool init = tt_collect(a, module, "tt.engine.init_common").n > 0,
       accessors = are_bound(r, module),
       moves =
           tt_collect(a, module, "tt.read_to_cb").n + tt_collect(a, module, "tt.write_from_cb").n >
           0;
  return tt_arena_printf(a, "%s%s%s%s%s", accessors ? "" : "tt-configure-tensor-accessor,",
                         moves ? "tt-lower-cb-intrinsics," : "",
                         init ? "" : "tt-insert-compute-init,", "tt-insert-dst-management,", end);
}

static bool run_pipeline(Run *r) {
  MlirOperation op = mlirModuleGetOperation(r->module);
  MlirPassManager pm = mlirPassManagerCreate(r->context);
  bool ok = mlirLogicalResultIsSuccess(mlirOpPassManagerAddPipeline(
                mlirPassManagerGetAsOpPassManager(pm), tt_str(remaining_pipeline(r, op)),
                print_text, NULL)) &&
            mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(pm, op));
  mlirPassManagerDestroy(pm);
  return ok;
}

static bool is_level_1(Run *r, MlirOperation kernel) {
  TtOps ops = tt_collect(r->arena, kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_op_info(ops.data[i]).level != TT_LEVEL_OTHER) return false;
  return true;
}

/* A file has one host function, or one kernel. */
static bool check_subjects(Run *r, MlirOperation module, TtOps kernels) {
  intptr_t hosts = tt_hosts(r->arena, module).n,
           n = kernels.n + tt_collect(r->arena, module, "tt.program").n;
  if (hosts == 1 && n > 0) return true;
  if (hosts > 1)
    return tt_message("'%s' has %jd host functions; tt-run takes a file with one", r->options.kernel,
                      (intmax_t)hosts);
  return n == 1 || tt_message("'%s' has %jd kernels; tt-run takes a file with one (a func.func with tt.kernel, "
                              "or a tt.program), or with one host function (tt.host) that calls them",
                              r->options.kernel, (intmax_t)n);
}

static bool parse(Run *r) {
  r->module = mlirModuleCreateParseFromFile(r->context, tt_str(r->options.kernel));
  if (mlirModuleIsNull(r->module)) return false; /* the parser has said why */
  MlirOperation module = mlirModuleGetOperation(r->module);
  TtOps kernels = tt_kernels(r->arena, module);
  if (!check_subjects(r, module, kernels)) return false;
  if (!r->options.check) return true;
  bool level_1 = kernels.n > 0;
  for (intptr_t i = 0; i < kernels.n; ++i) level_1 &= is_level_1(r, kernels.data[i]);
  if (!level_1)
    return tt_message(
        "--check needs a level-1 kernel (linalg and memref only), which MLIR's JIT can run");
  r->reference = mlirModuleFromOperation(mlirOperationClone(module));
  return true;
}

/* What runs, and the programs that it takes. */
static void find_subject(Run *r) {
  MlirOperation module = mlirModuleGetOperation(r->module);
  TtOps hosts = tt_hosts(r->arena, module);
  r->programs = tt_collect(r->arena, module, "tt.program");
  r->subject = hosts.n ? hosts.data[0] : r->programs.data[0];
  if (hosts.n == 0) return;
  TtOps launches = tt_collect(r->arena, r->subject, "tt.launch");
  r->programs = (TtOps){NULL, 0, 0};
  for (intptr_t i = 0; i < launches.n; ++i)
    tt_ops_add(r->arena, &r->programs, tt_launched_program(launches.data[i]));
}

/*===- Files ---------------------------------------------------------------------------------===*/

static bool emit(Run *r) {
  TtEmitOptions options = {.api = r->options.api};
  if (r->options.keep) {
    r->dir = tt_arena_printf(r->arena, "%s", r->options.keep);
  } else {
    const char *tmp = getenv("TMPDIR");
    r->dir = tt_arena_printf(r->arena, "%s/tt-run-XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(r->dir)) return tt_message("no temporary folder: %s", strerror(errno));
  }
  options.output_dir = r->dir;
  if (!tt_emit_metalium(mlirModuleGetOperation(r->module), &options, NULL, NULL)) return false;
  find_subject(r);
  r->folder = tt_arena_printf(r->arena, "%s/%s", r->dir,
                              tt_arena_identifier(r->arena, tt_symbol_name(r->subject)));
  return true;
}

static void remove_folder(TtArena *arena, const char *folder) {
  DIR *dir = opendir(folder);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    char *path = tt_arena_printf(arena, "%s/%s", folder, entry->d_name);
    struct stat info;
    if (lstat(path, &info) == 0 && S_ISDIR(info.st_mode)) remove_folder(arena, path);
    else unlink(path);
  }
  if (dir) closedir(dir);
  rmdir(folder);
}

/*===- Tensors ----------------------------------------------------------------------===*/

static MlirType element_of(MlirType type) {
  return tt_is_memref(type) ? mlirShapedTypeGetElementType(type) : type;
}

static int64_t num_elements(MlirType type) {
  int64_t n = 1;
  if (!tt_is_memref(type)) return n;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); ++d) n *= mlirShapedTypeGetDimSize(type, d);
  return n;
}

static TtArray array_for(Run *r, MlirType type) {
  TtArray a = {.type = tt_npy_type_of(element_of(type)), .n = num_elements(type)};
  if (mlirTypeIsAIndex(type)) a.type = TT_NPY_I32;
  a.rank = tt_is_memref(type) ? (int)mlirShapedTypeGetRank(type) : 0;
  for (int d = 0; d < a.rank; ++d) a.shape[d] = mlirShapedTypeGetDimSize(type, d);
  a.data = tt_arena_alloc(r->arena, (size_t)a.n * 4 + 4);
  return a;
}

static uint64_t next_random(uint64_t *state) { /* splitmix64 */
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* Normal values for floats, -8 … 8 or 0 … 15 for integers. */
static void randomize(TtArray *a, uint64_t seed) {
  uint64_t state = seed;
  for (int64_t i = 0; i < a->n; ++i) {
    uint64_t x = next_random(&state), y = next_random(&state);
    double u = ((double)(x >> 11) + 0.5) * 0x1p-53, v = (double)(y >> 11) * 0x1p-53;
    if (a->type == TT_NPY_F32)
      ((float *)a->data)[i] = (float)(sqrt(-2 * log(u)) * cos(6.283185307179586 * v));
    else if (a->type == TT_NPY_I32) ((int32_t *)a->data)[i] = (int32_t)(x % 17) - 8;
    else ((uint8_t *)a->data)[i] = (uint8_t)(x % 16);
  }
}

static bool same_shape(const TtArray *a, const TtArray *b) {
  if (a->rank != b->rank) return false;
  for (int d = 0; d < a->rank; ++d)
    if (a->shape[d] != b->shape[d]) return false;
  return true;
}

static const char *shape_text(Run *r, const TtArray *a) {
  char *text = "";
  for (int d = 0; d < a->rank; ++d)
    text = tt_arena_printf(r->arena, "%s%s%jd", text, d ? "x" : "", (intmax_t)a->shape[d]);
  return text;
}

static bool load_input(Run *r, const char *path, const char *name, TtArray *a) {
  static const char *const names[] = {"float32", "int32", "uint8"};
  TtArray file;
  if (!tt_npy_read(r->arena, path, &file)) return false;
  if (!same_shape(&file, a))
    return tt_message("%s: tensor '%s' is %s, but the file holds %s", path, name, shape_text(r, a),
                   shape_text(r, &file));
  if (file.type != a->type)
    return tt_message("%s: tensor '%s' takes %s, but the file holds %s", path, name, names[a->type],
                   names[file.type]);
  a->data = file.data;
  return true;
}

static bool write_raw(Run *r, const char *name, const void *data, size_t bytes) {
  char *path = tt_arena_printf(r->arena, "%s/%s", r->folder, name);
  FILE *file = fopen(path, "wb");
  bool ok = file && fwrite(data, 1, bytes, file) == bytes;
  if (file) ok = fclose(file) == 0 && ok;
  return ok || tt_message("%s: %s", path, strerror(errno));
}

static bool read_raw(Run *r, const char *name, void *data, size_t bytes) {
  char *path = tt_arena_printf(r->arena, "%s/%s", r->folder, name);
  FILE *file = fopen(path, "rb");
  bool ok = file && fread(data, 1, bytes, file) == bytes;
  if (file) fclose(file);
  return ok || tt_message("%s: the host program wrote no complete result", path);
}

static int find_arg(Run *r, const char *name) {
  for (intptr_t i = 0; i < r->n; ++i)
    if (strcmp(r->args.data[i].name, name) == 0) return (int)i;
  return -1;
}

static bool check_names(Run *r, const TtPair *pairs, int n, const char *option, bool inputs) {
  const char **names = tt_arena_alloc(r->arena, (size_t)(r->n + 1) * sizeof *names);
  size_t known = 0;
  for (intptr_t i = 0; i < r->n; ++i) names[known++] = r->args.data[i].name;
  for (int i = 0; i < n; ++i) {
    int at = find_arg(r, pairs[i].name);
    if (at >= 0 && (inputs ? r->args.data[at].read || r->args.data[at].scalar : r->args.data[at].written))
      continue;
    const char *near = tt_suggest(tt_str(pairs[i].name), names, known);
    if (at >= 0)
      return tt_message("--%s %s: the kernel does not %s this tensor", option, pairs[i].name,
                     inputs ? "read" : "write");
    return tt_message("--%s %s: the kernel has no tensor of this name%s%s%s", option, pairs[i].name,
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
  return true;
}

static void describe_args(Run *r) {
  MlirValue *values;
  bool host = !tt_program_isa(r->subject);
  r->args = host ? tt_host_tensors(r->arena, r->subject, &values) : tt_program_tensors(r->arena, r->subject);
  r->n = host ? tt_num_args(r->subject) : r->args.n;
  r->data = tt_arena_alloc(r->arena, (size_t)(r->n + 1) * sizeof *r->data);
  r->numbers = tt_arena_alloc(r->arena, (size_t)(r->n + 1) * sizeof *r->numbers);
}

static char *raw_name(Run *r, intptr_t i) {
  return tt_arena_printf(r->arena, "%jd.bin", (intmax_t)i);
}

static size_t raw_bytes(MlirType type) {
  if (mlirTypeIsAIndex(type)) return sizeof(int64_t);
  return (size_t)(num_elements(type) * tt_element_bytes(element_of(type)));
}

/* A scalar: as its type holds it, for the reference, and as text, for the host program. */
static bool set_scalar(Run *r, intptr_t i, const char *text) {
  MlirType type = r->args.data[i].type;
  TtArray a = array_for(r, type);
  char *end = NULL;
  double number = text ? strtod(text, &end) : 0;
  if (text && (end == text || *end || !isfinite(number)))
    return tt_message("--input %s=%s: '%s' is a number, such as 0.5", r->args.data[i].name, text,
                      r->args.data[i].name);
  if (!text) randomize(&a, r->options.seed * 1000003 + (uint64_t)i);
  else if (a.type == TT_NPY_F32) *(float *)a.data = (float)number;
  else *(int32_t *)a.data = (int32_t)number;
  if (text && a.type != TT_NPY_F32 && number != (double)*(int32_t *)a.data)
    return tt_message("--input %s=%s: '%s' is an integer of 32 bits", r->args.data[i].name, text,
                      r->args.data[i].name);
  r->data[i] = tt_arena_alloc(r->arena, raw_bytes(type) + 1);
  if (mlirTypeIsAIndex(type)) *(int64_t *)r->data[i] = *(int32_t *)a.data;
  else tt_to_elements(type, &a, r->data[i]);
  if (!mlirTypeIsAIndex(type)) tt_from_elements(type, r->data[i], &a);
  r->numbers[i] = a.type == TT_NPY_F32 ? tt_arena_printf(r->arena, "%.9g", (double)*(float *)a.data)
                                       : tt_arena_printf(r->arena, "%jd", (intmax_t)*(int32_t *)a.data);
  return true;
}

/* What the device makes of values that it stores, for the reference. */
static void round_as_stored(Run *r, intptr_t i, TtArray *a) {
  int bits = tt_block_bits(&r->args.data[i]);
  if (bits) tt_round_to_blocks(a->data, a->n, tt_matrices(r->args.data[i].type).cols, bits);
}

static bool write_inputs(Run *r) {
  for (intptr_t i = 0; i < r->n; ++i) {
    MlirType type = r->args.data[i].type;
    TtArray a = array_for(r, type);
    const char *path = NULL;
    for (int j = 0; j < r->options.num_inputs; ++j)
      if (strcmp(r->options.inputs[j].name, r->args.data[i].name) == 0)
        path = r->options.inputs[j].value;
    if (!tt_is_memref(type)) {
      if (!set_scalar(r, i, path)) return false;
      continue;
    }
    if (path ? !load_input(r, path, r->args.data[i].name, &a) : false) return false;
    if (!path && r->args.data[i].read) randomize(&a, r->options.seed * 1000003 + (uint64_t)i);
    r->data[i] = tt_arena_alloc(r->arena, raw_bytes(type) + 1);
    tt_to_elements(mlirShapedTypeGetElementType(type), &a, r->data[i]);
    if (!write_raw(r, raw_name(r, i), r->data[i], raw_bytes(type))) return false;
    if (!tt_block_bits(&r->args.data[i])) continue;
    tt_from_elements(mlirShapedTypeGetElementType(type), r->data[i], &a);
    round_as_stored(r, i, &a);
    tt_to_elements(mlirShapedTypeGetElementType(type), &a, r->data[i]);
  }
  return true;
}

/*===- Running and comparing --------------------------------------------------------===*/

static bool execute(Run *r) {
  tt_host_environment(r->arena, &r->options, tt_arch_str((int)tt_target_of(r->subject).arch));
  char **argv = tt_arena_alloc(r->arena, (size_t)(r->n + 2) * sizeof *argv);
  argv[0] = "./main";
  for (intptr_t i = 0; i < r->n; ++i) argv[i + 1] = r->numbers[i] ? r->numbers[i] : raw_name(r, i);
  return tt_host_command(r->folder, argv, "the program on the emulated device");
}

static int phases_of(MlirOperation program) {
  MlirAttribute fidelity = tt_get_attr(program, "tt.math_fidelity");
  MlirStringRef s = mlirAttributeIsNull(fidelity) ? tt_str("HiFi4") : tt_string(fidelity);
  return tt_str_eq(s, "LoFi") ? 1 : s.data[4] - '0';
}

static TtTolerance tolerance_of(MlirOperation program) {
  MlirAttribute kt = tt_get_attr(program, "tt.kt"), wide = tt_get_attr(program, "tt.fp32_dest_acc");
  bool is_wide =
      !mlirAttributeIsNull(wide) && mlirAttributeIsABool(wide) && mlirBoolAttrGetValue(wide);
  if (is_wide && tt_rounds_between_ops(program)) return tt_rounded_tolerance(phases_of(program));
  return tt_tolerance(is_wide, phases_of(program), mlirAttributeIsNull(kt) ? 1 : tt_int(kt));
}

/* What all launches may add, and all tensors between them that are stored as block floats. */
static TtTolerance whole_tolerance(Run *r, int bits) {
  TtTolerance all = tolerance_of(r->programs.data[0]);
  for (intptr_t i = 1; i < r->programs.n; ++i) {
    TtTolerance t = tolerance_of(r->programs.data[i]);
    all.rms += t.rms, all.pcc -= 1 - t.pcc;
  }
  for (intptr_t i = r->n; i < r->args.n; ++i) {
    bool used = !mlirAttributeIsNull(r->args.data[i].buffer);
    if (used && tt_block_bits(&r->args.data[i]))
      all = tt_stored_tolerance(all, tt_block_bits(&r->args.data[i]));
  }
  return bits ? tt_stored_tolerance(all, bits) : all;
}

static bool compare_output(Run *r, const char *name, const TtArray *result,
                           const TtArray *reference, int bits) {
  TtTolerance t = whole_tolerance(r, bits);
  if (result->type != TT_NPY_F32) { /* integers are exact */
    bool same = memcmp(result->data, reference->data, (size_t)result->n * 4) == 0;
    printf("%s: %s\n", name, same ? "equal: ok" : "DIFFERENT from the reference");
    return same;
  }
  TtComparison c = tt_compare(result->data, reference->data, result->n, t);
  char pcc[32] = "constant reference";
  if (!isnan(c.pcc)) snprintf(pcc, sizeof pcc, "PCC %.7f", c.pcc);
  printf("%s: max abs error %.3g, relative RMS %.3g (at most %.2g), %s (at least %.4g): %s\n", name,
         c.max_abs, c.rms, t.rms, pcc, c.pcc_needed, c.within ? "ok" : "OUT OF TOLERANCE");
  return c.within;
}

static bool finish(Run *r) {
  bool ok = true;
  TtArray *results = tt_arena_alloc(r->arena, (size_t)(r->n + 1) * sizeof *results);
  for (intptr_t i = 0; i < r->n; ++i) {
    MlirType type = r->args.data[i].type;
    if (!r->args.data[i].written) continue;
    void *raw = tt_arena_alloc(r->arena, raw_bytes(type) + 1);
    if (!read_raw(r, raw_name(r, i), raw, raw_bytes(type))) return false;
    results[i] = array_for(r, type);
    tt_from_elements(mlirShapedTypeGetElementType(type), raw, &results[i]);
    for (int j = 0; j < r->options.num_outputs; ++j)
      if (strcmp(r->options.outputs[j].name, r->args.data[i].name) == 0)
        ok = tt_npy_write(r->options.outputs[j].value, &results[i]) && ok;
  }
  if (!r->options.check || !ok) return ok;
  progress("running the reference");
  MlirOperation module = mlirModuleGetOperation(r->reference);
  TtOps kernels = tt_kernels(r->arena, module), hosts = tt_hosts(r->arena, module);
  if (!tt_reference_run(r->reference, hosts.n ? hosts.data[0] : kernels.data[0], r->data)) return false;
  progress("");
  for (intptr_t i = 0; i < r->n; ++i) {
    if (!r->args.data[i].written) continue;
    TtArray reference = array_for(r, r->args.data[i].type);
    tt_from_elements(mlirShapedTypeGetElementType(r->args.data[i].type), r->data[i], &reference);
    round_as_stored(r, i, &reference);
    ok = compare_output(r, r->args.data[i].name, &results[i], &reference, tt_block_bits(&r->args.data[i])) && ok;
  }
  return ok;
}

static bool run(Run *r) {
  progress("compiling the kernel");
  if (!parse(r) || !run_pipeline(r) || !emit(r)) return false;
  describe_args(r);
  if (!check_names(r, r->options.inputs, r->options.num_inputs, "input", true) ||
      !check_names(r, r->options.outputs, r->options.num_outputs, "output", false) ||
      !write_inputs(r))
    return false;
  progress("compiling the host program");
  if (!tt_host_compile(r->arena, r->folder, "main.cpp", "main")) return false;
  progress("compiling the kernels");
  return execute(r) && finish(r);
}

int tilewright_run_main(int argc, char **argv) {
  Run r = {.arena = tt_arena_create()};
  if (!tt_run_options_parse(r.arena, argc, argv, &r.options)) {
    tt_arena_destroy(r.arena);
    return 2;
  }
  if (r.options.help) {
    tt_run_options_help(stdout);
    tt_arena_destroy(r.arena);
    return 0;
  }
  if (r.options.is_host) {
    int status = tt_host_run(r.arena, &r.options);
    tt_arena_destroy(r.arena);
    return status;
  }
  open_context(&r);
  bool ok = run(&r);
  progress("");
  if (!r.options.keep && r.dir) remove_folder(r.arena, r.dir);
  if (!mlirModuleIsNull(r.reference)) mlirModuleDestroy(r.reference);
  if (!mlirModuleIsNull(r.module)) mlirModuleDestroy(r.module);
  mlirContextDestroy(r.context);
  tt_arena_destroy(r.arena);
  return ok ? 0 : 1;
}
