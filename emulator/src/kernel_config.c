/*===- kernel_config.c - what a kernel is told of the chip, the engine and its buffers ---------===
 *
 * Beside the host's own defines: sizes of the chip, how the engine is set up, and, of
 * kernels that want them as constants, the formats of the circular buffers. Those are
 * known when the program runs first, so such a kernel is compiled then. A compute kernel
 * that tells its three processors apart (#ifdef TRISC_MATH, MATH(…), math_main) is compiled for
 * each.
 *
 *===----------------------------------------------------------------------===*/

#include "emu.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OWN = 20, DEEPEST_INCLUDE = 8, MOST_FILES = 64 };

/*===- What its text asks for -----------------------------------------------------------------===*/

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static bool has_role(const char *text) {
  static const char *const marks[] = {"TRISC_UNPACK", "TRISC_MATH",       "TRISC_PACK",
                                      "UCK_CHLKC_",   "unpack_main",      "math_main",
                                      "pack_main",    "COMPILE_FOR_TRISC"};
  static const char *const macros[] = {"UNPACK", "MATH", "PACK"};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; ++i)
    if (strstr(text, marks[i])) return true;
  for (size_t i = 0; i < sizeof macros / sizeof *macros; ++i)
    for (const char *at = text; (at = strstr(at, macros[i])) != NULL;) {
      bool whole = at == text || !is_word(at[-1]);
      at += strlen(macros[i]);
      if (whole && at[strspn(at, " ")] == '(') return true;
    }
  return false;
}

/* A statement that makes a constant of what a circular buffer holds. */
static bool wants_formats(const char *text) {
  static const char *const calls[] = {"get_tile_size(",      "get_tile_hw(",
                                      "get_tile_num_faces(", "get_dataformat(",
                                      "unpack_src_format[",  "pack_dst_format["};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; ++i)
    for (const char *at = text; (at = strstr(at, calls[i])) != NULL; ++at) {
      const char *start = at;
      while (start > text && start[-1] != ';' && start[-1] != '{' && start[-1] != '}') --start;
      const char *constant = strstr(start, "constexpr");
      if (constant && constant < at) return true;
    }
  return false;
}

typedef struct Wants {
  bool roles, formats, prints;
  int files;
} Wants;

static void scan(const char *path, int depth, Wants *wants);

/* Headers beside a kernel, and below the SDK's tree. */
static void scan_include(const char *includer, const char *name, size_t n, int depth,
                         Wants *wants) {
  static const char *const below[] = {"", "/ttnn/cpp", "/ttnn", "/tt_metal"};
  const char *home = getenv("TT_METAL_HOME"), *slash = strrchr(includer, '/');
  char path[4096];
  snprintf(path, sizeof path, "%.*s/%.*s", (int)(slash ? slash - includer : 0), includer, (int)n,
           name);
  scan(path, depth, wants);
  for (size_t i = 0; home && *home && i < sizeof below / sizeof *below; ++i) {
    snprintf(path, sizeof path, "%s%s/%.*s", home, below[i], (int)n, name);
    scan(path, depth, wants);
  }
}

static void scan_text(const char *path, const char *text, int depth, Wants *wants) {
  wants->roles |= has_role(text);
  wants->formats |= wants_formats(text);
  wants->prints |= strstr(text, "DPRINT") || strstr(text, "DEVICE_PRINT");
  if (depth == DEEPEST_INCLUDE) return;
  for (const char *at = text; (at = strstr(at, "#include \"")) != NULL;) {
    at += strlen("#include \"");
    scan_include(path, at, strcspn(at, "\"\n"), depth + 1, wants);
  }
}

static void scan(const char *path, int depth, Wants *wants) {
  FILE *file = fopen(path, "rb");
  if (!file) return;
  if (++wants->files <= MOST_FILES && fseek(file, 0, SEEK_END) == 0) {
    long size = ftell(file);
    char *text = emu_calloc(1, (size_t)(size > 0 ? size : 0) + 1);
    rewind(file);
    if (size > 0 && fread(text, 1, (size_t)size, file) == (size_t)size)
      scan_text(path, text, depth, wants);
    free(text);
  }
  fclose(file);
}

/*===- Defines --------------------------------------------------------------------------------===*/

