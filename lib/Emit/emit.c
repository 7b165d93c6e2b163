/*===- emit.c - all files of all programs ---------------------------------------------===
 *
 * A program at a time: copied to a module of its own, finalized, checked, emitted, and its
 * memory is free again. Texts are kept aside until all programs are done; then they are
 * printed, or written to files, a file at a time through a temporary that is renamed.
 *
 *===----------------------------------------------------------------------===*/

#include "Emit/emit_kernel.h"
#include "Passes/passes_decl.h"
#include "Support/value_map.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Finished texts that are more than this go to a temporary file. */
enum { MOST_KEPT_BYTES = 4 << 20 };

typedef struct File {
  char *path; /* <kernel>/<file> */
  size_t at, n;
} File;

typedef struct Files {
  TtArena *arena;   /* of what lasts */
  TtArena *scratch; /* of one program */
  File *data;
  intptr_t n, capacity;
  TtText text;   /* of the last file, while it grows */
  TtText kept;   /* finished texts, one after the other, behind those in `spool` */
  FILE *spool;   /* NULL while there are few */
  size_t before; /* bytes in `spool` */
  bool failed;   /* to write there */
} Files;

/* Where a temporary file cannot be had, memory must do. */
static void spill_kept(Files *files) {
  if (!files->spool) files->spool = tmpfile();
  if (!files->spool) return;
  files->failed |= fwrite(files->kept.data, 1, files->kept.n, files->spool) != files->kept.n;
  files->before += files->kept.n;
  files->kept.n = 0;
}

/* The text of the last file is whole. */
static void finish_file(Files *files) {
  if (files->n == 0 || files->text.n == 0) return;
  File *file = &files->data[files->n - 1];
  file->at = files->before + files->kept.n, file->n = files->text.n;
  tt_text_append(&files->kept, files->text.data, files->text.n);
  files->text.n = 0;
  if (files->kept.n > MOST_KEPT_BYTES) spill_kept(files);
}

/* Where the text of a new file goes, until the next is added. */
static TtText *add_file(Files *files, const char *folder, const char *name) {
  finish_file(files);
  if (files->n == files->capacity) {
    intptr_t capacity = files->capacity ? files->capacity * 2 : 16;
    File *data = tt_arena_alloc(files->arena, (size_t)capacity * sizeof *data);
    if (files->n) memcpy(data, files->data, (size_t)files->n * sizeof *data);
    files->data = data;
    files->capacity = capacity;
  }
  files->data[files->n++] = (File){tt_arena_printf(files->arena, "%s/%s", folder, name), 0, 0};
  return &files->text;
}

/* The finished text of a file; false where it cannot be read back. */
static bool read_text(Files *files, const File *file, TtText *text) {
  char part[1 << 14];
  text->n = 0;
  if (file->at >= files->before) {
    tt_text_append(text, files->kept.data + (file->at - files->before), file->n);
    return true;
  }
  if (fseek(files->spool, (long)file->at, SEEK_SET) != 0) return false;
  while (text->n < file->n) {
    size_t rest = file->n - text->n, n = rest < sizeof part ? rest : sizeof part;
    if (fread(part, 1, n, files->spool) != n) return false;
    tt_text_append(text, part, n);
  }
  return true;
}

static bool cannot_keep(MlirOperation module) {
  return tt_error(module, "cannot keep emitted files in a temporary file: %s", strerror(errno));
}

/* The kernels of a program, in `folder`. */
static bool emit_kernels(Files *files, MlirOperation program, const TtEmitOptions *options,
                         const char *folder) {
  TtKernelFiles kernels = tt_kernel_files(files->scratch, program);
  for (intptr_t i = 0; i < kernels.n; ++i) {
    const char *name = tt_arena_printf(files->scratch, "%s.cpp", kernels.data[i].name);
    if (!tt_emit_kernel(files->scratch, program, kernels.data[i].op, options->api,
                        options->source_comments, add_file(files, folder, name)))
      return false;
  }
  return true;
}

static bool emit_program(Files *files, MlirOperation program, const TtEmitOptions *options,
                         TtNames *folders) {
  const char *folder = tt_names_take(folders, tt_arena_str(files->arena, tt_symbol_name(program)));
  if (!emit_kernels(files, program, options, folder) ||
      !tt_emit_host(files->scratch, program, options->api, add_file(files, folder, "main.cpp")))
    return false;
  if (!tt_emit_plan(files->scratch, program, options->api, add_file(files, folder, "tt.plan.json")))
    return false;
  tt_emit_cmake(folder, add_file(files, folder, "CMakeLists.txt"));
  return true;
}

