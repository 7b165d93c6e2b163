/*===- compile.c - kernels become shared objects ------------------------------------------------===
 *
 * Like the vendor's runtime, a kernel is compiled when it is created, by the
 * system's C++ compiler, whose errors are shown as they are. The result is kept,
 * under a name made from everything that went into it.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_ARGS = 256 };

typedef struct Buffer {
  char *data;
  size_t n;
} Buffer;

static void append(Buffer *b, const char *data, size_t n) {
  b->data = realloc(b->data, b->n + n + 1);
  if (!b->data) emu_fatal("out of memory");
  memcpy(b->data + b->n, data, n);
  b->n += n;
  b->data[b->n] = '\0';
}

static void append_text(Buffer *b, const char *text) { append(b, text, strlen(text)); }

static bool read_file(const char *path, Buffer *b) {
  char chunk[4096];
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  for (size_t n; (n = fread(chunk, 1, sizeof chunk, file)) > 0;) append(b, chunk, n);
  fclose(file);
  return true;
}

/* As the vendor's runtime looks kernels up: the path itself, then below
 * TT_METAL_KERNEL_PATH and TT_METAL_HOME. */
static char *find_kernel(const char *path) {
  static const char *const variables[] = {"", "TT_METAL_KERNEL_PATH", "TT_METAL_HOME"};
  char candidate[4096], real[4096 + 1];
  for (size_t i = 0; i < sizeof variables / sizeof *variables; ++i) {
    const char *root = *variables[i] ? getenv(variables[i]) : "";
    if (!root || (*variables[i] && !*root)) continue;
    snprintf(candidate, sizeof candidate, "%s%s%s", root, *root ? "/" : "", path);
    if (access(candidate, R_OK) == 0 && realpath(candidate, real)) return strdup(real);
  }
  emu_fatal("kernel '%s' is not found: not from the working directory, TT_METAL_KERNEL_PATH or "
            "TT_METAL_HOME",
            path);
}

static const char *include_dir(void) {
  const char *dir = getenv("TTEMU_INCLUDE");
  static char installed[4096];
  Dl_info self;
  if (dir && *dir) return dir;
  if (!*installed && dladdr((void *)(uintptr_t)emu_compile, &self)) { /* beside this library */
    const char *slash = strrchr(self.dli_fname, '/');
    snprintf(installed, sizeof installed, "%.*s/../share/tilewright/emulator/include",
             (int)(slash ? slash - self.dli_fname : 0), self.dli_fname);
    if (access(installed, R_OK) != 0)
      snprintf(installed, sizeof installed, "%s", TTEMU_INCLUDE_DIR);
  }
  return *installed ? installed : TTEMU_INCLUDE_DIR;
}

char *emu_read_include(const char *name) {
  char path[4096];
  Buffer b = {NULL, 0};
  snprintf(path, sizeof path, "%s/%s", include_dir(), name);
  if (!read_file(path, &b) || !b.data) emu_fatal("'%s' cannot be read", path);
  return b.data;
}

static const char *cache_dir(void) {
  static char dir[2048];
  const char *own = getenv("TTEMU_CACHE"), *home = getenv("XDG_CACHE_HOME");
  if (own && *own) snprintf(dir, sizeof dir, "%s", own);
  else if (home && *home) snprintf(dir, sizeof dir, "%s/tilewright-kernels", home);
  else snprintf(dir, sizeof dir, "/tmp/tilewright-kernels-%u", (unsigned)getuid());
  if (mkdir(dir, 0700) != 0 && errno != EEXIST)
    emu_fatal("the folder for compiled kernels, '%s', cannot be made: %s", dir, strerror(errno));
  struct stat info;
  if (stat(dir, &info) != 0 || info.st_uid != getuid())
    emu_fatal("the folder for compiled kernels, '%s', belongs to somebody else; set TTEMU_CACHE",
              dir);
  return dir;
}

static uint64_t hash(uint64_t h, const char *data, size_t n) { /* FNV-1a */
  for (size_t i = 0; i < n; ++i) h = (h ^ (unsigned char)data[i]) * UINT64_C(0x100000001b3);
  return h;
}

static void write_or_die(const char *path, const char *text) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(text, 1, strlen(text), file) != strlen(text) || fclose(file) != 0)
    emu_fatal("'%s' cannot be written", path);
}

static void run_compiler(char *const argv[], const char *kernel) {
  int status = 0;
  pid_t child = fork();
  if (child < 0) emu_fatal("the compiler cannot be started: %s", strerror(errno));
  if (child == 0) {
    execvp(argv[0], argv);
    fprintf(stderr, "error: %s: %s\n", argv[0], strerror(errno));
    _exit(127);
  }
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (status != 0) emu_fatal("kernel '%s' does not compile (see above)", kernel);
}

