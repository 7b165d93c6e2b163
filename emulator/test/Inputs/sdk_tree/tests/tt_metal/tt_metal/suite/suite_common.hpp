// Declares what stands in a source beside it.
#pragma once
unsigned sevens(unsigned n);
