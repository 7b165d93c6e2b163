/*===- run.c - tt-run ------------------------------------------------------------------------===
 *
 *   kernel.mlir -> the rest of the pipeline -> files -> host program, compiled
 *     -> run on the emulated device -> outputs, compared with the reference
 *
 *===----------------------------------------------------------------------===*/

#include "tilewright/run.h"

#include "Analysis/compute_config.h"
#include "Dialect/op_info.h"
#include "Dialect/verify.h"
#include "Emit/emit_kernel.h"
#include "Run/host_compiler.h"
#include "Run/session.h"
#include "Target/eras.h"
#include "Verify/protocol.h"
#include "tilewright/tilewright.h"

#include "mlir-c/Diagnostics.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*===- Compiling ---------------------------------------------------------------------------===*/

static void print_text(MlirStringRef text, void *unused) {
  (void)unused;
  fwrite(text.data, 1, text.length, stderr);
}

/* file:line:column: error: what is wrong. *said: whether there was one. */
static MlirLogicalResult print_diagnostic(MlirDiagnostic diagnostic, void *said) {
  static const char *const severities[] = {"error", "warning", "note", "remark"};
  TtArena *arena = tt_arena_create();
  const char *place = tt_source_place(arena, mlirDiagnosticGetLocation(diagnostic));
  tt_progress("");
  if (place) fprintf(stderr, "%s: ", place);
  tt_arena_destroy(arena);
  fprintf(stderr, "%s: ", severities[mlirDiagnosticGetSeverity(diagnostic)]);
  mlirDiagnosticPrint(diagnostic, print_text, NULL);
  fputc('\n', stderr);
  *(bool *)said = true;
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); ++i)
    (void)print_diagnostic(mlirDiagnosticGetNote(diagnostic, i), said);
  return mlirLogicalResultSuccess();
}

static void open_context(TtRun *r) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  tt_register_all_dialects(registry);
  r->context = mlirContextCreateWithRegistry(registry, true);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(r->context, print_diagnostic, &r->said, NULL);
  mlirContextLoadAllAvailableDialects(r->context);
  mlirRegisterAllLLVMTranslations(r->context);
  mlirRegisterAllPasses();
  tt_register_passes();
}

/* D2 has run: readers and writers have bound accessors. */
static bool are_bound(TtRun *r, MlirOperation module) {
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

/* The era, where it has fewer circular buffers than some chip. */
static const char *limits(const TtRun *r) {
  const TtEra *era = &tt_eras[r->options.api];
  return era->cbs > 0 ? era->name : NULL;
}

/* `pass` with the target that the command line gives, and `more` options; without any, itself. */
static const char *with_target(TtRun *r, const char *pass, const char *more) {
  const struct {
    const char *name, *value;
  } given[] = {{"arch", r->options.arch}, {"grid", r->options.grid}, {"metalium-api", limits(r)}};
  const char *text = more;
  for (size_t i = 0; i < sizeof given / sizeof *given; ++i)
    if (given[i].value)
      text = tt_arena_printf(r->arena, "%s%s%s=%s", text, *text ? " " : "", given[i].name,
                             given[i].value);
  return *text ? tt_arena_printf(r->arena, "%s{%s}", pass, text) : pass;
}

/* The pipeline that a module still needs, by what it holds. */
static const char *remaining_pipeline(TtRun *r, MlirOperation module) {
  TtArena *a = r->arena;
  bool split = tt_collect(a, module, "tt.program").n > 0;
  bool kernels = tt_kernels(a, module).n > 0;
  const char *list = r->options.optimize;
  if (!split || kernels)
    return with_target(r, "tt-pipeline", list ? tt_arena_printf(a, "optimize=%s", list) : "");
  const char *end = r->options.unverified ? "tt-stage-e" : "tt-stage-e,tt-verify-ir";
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

static bool run_passes(TtRun *r, const char *pipeline) {
  MlirPassManager pm = mlirPassManagerCreate(r->context);
  bool ok =
      mlirLogicalResultIsSuccess(mlirOpPassManagerAddPipeline(
          mlirPassManagerGetAsOpPassManager(pm), tt_str(pipeline), print_text, NULL)) &&
      mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(pm, mlirModuleGetOperation(r->module)));
  mlirPassManagerDestroy(pm);
  return ok;
}

static bool run_pipeline(TtRun *r) {
  return run_passes(r, remaining_pipeline(r, mlirModuleGetOperation(r->module)));
}

MlirOperation tt_model_of(TtRun *r, MlirModule module) {
  TtOps funcs = tt_collect(r->arena, mlirModuleGetOperation(module), "func.func");
  for (intptr_t i = 0; i < funcs.n; ++i)
    if (!mlirAttributeIsNull(tt_get_attr(funcs.data[i], "tt.model"))) return funcs.data[i];
  return (MlirOperation){NULL};
}

/* A model becomes kernels and a host function, planned for the target; what it was is the
 * reference. */
static bool lower_model(TtRun *r) {
  if (r->options.check)
    r->reference = mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(r->module)));
  const char *schedule = r->options.schedule, *plan = r->options.plan, *list = r->options.optimize;
  const char *optimize = list ? tt_arena_printf(r->arena, " optimize=%s", list) : "";
  const char *model = schedule
                          ? tt_arena_printf(r->arena, "tt-model{schedule=%s}", schedule)
                          : tt_arena_printf(r->arena, "tt-model{%s%s}", plan ? plan : "", optimize);
  if (!r->options.arch && !r->options.grid && !limits(r)) return run_passes(r, model);
  return run_passes(
      r, tt_arena_printf(r->arena, "%s,%s", with_target(r, "tt-infer-layout", ""), model));
}

