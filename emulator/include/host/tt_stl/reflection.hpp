// Nothing of it is needed here: fmt prints what programs print.
#pragma once
#include <reflect>
#include <tt_stl/fmt.hpp>

// Sources of the SDK's inside say how their types become JSON; nothing here asks for it.
#if __has_include(<nlohmann/json.hpp>)
#include <nlohmann/json.hpp>
#else
namespace nlohmann {
class json;
}
#endif
namespace ttsl::json {
template <typename T> struct to_json_t;
template <typename T> struct from_json_t;
} // namespace ttsl::json