/* -DTTEMU_COMPILE_ARGS=1,2,3 */
static char *compile_args(const ttemu_kernel_config *config) {
  Buffer b = {NULL, 0};
  char number[16];
  append_text(&b, "-DTTEMU_COMPILE_ARGS=");
  for (size_t i = 0; i < config->num_compile_args; ++i) {
    snprintf(number, sizeof number, "%s%u", i ? "," : "", config->compile_args[i]);
    append_text(&b, number);
  }
  return b.data;
}

static char *define(const char *name, const char *value) {
  Buffer b = {NULL, 0};
  append_text(&b, "-D"), append_text(&b, name), append_text(&b, "="), append_text(&b, value);
  return b.data;
}

/* -DTTEMU_NAMED_ARGS={"name",1},{"other",2} */
static char *named_args(const ttemu_kernel_config *config) {
  Buffer b = {NULL, 0};
  char number[16];
  append_text(&b, "-DTTEMU_NAMED_ARGS=");
  for (size_t i = 0; i < config->num_named_args; ++i) {
    append_text(&b, i ? ",{\"" : "{\""), append_text(&b, config->named_args[i]);
    snprintf(number, sizeof number, "\",%u}", config->named_values[i]);
    append_text(&b, number);
  }
  return b.data;
}

/* Headers beside a kernel, or below the roots where kernels are looked up. */
static char *folder_of(const char *path) {
  Buffer b = {NULL, 0};
  const char *slash = strrchr(path, '/');
  append_text(&b, "-I"), append(&b, path, slash ? (size_t)(slash - path) : 0);
  return b.data;
}

static time_t newest;

static int keep_newest(const char *path, const struct stat *info, int kind, struct FTW *ftw) {
  (void)path, (void)kind, (void)ftw;
  if (info->st_mtime > newest) newest = info->st_mtime;
  return 0;
}

/* A mark of the emulator's headers and library: their times of change. */
static void append_stamp(Buffer *b) {
  struct stat info;
  Dl_info self;
  char text[64];
  if (newest == 0) {
    nftw(include_dir(), keep_newest, 16, FTW_PHYS);
    if (dladdr(&emu_chips, &self) && stat(self.dli_fname, &info) == 0 && info.st_mtime > newest)
      newest = info.st_mtime;
  }
  snprintf(text, sizeof text, " %lld", (long long)newest);
  append_text(b, text);
}

/* A kernel that the host program gives as text, in a file of the cache. */
static char *keep_source(const char *text) {
  char path[4096];
  uint64_t name = hash(UINT64_C(0xcbf29ce484222325), text, strlen(text));
  snprintf(path, sizeof path, "%s/%016llx.kernel.cpp", cache_dir(), (unsigned long long)name);
  if (access(path, R_OK) != 0) write_or_die(path, text);
  return strdup(path);
}

/*===- Variables of kernels -----------------------------------------------------------------===*/

/* Every processor has variables of its own, but all that run a kernel share one copy of
 * its code: so they are exchanged when another processor goes on. */
static void find_variables(Kernel *kernel) {
  char *(*start)(void), *(*end)(void);
  *(void **)(&start) = dlsym(kernel->library, "ttemu_data_start");
  *(void **)(&end) = dlsym(kernel->library, "ttemu_data_end");
  if (!start || !end) return;
  kernel->data_start = start() + sizeof(void *); /* after the handle itself */
  kernel->data_bytes = end() > kernel->data_start ? (size_t)(end() - kernel->data_start) : 0;
  kernel->pristine = emu_calloc(1, kernel->data_bytes + 1);
  memcpy(kernel->pristine, kernel->data_start, kernel->data_bytes);
}

void emu_swap_variables(Risc *risc) {
  Kernel *kernel = risc->kernel;
  size_t n = kernel->data_bytes;
  if (n <= sizeof(uint64_t) || kernel->data_of == risc) return; /* the linker's own byte */
  Risc *other = kernel->data_of;
  if (other) {
    if (!other->data) other->data = emu_calloc(1, n);
    memcpy(other->data, kernel->data_start, n);
  }
  memcpy(kernel->data_start, risc->data ? risc->data : kernel->pristine, n);
  kernel->data_of = risc;
}

void emu_free_variables(Risc *risc) {
  free(risc->data);
  risc->data = NULL;
  if (risc->kernel) risc->kernel->data_of = NULL;
}

/*===- Compilation --------------------------------------------------------------------------===*/

