#include "passes_decl.h"
#include "tilewright/emit.h"
bool tt_run_verify_ir(MlirOperation m, const TtPassOptions *o){(void)m;(void)o;return true;}
bool tt_emit_metalium(MlirOperation m, const TtEmitOptions *o, TtWrite w, void *d){(void)m;(void)o;(void)w;(void)d;return true;} bool tt_emit_dfg(MlirOperation m, TtWrite w, void *d){(void)m;(void)w;(void)d;return true;} const char *tt_api_str(int a){(void)a;return "2026-08";} bool tt_api_parse(const char*t,TtApi*a){(void)t;(void)a;return true;}
