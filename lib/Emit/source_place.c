/*===- source_place.c - where in a file a location points ----------------------------------===
 *
 *   loc(fused["a.mlir":3:7, "b.mlir":1:1])  =  a.mlir:3:7
 *
 *===----------------------------------------------------------------------===*/

#include "Emit/emit_kernel.h"

#include <ctype.h>

static MlirLocation file_place(TtArena *arena, MlirLocation loc);

static MlirLocation first_of_fused(TtArena *arena, MlirLocation loc) {
  MlirLocation place = {NULL};
  if (!mlirLocationIsAFused(loc)) return place;
  unsigned n = mlirLocationFusedGetNumLocations(loc);
  MlirLocation *parts = tt_arena_alloc(arena, (n + 1) * sizeof *parts);
  mlirLocationFusedGetLocations(loc, parts);
  for (unsigned i = 0; i < n && mlirLocationIsNull(place); ++i) place = file_place(arena, parts[i]);
  return place;
}

static MlirLocation file_place(TtArena *arena, MlirLocation loc) {
  while (!mlirLocationIsAFileLineColRange(loc)) {
    if (mlirLocationIsAName(loc)) loc = mlirLocationNameGetChildLoc(loc);
    else if (mlirLocationIsACallSite(loc)) loc = mlirLocationCallSiteGetCallee(loc);
    else return first_of_fused(arena, loc);
  }
  return loc;
}

const char *tt_source_place(TtArena *arena, MlirLocation loc) {
  MlirLocation place = file_place(arena, loc);
  if (mlirLocationIsNull(place)) return NULL;
  char *file =
      tt_arena_str(arena, mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(place)));
  for (char *c = file; *c; ++c)
    if (iscntrl((unsigned char)*c)) *c = '?';
  return tt_arena_printf(arena, "%s:%d:%d", file, mlirLocationFileLineColRangeGetStartLine(place),
                         mlirLocationFileLineColRangeGetStartColumn(place));
}