void emu_compile(const ttemu_kernel_config *config, Kernel *kernel) {
  char include[2048], include_era[2048], wrapper[4096], object[4096], temporary[4096];
  const char *api = getenv("TTEMU_API"), *cxx = getenv("CXX");
  Buffer text = {NULL, 0}, key = {NULL, 0}, entry = {NULL, 0};
  kernel->path = config->is_source ? keep_source(config->path) : find_kernel(config->path);
  if (!read_file(kernel->path, &text)) emu_fatal("kernel '%s' cannot be read", kernel->path);
  if (!api || !*api) api = "2026-08";
  /* The old form of the entry, as the vendor's runtime recognizes it. */
  bool compute = config->processor == UNPACK;
  bool old = compute && text.data &&
             (strstr(text.data, "namespace NAMESPACE") || strstr(text.data, "void MAIN"));
  snprintf(include, sizeof include, "-I%s", include_dir());
  snprintf(include_era, sizeof include_era, "-I%s/kernel/%s", include_dir(),
           strcmp(api, "2025") ? "2026" : "2025");
  const char *era = strcmp(api, "2025") == 0      ? "-DTTEMU_API=202512"
                    : strcmp(api, "2026-03") == 0 ? "-DTTEMU_API=202603"
                                                  : "-DTTEMU_API=202608";
  append_text(&entry, old ? "#define NAMESPACE ttemu_kernel\n#define MAIN kernel_main()\n" : "");
  append_text(&entry, "#include \"");
  append_text(&entry, kernel->path);
  append_text(&entry, "\"\nextern \"C\" void ttemu_entry() { ");
  append_text(&entry, old ? "ttemu_kernel::kernel_main(); }\n" : "kernel_main(); }\n");
  /* The bounds of its variables, as the linker knows them. */
  append_text(&entry,
              "extern \"C\" __attribute__((visibility(\"hidden\"))) char __dso_handle, _end;\n"
              "extern \"C\" char *ttemu_data_start() { return &__dso_handle; }\n"
              "extern \"C\" char *ttemu_data_end() { return &_end; }\n");

  char *argv[MAX_ARGS], *args = compile_args(config);
  int n = 0;
  argv[n++] = (char *)(uintptr_t)(cxx && *cxx ? cxx : "c++");
  argv[n++] = "-std=c++20", argv[n++] = "-O1", argv[n++] = "-fPIC", argv[n++] = "-shared";
  argv[n++] = "-fno-gnu-unique", argv[n++] = "-Wl,-z,now";
  argv[n++] = "-w", argv[n++] = include, argv[n++] = include_era;
  argv[n++] = (char *)(uintptr_t)era, argv[n++] = args;
  argv[n++] = compute ? "-DTTEMU_COMPUTE=1" : "-DTTEMU_DATA_MOVEMENT=1";
  argv[n++] = config->noc ? "-DTTEMU_NOC=1" : "-DTTEMU_NOC=0";
  char *chip = define(emu.chip->define, "1"), *named = named_args(config),
       *folder = folder_of(kernel->path);
  argv[n++] = chip, argv[n++] = named, argv[n++] = folder;
  int first_define = n;
  if (config->num_defines > MAX_ARGS - 32)
    emu_fatal("kernel '%s' has %zu defines, but at most %d are supported", kernel->path,
              config->num_defines, MAX_ARGS - 32);
  for (size_t i = 0; i < 2 * config->num_defines; i += 2)
    argv[n++] = define(config->defines[i], config->defines[i + 1]);
  int last_define = n;
  append(&key, text.data ? text.data : "", text.n);
  append_text(&key, entry.data);
  for (int i = 0; i < n; ++i) append_text(&key, argv[i]), append_text(&key, "\n");
  append_stamp(&key);

  const char *dir = cache_dir();
  unsigned long long name = (unsigned long long)hash(UINT64_C(0xcbf29ce484222325), key.data, key.n);
  snprintf(object, sizeof object, "%s/%016llx.so", dir, name);
  snprintf(temporary, sizeof temporary, "%s/%016llx.%ld.so", dir, name, (long)getpid());
  snprintf(wrapper, sizeof wrapper, "%s/%016llx.%ld.cpp", dir, name, (long)getpid());
  if (access(object, R_OK) != 0) {
    write_or_die(wrapper, entry.data);
    argv[n++] = "-o", argv[n++] = temporary, argv[n++] = wrapper, argv[n] = NULL;
    run_compiler(argv, kernel->path);
    if (rename(temporary, object) != 0) emu_fatal("'%s' cannot be written", object);
    unlink(wrapper);
  }
  kernel->library = dlopen(object, RTLD_NOW | RTLD_LOCAL);
  if (!kernel->library) emu_fatal("kernel '%s': %s", kernel->path, dlerror());
  *(void **)(&kernel->entry) = dlsym(kernel->library, "ttemu_entry");
  if (!kernel->entry) emu_fatal("kernel '%s' has no entry", kernel->path);
  find_variables(kernel);
  for (int i = first_define; i < last_define; ++i) free(argv[i]);
  free(chip), free(named), free(folder);
  free(args), free(text.data), free(key.data), free(entry.data);
}
