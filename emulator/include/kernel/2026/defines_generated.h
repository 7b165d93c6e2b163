// What the host defines for a kernel, which the compiler is told here.
#pragma once