/* A host function: <host>/main.cpp and its kernels in folders of their own. */
static bool emit_host(Files *files, MlirOperation func, const TtEmitOptions *options,
                      TtNames *folders) {
  const char *folder = tt_names_take(folders, tt_arena_str(files->arena, tt_symbol_name(func)));
  TtOps programs = tt_launched_programs(files->scratch, func);
  for (intptr_t i = 0; i < programs.n; ++i) {
    const char *inner =
        tt_arena_printf(files->scratch, "%s/%s", folder,
                        tt_arena_identifier(files->scratch, tt_symbol_name(programs.data[i])));
    if (!emit_kernels(files, programs.data[i], options, inner)) return false;
  }
  if (!tt_emit_host_function(files->scratch, func, options->api,
                             add_file(files, folder, "main.cpp")))
    return false;
  if (tt_has_weights(files->scratch, func) &&
      !tt_emit_weights_file(files->scratch, func, add_file(files, folder, "weights.bin")))
    return false;
  tt_emit_host_plan(files->scratch, func, options->api, add_file(files, folder, "tt.plan.json"));
  tt_emit_cmake(folder, add_file(files, folder, "CMakeLists.txt"));
  return true;
}

/* The programs that no host function launches. */
static TtOps lone_programs(TtArena *arena, MlirOperation module) {
  TtOps all = tt_collect(arena, module, "tt.program"),
        launched = tt_launched_programs(arena, module), lone = {NULL, 0, 0};
  TtOpMap is_launched = {NULL, 0, 0};
  for (intptr_t i = 0; i < launched.n; ++i) tt_op_map_set(arena, &is_launched, launched.data[i], 1);
  for (intptr_t i = 0; i < all.n; ++i)
    if (tt_op_map_get(&is_launched, all.data[i]) < 0) tt_ops_add(arena, &lone, all.data[i]);
  return lone;
}

/*===- Writing ------------------------------------------------------------------------===*/

static bool make_folder(MlirOperation module, const char *path) {
  struct stat info;
  if (mkdir(path, 0777) == 0) return true;
  if (errno == EEXIST && stat(path, &info) == 0 && S_ISDIR(info.st_mode)) return true;
  return tt_error(module, "cannot make the folder '%s': %s", path, strerror(errno));
}

/* `path`, which starts with `dir`, and the folders between. */
static bool make_folders(MlirOperation module, TtArena *arena, const char *dir, const char *path) {
  for (const char *slash = strchr(path + strlen(dir) + 1, '/'); slash;
       slash = strchr(slash + 1, '/'))
    if (!make_folder(module, tt_arena_str(arena, (MlirStringRef){path, (size_t)(slash - path)})))
      return false;
  return make_folder(module, path);
}

static bool write_file(MlirOperation module, const char *path, const TtText *text) {
  TtArena *arena = tt_arena_create();
  char *temporary = tt_arena_printf(arena, "%s.%jd.tmp", path, (intmax_t)getpid());
  FILE *file = fopen(temporary, "wb");
  bool ok = file != NULL;
  if (file) {
    ok = fwrite(text->data, 1, text->n, file) == text->n;
    ok = fclose(file) == 0 && ok;
    ok = ok && rename(temporary, path) == 0;
    if (!ok) unlink(temporary);
  }
  if (!ok) tt_error(module, "cannot write '%s': %s", path, strerror(errno));
  tt_arena_destroy(arena);
  return ok;
}

static bool write_files(MlirOperation module, Files *files, const char *dir) {
  if (!make_folder(module, dir)) return false;
  if (access(dir, W_OK | X_OK) != 0)
    return tt_error(module, "cannot write to the folder '%s': %s", dir, strerror(errno));
  bool ok = true;
  TtText text = {NULL, 0, 0};
  for (intptr_t i = 0; ok && i < files->n; ++i) {
    char *path = tt_arena_printf(files->arena, "%s/%s", dir, files->data[i].path);
    char *folder =
        tt_arena_str(files->arena, (MlirStringRef){path, (size_t)(strrchr(path, '/') - path)});
    ok = (read_text(files, &files->data[i], &text) || cannot_keep(module)) &&
         make_folders(module, files->arena, dir, folder) && write_file(module, path, &text);
  }
  tt_text_free(&text);
  return ok;
}

static bool is_binary(const char *path) {
  size_t n = strlen(path);
  return n > 4 && strcmp(path + n - 4, ".bin") == 0;
}

static bool print_files(MlirOperation module, Files *files, TtWrite write, void *data) {
  bool ok = true;
  TtText text = {NULL, 0, 0};
  for (intptr_t i = 0; ok && i < files->n; ++i) {
    ok = read_text(files, &files->data[i], &text) || cannot_keep(module);
    if (!ok) break;
    write("//--- ", strlen("//--- "), data);
    write(files->data[i].path, strlen(files->data[i].path), data);
    write("\n", 1, data);
    if (is_binary(files->data[i].path)) {
      char *size = tt_arena_printf(files->arena, "(%zu bytes)\n", text.n);
      write(size, strlen(size), data);
    } else write(text.data, text.n, data);
  }
  tt_text_free(&text);
  return ok;
}

