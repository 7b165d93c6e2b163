// Marks of the Tracy profiler, which none is here to read.
#pragma once

#define ZoneNamed(name, active)
#define ZoneNamedN(variable, name, active)
#define ZoneScoped
#define ZoneScopedN(name)
#define ZoneScopedC(color)
#define ZoneScopedNC(name, color)
#define ZoneText(text, size)
#define ZoneName(text, size)
#define ZoneValue(value)
#define FrameMark
#define FrameMarkNamed(name)
#define FrameMarkStart(name)
#define FrameMarkEnd(name)
#define TracyPlot(name, value)
#define TracyMessage(text, size)
#define TracyMessageL(text)
#define TracyMessageC(text, size, color)
#define TracyAppInfo(text, size)