typedef struct Defines {
  const char **data; /* name, value, … */
  char *values[MOST_OWN];
  size_t n, own;
} Defines;

static void define(Defines *d, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void define(Defines *d, const char *name, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (vasprintf(&d->values[d->own], format, args) < 0) emu_fatal("out of memory");
  va_end(args);
  d->data[2 * d->n] = name, d->data[2 * d->n + 1] = d->values[d->own];
  ++d->n, ++d->own;
}

/* Formats of the circular buffers, and shapes of their tiles, on the cores that have the kernel,
 * the first one's where they differ: 1,5,255,… */
static void define_formats(Defines *d, const ttemu_program *program, const Kernel *kernel) {
  char text[MAX_CBS * 4 + 1] = "", shapes[MAX_CBS * 6 + 1] = "";
  const Kernel *leader = kernel->leader ? kernel->leader : kernel;
  int formats[MAX_CBS], tiles[MAX_CBS];
  for (int c = 0; c < MAX_CBS; ++c) formats[c] = (int)TTEMU_INVALID, tiles[c] = 32 * 256 + 32;
  for (uint32_t i = emu.chip->grid_x * emu.chip->grid_y; i-- > 0;) {
    const Core *core = program->cores[i];
    if (!core || core->riscs[leader->processor].kernel != leader) continue;
    for (int c = 0; c < MAX_CBS; ++c)
      if (core->cbs[c].used) {
        formats[c] = (int)core->cbs[c].format;
        tiles[c] = core->cbs[c].tile.rows * 256 + core->cbs[c].tile.cols;
      }
  }
  for (int c = 0, n = 0, m = 0; c < MAX_CBS; ++c) {
    n += snprintf(text + n, sizeof text - (size_t)n, "%d,", formats[c]);
    m += snprintf(shapes + m, sizeof shapes - (size_t)m, "%d,", tiles[c]);
  }
  define(d, "TTEMU_CB_FORMATS", "%s", text);
  define(d, "TTEMU_CB_TILES", "%s", shapes);
}

static void define_chip(Defines *d) {
  const TtChip *chip = emu.chip;
  define(d, "TTEMU_ZEROS", "%u", chip->l1_base - SYSTEM_BYTES);
  define(d, "TTEMU_DRAM_ALIGN", "%u", chip->noc_read_align);
  define(d, "TTEMU_DRAM_BANKS", "%u", chip->dram_banks);
  define(d, "TTEMU_L1_BANKS", "%u", chip->grid_x * chip->grid_y);
  define(d, "TTEMU_L1_SIZE", "%u", chip->l1_size);
  define(d, "TTEMU_CBS", "%u", chip->cbs);
  define(d, "KERNEL_BUILD", "1");
}

static void define_processor(Defines *d, const ttemu_kernel_config *config, int role) {
  if (config->processor != UNPACK) {
    define(d, config->processor == 0 ? "COMPILE_FOR_BRISC" : "COMPILE_FOR_NCRISC", "1");
    return;
  }
  define(d, "COMPILE_FOR_TRISC", "%d", role ? role - UNPACK : 0);
  define(d, "TTEMU_PHASES", "%d", config->phases);
  define(d, "TTEMU_FP32_DEST", "%s", config->fp32_dest ? "true" : "false");
  define(d, "TTEMU_FULL_SYNC", "%s", config->full_sync ? "true" : "false");
  define(d, "TTEMU_APPROX", "%s", config->approx ? "true" : "false");
  if (role) define(d, "TTEMU_ROLE", "%d", role);
}

static void compile_one(const ttemu_program *program, const ttemu_kernel_config *config,
                        Kernel *kernel, int role) {
  Defines d = {.n = config->num_defines};
  d.data = emu_calloc(2 * (config->num_defines + MOST_OWN), sizeof *d.data);
  if (config->num_defines)
    memcpy(d.data, config->defines, 2 * config->num_defines * sizeof *d.data);
  define_chip(&d);
  define_processor(&d, config, role);
  if (kernel->prints) define(&d, "TTEMU_PRINTS", "1");
  if (kernel->later) define_formats(&d, program, kernel);
  ttemu_kernel_config all = *config;
  all.defines = d.data, all.num_defines = d.n;
  emu_compile(&all, kernel);
  for (size_t i = 0; i < d.own; ++i) free(d.values[i]);
  free(d.data);
}

/*===- Kernels that are compiled later --------------------------------------------------------===*/

static char **copy_texts(const char *const *texts, size_t n) {
  char **copy = emu_calloc(n + 1, sizeof *copy);
  for (size_t i = 0; i < n; ++i) copy[i] = strdup(texts[i]);
  return copy;
}

static uint32_t *copy_words(const uint32_t *words, size_t n) {
  uint32_t *copy = emu_calloc(n + 1, sizeof *copy);
  if (n) memcpy(copy, words, n * sizeof *copy);
  return copy;
}

static ttemu_kernel_config *copy_config(const ttemu_kernel_config *config) {
  ttemu_kernel_config *c = emu_calloc(1, sizeof *c);
  *c = *config;
  c->path = strdup(config->path);
  c->unpack_to_dest = NULL; /* the kernel has it already */
  c->compile_args = copy_words(config->compile_args, config->num_compile_args);
  c->defines = (const char *const *)copy_texts(config->defines, 2 * config->num_defines);
  c->named_args = (const char *const *)copy_texts(config->named_args, config->num_named_args);
  c->named_values = copy_words(config->named_values, config->num_named_args);
  return c;
}

static void free_texts(const char *const *texts, size_t n) {
  for (size_t i = 0; i < n; ++i) free((void *)(uintptr_t)texts[i]);
  free((void *)(uintptr_t)texts);
}

static void free_config(ttemu_kernel_config *c) {
  if (!c) return;
  free_texts(c->defines, 2 * c->num_defines);
  free_texts(c->named_args, c->num_named_args);
  free((void *)(uintptr_t)c->path);
  free((void *)(uintptr_t)c->compile_args);
  free((void *)(uintptr_t)c->named_values);
  free(c);
}

void emu_compile_roles(const ttemu_program *program, const ttemu_kernel_config *config,
                       Kernel *kernel) {
  bool each = kernel->of_role[0] != NULL;
  compile_one(program, config, kernel, each ? UNPACK : 0);
  for (int r = 0; each && r < 2; ++r)
    compile_one(program, config, kernel->of_role[r], UNPACK + 1 + r);
}

void emu_prepare_kernel(const ttemu_program *program, const ttemu_kernel_config *config,
                        Kernel *kernel) {
  Wants wants = {.roles = false};
  if (config->is_source) {
    scan_text("", config->path, 0, &wants);
  } else {
    char *path = emu_find_kernel(config->path);
    scan(path, 0, &wants);
    free(path);
  }
  kernel->prints = wants.prints;
  for (int r = 0; wants.roles && config->processor == UNPACK && r < 2; ++r) {
    Kernel *other = kernel->of_role[r] = emu_calloc(1, sizeof *other);
    *other = *kernel;
    other->of_role[0] = other->of_role[1] = NULL;
    other->leader = kernel;
  }
  if (wants.formats) kernel->later = copy_config(config);
  else emu_compile_roles(program, config, kernel);
}

void emu_compile_late(ttemu_program *program) {
  for (uint32_t i = 0; i < program->num_kernels; ++i) {
    Kernel *kernel = program->kernels[i];
    for (int r = 0; kernel->of_role[0] && r < 2; ++r) {
      Kernel *other = kernel->of_role[r];
      other->first_x = kernel->first_x, other->first_y = kernel->first_y;
      other->common_args = kernel->common_args, other->num_common_args = kernel->num_common_args;
      other->later = kernel->later;
    }
    if (kernel->later && !kernel->entry) emu_compile_roles(program, kernel->later, kernel);
  }
}

const char *ttemu_kernel_object(ttemu_program *program, uint32_t kernel, uint32_t part) {
  emu_compile_late(program);
  const Kernel *k = program->kernels[kernel];
  if (part > 0 && k->of_role[0]) k = k->of_role[part - 1];
  return emu_object_of(k);
}

void emu_free_kernel(Kernel *kernel) {
  for (int r = 0; r < 2; ++r) {
    if (!kernel->of_role[r]) continue;
    free(kernel->of_role[r]->path);
    free(kernel->of_role[r]);
  }
  free_config(kernel->later);
  free(kernel->path);
  emu_args_destroy(kernel->common_args);
  free(kernel);
}
