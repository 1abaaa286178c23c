// A conversion of characters by the C library, and what it maps for that.
#pragma once

#include <assert.h>
#include <iconv.h>
#include <stdio.h>
#include <string.h>

// How many mappings of the process are of a file whose path has `name` in it.
static int CountMapped(const char *name) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[1024];
  int count = 0;
  assert(maps);
  while (fgets(line, sizeof line, maps)) count += strstr(line, name) != 0;
  fclose(maps);
  return count;
}

// Opens a conversion from UTF-8, and uses it.
static iconv_t Convert(const char *to_code) {
  iconv_t conversion = iconv_open(to_code, "UTF-8");
  assert(conversion != (iconv_t)-1);
  char in[] = "heddle", out[32], *from = in, *to = out;
  size_t left = sizeof in, room = sizeof out;
  assert(iconv(conversion, &from, &left, &to, &room) == 0 && left == 0);
  return conversion;
}