static bool is_level_1(TtRun *r, MlirOperation kernel) {
  TtOps ops = tt_collect(r->arena, kernel, NULL);
  for (intptr_t i = 0; i < ops.n; ++i)
    if (tt_op_info(ops.data[i])->level != TT_LEVEL_OTHER) return false;
  return true;
}

/* A file has one host function, or one kernel. */
static bool check_subjects(TtRun *r, MlirOperation module, TtOps kernels) {
  intptr_t hosts = tt_hosts(r->arena, module).n,
           n = kernels.n + tt_collect(r->arena, module, "tt.program").n;
  if (hosts == 1 && n > 0) return true;
  if (hosts > 1)
    return tt_message("'%s' has %jd host functions; tt-run takes a file with one",
                      r->options.kernel, (intmax_t)hosts);
  return n == 1 ||
         tt_message(
             "'%s' has %jd kernels; tt-run takes a file with one (a func.func with tt.kernel, "
             "or a tt.program), or with one host function (tt.host) that calls them",
             r->options.kernel, (intmax_t)n);
}

static bool parse(TtRun *r) {
  r->module = mlirModuleCreateParseFromFile(r->context, tt_str(r->options.kernel));
  if (mlirModuleIsNull(
          r->module)) /* the parser says why, but of some attributes of upstream's ops */
    return !r->said && tt_message("'%s' is no valid MLIR, and MLIR's parser does not say where",
                                  r->options.kernel);
  MlirOperation module = mlirModuleGetOperation(r->module);
  bool model = r->model = !mlirOperationIsNull(tt_model_of(r, r->module));
  if ((r->options.schedule || r->options.plan) && !model)
    return tt_message("--%s is for models; '%s' has no function with tt.model",
                      r->options.schedule ? "schedule" : "tune", r->options.kernel);
  if (r->options.against && !model)
    return tt_message("--against is for models; '%s' has no function with tt.model",
                      r->options.kernel);
  if (model && !lower_model(r)) return false;
  TtOps kernels = tt_kernels(r->arena, module);
  if (!check_subjects(r, module, kernels)) return false;
  /* The reference has the arguments that the program has. */
  if (!run_passes(r, "tt-generalize-integers,tt-widen-bits,tt-widen-fp8,tt-return-by-argument"))
    return false;
  if (!r->options.check || model) return true;
  bool level_1 = kernels.n > 0;
  for (intptr_t i = 0; i < kernels.n; ++i) level_1 &= is_level_1(r, kernels.data[i]);
  if (!level_1)
    return tt_message(
        "--check needs a level-1 kernel (linalg and memref only), which MLIR's JIT can run");
  r->reference = mlirModuleFromOperation(mlirOperationClone(module));
  return true;
}

