/*===- arena.c - the memory of one run ----------------------------------------===
 *
 * Blocks in a list; allocation moves a pointer. Everything is freed at once.
 *
 *===----------------------------------------------------------------------===*/

#include "tilewright/ir.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Chunk {
  struct Chunk *next;
  size_t used, size;
  max_align_t data[];
} Chunk;

struct TtArena {
  Chunk *chunks;
};

/* The first chunk is small, since many runs need one string; the next ones grow. */
enum { FIRST_CHUNK_BYTES = 512, CHUNK_BYTES = 64 * 1024 };

static void *allocate_or_die(size_t bytes) {
  void *memory = malloc(bytes);
  if (!memory) {
    fprintf(stderr, "tilewright: out of memory (%zu bytes)\n", bytes);
    exit(1);
  }
  return memory;
}

TtArena *tt_arena_create(void) {
  TtArena *arena = allocate_or_die(sizeof *arena);
  arena->chunks = NULL;
  return arena;
}

void tt_arena_destroy(TtArena *arena) {
  if (!arena) return;
  for (Chunk *chunk = arena->chunks, *next; chunk; chunk = next) {
    next = chunk->next;
    free(chunk);
  }
  free(arena);
}

static Chunk *create_chunk(size_t size) {
  Chunk *chunk = allocate_or_die(sizeof *chunk + size);
  chunk->size = size, chunk->used = 0;
  return chunk;
}

/* A chunk with room for `bytes`. What fills one alone stands behind the one that is in use, whose
 * room is left for what comes. */
static Chunk *chunk_for(TtArena *arena, size_t bytes) {
  Chunk *first = arena->chunks;
  if (first && first->size - first->used >= bytes) return first;
  size_t size = first ? first->size * 4 : FIRST_CHUNK_BYTES;
  if (size > CHUNK_BYTES) size = CHUNK_BYTES;
  bool alone = size < bytes && first;
  Chunk *chunk = create_chunk(size < bytes ? bytes : size),
        **place = alone ? &first->next : &arena->chunks;
  chunk->next = *place;
  *place = chunk;
  return chunk;
}

void *tt_arena_alloc(TtArena *arena, size_t bytes) {
  bytes = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
  Chunk *chunk = chunk_for(arena, bytes);
  void *memory = (char *)chunk->data + chunk->used;
  chunk->used += bytes;
  return memset(memory, 0, bytes);
}

char *tt_arena_printf(TtArena *arena, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *text = tt_arena_alloc(arena, (size_t)(length < 0 ? 0 : length) + 1);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

char *tt_arena_str(TtArena *arena, MlirStringRef text) {
  char *copy = tt_arena_alloc(arena, text.length + 1);
  memcpy(copy, text.data, text.length);
  return copy;
}

char *tt_arena_identifier(TtArena *arena, MlirStringRef name) {
  static const char *const reserved[] = {
      "alignas",       "alignof",     "and",        "and_eq",   "asm",       "auto",
      "bitand",        "bitor",       "bool",       "break",    "case",      "catch",
      "char",          "class",       "compl",      "concept",  "const",     "consteval",
      "constexpr",     "constinit",   "const_cast", "continue", "co_await",  "co_return",
      "co_yield",      "decltype",    "default",    "delete",   "do",        "double",
      "dynamic_cast",  "else",        "enum",       "explicit", "export",    "extern",
      "false",         "float",       "for",        "friend",   "goto",      "if",
      "inline",        "int",         "long",       "mutable",  "namespace", "new",
      "noexcept",      "not",         "not_eq",     "nullptr",  "operator",  "or",
      "or_eq",         "private",     "protected",  "public",   "register",  "reinterpret_cast",
      "requires",      "return",      "short",      "signed",   "sizeof",    "static",
      "static_assert", "static_cast", "struct",     "switch",   "template",  "this",
      "thread_local",  "throw",       "true",       "try",      "typedef",   "typeid",
      "typename",      "union",       "unsigned",   "using",    "virtual",   "void",
      "volatile",      "wchar_t",     "while",      "xor",      "xor_eq",    "main",
      "MAIN",          "NAMESPACE",   "kernel_main"};
  char *id = tt_arena_alloc(arena, name.length * 4 + 3), *end = id;
  if (name.length == 0 || isdigit((unsigned char)name.data[0])) *end++ = '_';
  for (size_t i = 0; i < name.length; ++i) {
    unsigned char c = (unsigned char)name.data[i];
    if (c < 128 && (isalnum(c) || c == '_')) *end++ = (char)c;
    else end += snprintf(end, 5, "_x%02X", c);
  }
  for (size_t i = 0; i < sizeof reserved / sizeof *reserved; ++i)
    if (strcmp(id, reserved[i]) == 0) *end++ = '_';
  return id;
}

void tt_ops_add(TtArena *arena, TtOps *ops, MlirOperation op) {
  if (ops->n == ops->capacity) {
    intptr_t capacity = ops->capacity ? ops->capacity * 2 : 16;
    MlirOperation *data = tt_arena_alloc(arena, (size_t)capacity * sizeof *data);
    if (ops->n) memcpy(data, ops->data, (size_t)ops->n * sizeof *data);
    ops->data = data;
    ops->capacity = capacity;
  }
  ops->data[ops->n++] = op;
}
