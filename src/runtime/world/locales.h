// Locales. The first use of one maps its files, and the C library keeps in its memory that it has.
// Rewinding undoes the latter only: each execution would map the files again, until the kernel has
// no room for more mappings. So the locale that the environment asks for, which is nearly always
// the one that a program uses, is loaded before the first execution, and stays. A program that uses
// another one runs every execution in a process of its own.
#pragma once

namespace heddle::runtime {

// Once, before the first execution.
void InitLocales();

// The program is about to use locales as the name `name` says (of setlocale and newlocale; null:
// none). REQUIRES: InExecution().
void UseLocale(const char* name);

}  // namespace heddle::runtime
