/*===- compile.c - kernels become shared objects ------------------------------------------------===
 *
 * Like the vendor's runtime, a kernel is compiled when it is created, by the
 * system's C++ compiler, whose errors are shown as they are. The result is kept, by
 * content: a kernel in another folder, or of another run, is not compiled again.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include "Support/build_cache.h"
#include "Target/eras.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_WORDS = 512, MAX_DEFINES = 400 };

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

static const char *include_dir(void) {
  const char *dir = getenv("TTEMU_INCLUDE");
  static char installed[4096 + 1];
  Dl_info self;
  if (dir && *dir && *dir != '/' && !*installed && !realpath(dir, installed))
    emu_fatal("TTEMU_INCLUDE: there is no folder '%s'", dir);
  if (dir && *dir) return *dir == '/' ? dir : installed;
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

static const char *cache_folder(void) {
  static char folder[TT_PATH_BYTES];
  if (!*folder && !tt_build_folder(folder)) emu_fatal("%s", folder);
  return folder;
}

/* A kernel that the host program gives as text, in a file of the cache. */
static char *keep_source(const char *text) {
  char path[TT_PATH_BYTES];
  if (!tt_build_keep_text(cache_folder(), text, ".kernel.cpp", path))
    emu_fatal("'%s' cannot be written", path);
  return strdup(path);
}

/* What the words of the command line are kept in. */
typedef struct Words {
  char *data[MAX_WORDS + 1];
  int n;
} Words;

