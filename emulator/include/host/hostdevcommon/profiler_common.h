// Layout of the vendor's profiler buffers, which none are here.
#pragma once
