// A header of the SDK's that the emulator does not have.
#pragma once
inline constexpr unsigned SEVENS = 7;
