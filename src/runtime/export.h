// Marks the symbols that the program under test sees; everything else is hidden (libheddle.map
// lists the same names).
#pragma once

#define HEDDLE_EXPORT __attribute__((visibility("default")))

// Behind a declaration: the name of the function in the object file.
#define HEDDLE_SYMBOL(name) __asm__(name)