/*===- A program at a time ---------------------------------------------------------------===*/

/* A module with what the modules around `op` say, the target above all. */
static MlirOperation module_like(MlirOperation op) {
  MlirOperation copy =
      mlirModuleGetOperation(mlirModuleCreateEmpty(mlirOperationGetLocation(tt_parent(op))));
  for (MlirOperation p = tt_parent(op); !mlirOperationIsNull(p); p = tt_parent(p))
    for (intptr_t i = 0; i < mlirOperationGetNumDiscardableAttributes(p); ++i) {
      MlirNamedAttribute attr = mlirOperationGetDiscardableAttribute(p, i);
      MlirStringRef name = mlirIdentifierStr(attr.name);
      if (mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(copy, name)))
        mlirOperationSetDiscardableAttributeByName(copy, name, attr.attribute);
    }
  return copy;
}

/* The globals that a host function takes. */
static void copy_globals(TtArena *arena, MlirOperation func, MlirBlock body) {
  TtOps gets = tt_collect(arena, func, "memref.get_global");
  for (intptr_t i = 0; i < gets.n; ++i) {
    MlirOperation global = tt_global_of(gets.data[i]);
    bool again = mlirOperationIsNull(global);
    for (intptr_t j = 0; j < i; ++j)
      again |=
          mlirAttributeEqual(tt_op_attr(gets.data[i], "name"), tt_op_attr(gets.data[j], "name"));
    if (!again) mlirBlockAppendOwnedOperation(body, mlirOperationClone(global));
  }
}

/* Emits a program or a host function, with `needed`, the programs that it launches. */
static bool emit_alone(Files *files, MlirOperation op, TtOps needed, const TtEmitOptions *options,
                       TtNames *folders) {
  const TtPassOptions none = {{"", ""}};
  MlirOperation module = module_like(op), copy = mlirOperationClone(op);
  MlirBlock body = tt_body(module);
  for (intptr_t i = 0; i < needed.n; ++i)
    mlirBlockAppendOwnedOperation(body, mlirOperationClone(needed.data[i]));
  mlirBlockAppendOwnedOperation(body, copy);
  files->scratch = tt_arena_create();
  copy_globals(files->scratch, op, body);
  bool ok = tt_run_finalize_persistent_signature(module, &none) &&
            tt_run_configure_compute(module, &none) &&
            (options->unverified || tt_run_verify_ir(module, &none)) &&
            (tt_program_isa(copy) ? emit_program(files, copy, options, folders)
                                  : emit_host(files, copy, options, folders));
  finish_file(files);
  tt_arena_destroy(files->scratch);
  mlirOperationDestroy(module);
  return ok;
}

/*===- Eras -----------------------------------------------------------------------------===*/

const char *tt_api_str(int api) {
  return api >= 0 && api < TT_API_COUNT ? tt_eras[api].name : NULL;
}

bool tt_api_parse(const char *text, TtApi *api) {
  const TtEra *era = tt_era_named(text);
  if (era) *api = (TtApi)(era - tt_eras);
  return era;
}

/*===- Entry ----------------------------------------------------------------------------===*/

bool tt_emit_metalium(MlirOperation module, const TtEmitOptions *options, TtWrite write,
                      void *data) {
  Files files = {.arena = tt_arena_create()};
  TtNames folders = {.arena = files.arena};
  TtOps programs = {NULL, 0, 0}, hosts = tt_hosts(files.arena, module), none = {NULL, 0, 0};
  bool ok = tt_require_programs(module);
  if (ok && tt_collect(files.arena, module, "tt.program").n == 0)
    ok = tt_error(module, "there is no kernel to emit: mark a func.func with tt.kernel and run "
                          "--tt-pipeline");
  if (ok) programs = lone_programs(files.arena, module);
  for (intptr_t i = 0; ok && i < programs.n; ++i)
    ok = emit_alone(&files, programs.data[i], none, options, &folders);
  for (intptr_t i = 0; ok && i < hosts.n; ++i)
    ok = emit_alone(&files, hosts.data[i], tt_launched_programs(files.arena, hosts.data[i]),
                    options, &folders);
  if (ok && files.failed) ok = cannot_keep(module);
  if (ok && options->output_dir) ok = write_files(module, &files, options->output_dir);
  else if (ok) ok = print_files(module, &files, write, data);
  tt_text_free(&files.text);
  tt_text_free(&files.kept);
  if (files.spool) fclose(files.spool);
  tt_arena_destroy(files.arena);
  return ok;
}