static void add(Words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(Words *words, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (words->n == MAX_WORDS || vasprintf(&words->data[words->n++], format, args) < 0)
    emu_fatal("the command line of the compiler is too long");
  words->data[words->n] = NULL;
  va_end(args);
}

static void add_own(Words *words, char *text) {
  add(words, "%s", text);
  free(text);
}

static void free_words(Words *words) {
  for (int i = 0; i < words->n; ++i) free(words->data[i]);
}

/* The compiler, and how it compiles for a kind of processor. */
static void add_compiler(Words *w, bool compute) {
  const char *cxx = getenv("CXX");
  add(w, "%s", cxx && *cxx ? cxx : "c++");
  add(w, "-std=c++20"), add(w, "-O1"), add(w, "-fPIC"), add(w, "-fno-gnu-unique"), add(w, "-w");
  add(w, compute ? "-DTTEMU_COMPUTE=1" : "-DTTEMU_DATA_MOVEMENT=1");
  /* Loads and stores come to pointers.c. */
  if (!compute) add(w, "-fsanitize=thread"), add(w, "-fno-builtin"), add(w, "-g1");
}

/* Loads and stores without the compiler's own library for them. */
static void add_linkage(Words *w, bool compute) {
  add(w, "-shared"), add(w, "-Wl,-z,now");
  if (compute) return;
  add(w, "-nodefaultlibs");
  add(w, "-Wl,--wrap=memcpy"), add(w, "-Wl,--wrap=memmove"), add(w, "-Wl,--wrap=memset");
}

/* The standard library's headers take two thirds of a small kernel's time: the system's compiler,
 * which is GCC, reads them once for all kernels of a kind. */
static void add_standard(Words *w, bool compute) {
  static char headers[2][TT_PATH_BYTES];
  char *header = headers[compute], source[TT_PATH_BYTES];
  Words command = {.n = 0};
  snprintf(source, sizeof source, "%.2048s/ttemu/standard.h", include_dir());
  add_compiler(&command, compute);
  TtBuild b = {.cache = cache_folder(),
               .base = ".",
               .source = source,
               .command = (const char *const *)command.data,
               .quiet = true};
  if (*header || tt_build_precompile(&b, header)) add(w, "-include"), add(w, "%s", header);
  free_words(&command);
}

const TtEra *emu_era(void) {
  const char *api = getenv("TTEMU_API");
  const TtEra *era = api && *api ? tt_era_named(api) : &tt_eras[TT_API_NEWEST];
  if (!era) emu_fatal("TTEMU_API is '%s'; there are %s", api, tt_era_names());
  return era;
}

/* The compiler and what the kernel's code depends on. */
static void add_command(Words *w, const ttemu_kernel_config *config, const TtEra *era,
                        bool old_entry) {
  bool compute = config->processor == UNPACK;
  add_compiler(w, compute), add_linkage(w, compute), add_standard(w, compute);
  add(w, "-I%s", include_dir());
  add(w, "-I%s/kernel/%s", include_dir(), era->headers);
  add(w, "-I%s/kernel/below", include_dir()); /* the library below the API, in every era */
  add(w, "-DTTEMU_API=%d", era->number);
  add_own(w, compile_args(config));
  add(w, config->noc ? "-DTTEMU_NOC=1" : "-DTTEMU_NOC=0");
  add(w, "-D%s=1", emu.chip->define);
  add_own(w, named_args(config));
  if (old_entry) add(w, "-DTTEMU_OLD_ENTRY=1");
  if (config->num_defines > MAX_DEFINES)
    emu_fatal("kernel '%s' has %zu defines, but at most %d are supported", config->path,
              config->num_defines, MAX_DEFINES);
  for (size_t i = 0; i < 2 * config->num_defines; i += 2)
    add(w, "-D%s=%s", config->defines[i], config->defines[i + 1]);
}

/* The old form of the entry, as the vendor's runtime recognizes it. */
static bool has_old_entry(const ttemu_kernel_config *config, const char *path) {
  Buffer text = {NULL, 0};
  if (!read_file(path, &text)) emu_fatal("kernel '%s' cannot be read", path);
  bool old = config->processor == UNPACK && text.data &&
             (strstr(text.data, "namespace NAMESPACE") || strstr(text.data, "void MAIN"));
  free(text.data);
  return old;
}

/* What the chip's compiler takes, but GCC of these years and for 64 bits does not: a number of
 * turns that depends on a template; a pointer into L1 as a number of 32 bits, which it is. And
 * names that the newest era deprecates, as the vendor's headers still have them; what we emit does
 * without. */
static const TtBuildMend *mends(const TtEra *era) {
  static char wrapper[TT_PATH_BYTES];
  static const char *const unroll[] = {"-no-integrated-cpp", "-wrapper", wrapper, NULL},
                           *const narrow[] = {"-fpermissive", NULL},
                           *const deprecated[] = {"-DTTEMU_DEPRECATED=1", NULL};
  static const TtBuildMend all[] = {{"was not declared in this scope", deprecated},
                                    {"#pragma GCC unroll", unroll},
                                    {"loses precision", narrow},
                                    {NULL, NULL}};
  snprintf(wrapper, sizeof wrapper, "sh,%.2048s/ttemu/without_unroll.sh", include_dir());
  bool deprecates = era == &tt_eras[TT_API_NEWEST];
  return getenv("TTEMU_EMITTED") || !deprecates ? all + 1 : all;
}

/* The library that the kernel at its path becomes in an era. */
static TtBuildStatus build(const ttemu_kernel_config *config, const char *path, const TtEra *era,
                           bool quiet, char library[TT_PATH_BYTES]) {
  Words command = {.n = 0}, places = {.n = 0};
  char source[TT_PATH_BYTES], folder[TT_PATH_BYTES];
  int length = (int)(strrchr(path, '/') - path);
  add_command(&command, config, era, has_old_entry(config, path));
  if (quiet) add(&command, "-fmax-errors=1"); /* it may fail for another reason */
  /* Kernels of a tree include from its root. */
  if (emu_tree()) {
    add(&command, "-I%s", emu_tree());
    /* Its headers moved before the API changed: at the end of 2025 some kernels have new ones. */
    if (era == &tt_eras[0]) {
      add(&command, "-idirafter%s/kernel/moved", include_dir());
      add(&command, "-idirafter%s/kernel/%s", include_dir(), tt_eras[1].headers);
    }
    /* And what there is no header for here, from the SDK's own. */
    add(&command, "-idirafter%s/ttnn/cpp", emu_tree());
    add(&command, "-idirafter%s/ttnn", emu_tree());
    add(&command, "-idirafter%s/tt_metal", emu_tree());
    add(&command, "-idirafter%s/tt_metal/hw/inc", emu_tree());
    add(&command, "-idirafter%s/tt_metal/hostdevcommon/api", emu_tree());
  }
  /* Headers may stand beside a kernel. */
  snprintf(folder, sizeof folder, "%.*s", length ? length : 1, path);
  add(&places, "-DTTEMU_KERNEL=\"%s\"", path);
  add(&places, "-I%s", folder);
  add(&places, "-fmacro-prefix-map=%s/=", folder);
  snprintf(source, sizeof source, "%.2048s/ttemu/kernel_entry.cpp", include_dir());
  TtBuild b = {.cache = cache_folder(),
               .base = folder,
               .source = source,
               .subject = strrchr(path, '/') + 1,
               .suffix = ".so",
               .command = (const char *const *)command.data,
               .places = (const char *const *)places.data,
               .mends = mends(era),
               .quiet = quiet};
  TtBuildStatus status = tt_build(&b, library);
  free_words(&command), free_words(&places);
  return status;
}

/* An era other than this one in which the kernel compiles, or NULL. */
static const TtEra *other_era(const ttemu_kernel_config *config, const char *path,
                              const TtEra *era) {
  char library[TT_PATH_BYTES];
  for (int i = 0; i < TT_API_COUNT; ++i)
    if (&tt_eras[i] != era && build(config, path, &tt_eras[i], true, library) == TT_BUILD_OK)
      return &tt_eras[i];
  return NULL;
}

static void compile(const ttemu_kernel_config *config, const char *path,
                    char library[TT_PATH_BYTES]) {
  const TtEra *era = emu_era(), *other = NULL;
  TtBuildStatus status = build(config, path, era, false, library);
  if (status == TT_BUILD_COMPILER && (other = other_era(config, path, era)))
    emu_fatal("kernel '%s' does not compile (see above); with the API of another era it does: "
              "--metalium-api=%s",
              path, other->name);
  if (status == TT_BUILD_COMPILER) emu_fatal("kernel '%s' does not compile (see above)", path);
  if (status != TT_BUILD_OK) emu_fatal("kernel '%s' cannot be compiled: %s", path, library);
}

/* They lie in the memory of the processor itself, below its stack; the chip's linker looks. Here
 * they take up to twice as much, as pointers do. */
static void check_variables(const ttemu_kernel_config *config, const Kernel *kernel) {
  bool compute = config->processor == UNPACK;
  uint32_t room = compute ? emu.chip->compute_bytes : emu.chip->mover_bytes;
  if (kernel->image->bytes > 2 * (size_t)room)
    emu_fatal("kernel '%s' has variables of %zu bytes, but a processor that %s has %u of its own "
              "for them and its stack; what is larger goes to a circular buffer",
              kernel->path, kernel->image->bytes, compute ? "computes" : "moves data", room);
}

void emu_compile(const ttemu_kernel_config *config, Kernel *kernel) {
  char path[TT_PATH_BYTES];
  kernel->path = config->is_source ? keep_source(config->path) : emu_find_kernel(config->path);
  compile(config, kernel->path, path);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) emu_fatal("kernel '%s': %s", kernel->path, dlerror());
  *(void **)(&kernel->entry) = dlsym(library, "ttemu_entry");
  if (!kernel->entry) emu_fatal("kernel '%s' has no entry", kernel->path);
  if (dlsym(library, "ttemu_deprecated"))
    fprintf(stderr,
            "note: kernel '%s' uses names that %s deprecates, and a later era does not have\n",
            kernel->path, emu_era()->name);
  kernel->image = emu_image(library);
  check_variables(config, kernel);
}

const char *emu_object_of(const Kernel *kernel) {
  Dl_info object;
  void *entry;
  memcpy(&entry, &kernel->entry, sizeof entry);
  if (!dladdr(entry, &object)) emu_fatal("kernel '%s' has no file", kernel->path);
  return object.dli_fname;
}
