#include "passes_decl.h"
bool tt_run_verify_ir(MlirOperation m, const TtPassOptions *o){(void)m;(void)o;return true;}
