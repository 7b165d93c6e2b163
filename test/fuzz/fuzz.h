/* A driver that feeds changed inputs to the library, in one process.
 *
 *   text.c  changes of text: bytes, words, numbers, lines, parts of other inputs
 *   ir.c    changes of IR that is parsed: ops, operands, attributes
 *   upstream.c  what is left out, since upstream's own code dies of it
 *   fuzz.c  what is done with each, and what must not happen
 *   children.c  processes that do it, side by side, and whose fault it is where one dies
 */
#ifndef TILEWRIGHT_FUZZ_H
#define TILEWRIGHT_FUZZ_H

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* splitmix64: a number for each state, and states that follow each other are as good as any. */
typedef struct Random {
  uint64_t state;
} Random;
uint64_t next_random(Random *r);
/* 0 … n - 1; 0 for n = 0. */
size_t below(Random *r, size_t n);

/* Text that grows; `data` ends with a zero byte. */
typedef struct Text {
  char *data;
  size_t n;
} Text;
Text text_copy(const char *data, size_t n);
/* Puts `count` bytes in place of `length` bytes from `at` on. */
void text_replace(Text *t, size_t at, size_t length, const char *with, size_t count);

/* Inputs, and the words in them. */
typedef struct Corpus {
  Text *inputs;
  size_t n, capacity;
  Text *words;
  size_t num_words, words_capacity;
} Corpus;
void corpus_add(Corpus *c, const char *data, size_t n);
void corpus_destroy(Corpus *c);

/* One change, of one of some kinds. */
void change_text(Random *r, const Corpus *c, Text *t);
/* As much of an attribute's text. */
void change_number_or_word(Random *r, const Corpus *c, Text *t);

/* One change of a module's IR; it may not verify afterwards. */
void change_ir(Random *r, const Corpus *c, MlirOperation module);

/* Whether upstream's parser would take all memory for a text. */
bool kills_parser(const Text *t);
/* Whether upstream's canonicalization would die of the module as it is. */
bool kills_upstream(MlirOperation module);
/* Whether upstream's verifier would. */
bool kills_verifier(MlirOperation module);

/* Inputs that one child tries; how one ends that finds a fault. */
enum { CHUNK = 250, NO_LOCATION = 41, NO_ERROR = 42, LEAKS = 43, HANGS = 44 };

typedef struct Options {
  uint64_t seed, count, only, jobs;
  bool has_only;
  const char *keep, *accepted;
} Options;

/* What children tell. */
typedef struct Shared {
  uint64_t at, parsed, accepted, rejected;
  bool parsing;
  bool whole[CHUNK]; /* inputs of the chunk that the parser took */
} Shared;

typedef struct Fuzz {
  Options options;
  Corpus corpus;
  MlirContext context;
  int errors;
  bool unlocated, quiet;
  Shared *shared;
} Fuzz;

/* The random numbers and the text of input `i`, whatever was tried before. */
Random random_of(const Fuzz *f, uint64_t i);
Text make_input(Fuzz *f, Random *r);
/* Writes a text to FOLDER/i.mlir. */
void write_input(const char *folder, uint64_t i, const Text *t);
/* Tries input `i`; ends the process at a fault. */
void run_input(Fuzz *f, uint64_t i);
MlirLogicalResult on_diagnostic(MlirDiagnostic diagnostic, void *fuzz);
/* Tries inputs in this process, which ends then. */
void run_chunk(Fuzz *f, uint64_t from, uint64_t to);
/* All inputs, in children side by side. Returns the number of faults. */
uint64_t run_all(Fuzz *f);

#endif
