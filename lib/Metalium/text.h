/* Text that grows, and names that do not collide. */
#ifndef TILEWRIGHT_TEXT_H
#define TILEWRIGHT_TEXT_H

#include "tilewright/ir.h"

typedef struct TtText {
  char *data;
  size_t n, capacity;
} TtText;

void tt_text_free(TtText *text);
void tt_text_append(TtText *text, const char *data, size_t n);
void tt_text_printf(TtText *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The names of one C++ scope. */
typedef struct TtNames {
  TtArena *arena;
  char **data;
  size_t n, capacity;
} TtNames;

/* An identifier like `wish` that the scope does not have yet; takes it. */
char *tt_names_take(TtNames *names, const char *wish);
bool tt_names_has(const TtNames *names, const char *name);

#endif
