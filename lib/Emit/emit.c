/*===- emit.c - all files of all programs ---------------------------------------------===
 *
 * Everything is made in memory first; then it is printed, or written to files, a
 * file at a time through a temporary that is renamed.
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

typedef struct File {
  char *path; /* <kernel>/<file> */
  TtText text;
} File;

typedef struct Files {
  TtArena *arena;
  File *data;
  intptr_t n, capacity;
} Files;

static TtText *add_file(Files *files, const char *folder, const char *name) {
  if (files->n == files->capacity) {
    intptr_t capacity = files->capacity ? files->capacity * 2 : 16;
    File *data = tt_arena_alloc(files->arena, (size_t)capacity * sizeof *data);
    if (files->n) memcpy(data, files->data, (size_t)files->n * sizeof *data);
    files->data = data;
    files->capacity = capacity;
  }
  File *file = &files->data[files->n++];
  *file = (File){tt_arena_printf(files->arena, "%s/%s", folder, name), {NULL, 0, 0}};
  return &file->text;
}

/* The kernels of a program, in `folder`. */
static bool emit_kernels(Files *files, MlirOperation program, const TtEmitOptions *options,
                         const char *folder) {
  TtKernelFiles kernels = tt_kernel_files(files->arena, program);
  for (intptr_t i = 0; i < kernels.n; ++i) {
    const char *name = tt_arena_printf(files->arena, "%s.cpp", kernels.data[i].name);
    if (!tt_emit_kernel(files->arena, program, kernels.data[i].op, options->api,
                        options->source_comments, add_file(files, folder, name)))
      return false;
  }
  return true;
}

static bool emit_program(Files *files, MlirOperation program, const TtEmitOptions *options,
                         TtNames *folders) {
  const char *folder = tt_names_take(folders, tt_arena_str(files->arena, tt_symbol_name(program)));
  if (!emit_kernels(files, program, options, folder) ||
      !tt_emit_host(files->arena, program, options->api, add_file(files, folder, "main.cpp")))
    return false;
  tt_emit_plan(files->arena, program, options->api, add_file(files, folder, "tt.plan.json"));
  tt_emit_cmake(folder, add_file(files, folder, "CMakeLists.txt"));
  return true;
}

/* A host function: <host>/main.cpp and its kernels in folders of their own. */
static bool emit_host(Files *files, MlirOperation func, const TtEmitOptions *options,
                      TtNames *folders) {
  const char *folder = tt_names_take(folders, tt_arena_str(files->arena, tt_symbol_name(func)));
  TtOps programs = tt_launched_programs(files->arena, func);
  for (intptr_t i = 0; i < programs.n; ++i) {
    const char *inner =
        tt_arena_printf(files->arena, "%s/%s", folder,
                        tt_arena_identifier(files->arena, tt_symbol_name(programs.data[i])));
    if (!emit_kernels(files, programs.data[i], options, inner)) return false;
  }
  if (!tt_emit_host_function(files->arena, func, options->api, add_file(files, folder, "main.cpp")))
    return false;
  tt_emit_host_plan(files->arena, func, options->api, add_file(files, folder, "tt.plan.json"));
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
  for (intptr_t i = 0; i < files->n; ++i) {
    char *path = tt_arena_printf(files->arena, "%s/%s", dir, files->data[i].path);
    char *folder =
        tt_arena_str(files->arena, (MlirStringRef){path, (size_t)(strrchr(path, '/') - path)});
    if (!make_folders(module, files->arena, dir, folder) ||
        !write_file(module, path, &files->data[i].text))
      return false;
  }
  return true;
}

static void print_files(Files *files, TtWrite write, void *data) {
  for (intptr_t i = 0; i < files->n; ++i) {
    char *header = tt_arena_printf(files->arena, "//--- %s\n", files->data[i].path);
    write(header, strlen(header), data);
    write(files->data[i].text.data, files->data[i].text.n, data);
  }
}

/*===- Entry ----------------------------------------------------------------------------===*/

bool tt_emit_metalium(MlirOperation module, const TtEmitOptions *options, TtWrite write,
                      void *data) {
  const TtPassOptions none = {{"", ""}};
  MlirOperation copy = mlirOperationClone(module);
  Files files = {tt_arena_create(), NULL, 0, 0};
  TtNames folders = {.arena = files.arena};
  bool ok = tt_run_finalize_persistent_signature(copy, &none) &&
            (options->unverified || tt_run_verify_ir(copy, &none));
  TtOps programs = {NULL, 0, 0};
  if (ok && tt_collect(files.arena, copy, "tt.program").n == 0)
    ok = tt_error(module, "there is no kernel to emit: mark a func.func with tt.kernel and run "
                          "--tt-pipeline");
  if (ok) programs = lone_programs(files.arena, copy);
  for (intptr_t i = 0; ok && i < programs.n; ++i)
    ok = emit_program(&files, programs.data[i], options, &folders);
  TtOps hosts = tt_hosts(files.arena, copy);
  for (intptr_t i = 0; ok && i < hosts.n; ++i)
    ok = emit_host(&files, hosts.data[i], options, &folders);
  if (ok && options->output_dir) ok = write_files(module, &files, options->output_dir);
  else if (ok) print_files(&files, write, data);
  for (intptr_t i = 0; i < files.n; ++i) tt_text_free(&files.data[i].text);
  tt_arena_destroy(files.arena);
  mlirOperationDestroy(copy);
  return ok;
}