/* What runs, and the programs that it takes. */
static void find_subject(TtRun *r) {
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

static bool emit(TtRun *r) {
  TtEmitOptions options = {.api = r->options.api,
                           .unverified = r->options.unverified,
                           .source_comments = r->options.trace || r->options.report};
  if (r->options.keep) {
    r->dir = tt_arena_printf(r->arena, "%s", r->options.keep);
  } else {
    r->dir = tt_temporary_folder(r->arena);
    if (!r->dir) return false;
  }
  options.output_dir = r->dir;
  if (!tt_emit_metalium(mlirModuleGetOperation(r->module), &options, NULL, NULL)) return false;
  find_subject(r);
  r->folder = tt_arena_printf(r->arena, "%s/%s", r->dir,
                              tt_arena_identifier(r->arena, tt_symbol_name(r->subject)));
  return true;
}

/* A copy of the compiled host program beside its source. */
static bool keep_program(TtRun *r, const char *program) {
  char *kept = tt_arena_printf(r->arena, "%s/main", r->folder), bytes[16384];
  unlink(kept);
  int from = open(program, O_RDONLY), to = open(kept, O_CREAT | O_TRUNC | O_WRONLY, 0777);
  bool ok = from >= 0 && to >= 0;
  for (ssize_t n; ok && (n = read(from, bytes, sizeof bytes)) != 0;)
    ok = n > 0 && write(to, bytes, (size_t)n) == n;
  if (from >= 0) close(from);
  if (to >= 0) ok = close(to) == 0 && ok;
  return ok || tt_message("%s: %s", kept, strerror(errno));
}

/*===- Running -----------------------------------------------------------------------------===*/

static bool execute(TtRun *r, const char *program) {
  tt_host_environment(r->arena, &r->options, tt_arch_str((int)tt_target_of(r->subject).arch));
  tt_announce_prediction(r);
  intptr_t free_dims = 0;
  char **argv = tt_arena_alloc(r->arena, (size_t)(r->n + r->dims.dims.n + 2) * sizeof *argv);
  argv[0] = "./main";
  for (intptr_t i = 0; i < r->n; ++i)
    argv[i + 1] = r->numbers[i] ? r->numbers[i] : tt_raw_name(r, i);
  for (intptr_t i = 0; i < r->dims.dims.n; ++i)
    if (r->dims.dims.same[i] == i)
      argv[1 + r->n + free_dims++] = tt_arena_printf(r->arena, "%jd", (intmax_t)r->sizes[i]);
  return tt_host_execute(r->folder, program, argv);
}

/* The protocol of a kernel with the sizes and scalars of this run. Those of a host function's
 * kernels are known as it runs. */
static bool verify_sizes(TtRun *r) {
  TtSizes sizes = tt_sizes_of_run(r);
  if (r->options.unverified || sizes.n == 0 || !tt_program_isa(r->subject)) return true;
  for (intptr_t i = 0; i < r->programs.n; ++i)
    if (!tt_protocol_check(r->arena, r->programs.data[i], (TtCheckOptions){0}, &sizes))
      return false;
  return true;
}

static bool run(TtRun *r) {
  tt_progress("compiling the kernel");
  if (!parse(r)) return false;
  if (r->options.plan_only) return true;
  if (!run_pipeline(r) || !emit(r)) return false;
  if (!tt_describe_args(r) || !tt_write_inputs(r) || !verify_sizes(r)) return false;
  tt_progress("compiling the host program");
  char *program = tt_host_compile(r->arena, r->folder, "main.cpp", TT_HOST_EMITTED);
  if (!program || (r->options.keep && !keep_program(r, program))) return false;
  tt_progress("compiling the kernels");
  if (!execute(r, program)) return false;
  if (r->options.explain) tt_explain(r);
  bool host = !tt_op_eq(r->subject, r->programs.data[0]), ok = tt_finish(r);
  if (host) tt_print_launches(r);
  return ok;
}

bool tt_session(const TtRunOptions *options) {
  TtRun r = {.arena = tt_arena_create(), .options = *options};
  open_context(&r);
  bool ok = run(&r);
  tt_progress("");
  if (!r.options.keep && r.dir) tt_remove_folder(r.arena, r.dir);
  if (!mlirModuleIsNull(r.reference)) mlirModuleDestroy(r.reference);
  if (!mlirModuleIsNull(r.module)) mlirModuleDestroy(r.module);
  mlirContextDestroy(r.context);
  tt_arena_destroy(r.arena);
  return ok;
}

int tilewright_run_main(int argc, char **argv) {
  TtRun r = {.arena = tt_arena_create()};
  int python = tt_python_run(r.arena, argc, argv);
  if (python >= 0) {
    tt_arena_destroy(r.arena);
    return python;
  }
  if (!tt_run_options_parse(r.arena, argc, argv, &r.options)) {
    tt_arena_destroy(r.arena);
    return 2;
  }
  if (r.options.help) {
    tt_run_options_help(stdout);
    tt_arena_destroy(r.arena);
    return 0;
  }
  if (r.options.version) {
    printf("Tilewright %s\n", tilewright_version());
    tt_arena_destroy(r.arena);
    return 0;
  }
  if (r.options.is_host) {
    int status = tt_host_run(r.arena, &r.options);
    tt_arena_destroy(r.arena);
    return status;
  }
  bool ok = r.options.tune ? tt_tune(r.arena, &r.options) : tt_session(&r.options);
  tt_arena_destroy(r.arena);
  return ok ? 0 : 1;
}
