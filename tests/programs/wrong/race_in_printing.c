// What printf, fwrite, fgets and their kin read and write races with what the program does itself.
// compilers: gcc clang
// flags: -fno-builtin -w
// heddle: check -- printf
// expect: verdict=bug kind=data-race location=@printf
// heddle: check -- printf_format
// expect: verdict=bug kind=data-race location=@printf_format
// heddle: check -- printf_second
// expect: verdict=bug kind=data-race location=@printf_second
// heddle: check -- printf_eighth
// expect: verdict=bug kind=data-race location=@printf_eighth
// heddle: check -- printf_precision
// expect: verdict=bug kind=data-race location=@printf_precision
// heddle: check -- printf_star
// expect: verdict=bug kind=data-race location=@printf_star
// heddle: check -- printf_position
// expect: verdict=bug kind=data-race location=@printf_position
// heddle: check -- printf_wide
// expect: verdict=bug kind=data-race location=@printf_wide
// heddle: check -- printf_count
// expect: verdict=bug kind=data-race location=@printf_count
// heddle: check -- vprintf
// expect: verdict=bug kind=data-race location=@vprintf
// heddle: check -- fprintf
// expect: verdict=bug kind=data-race location=@fprintf
// heddle: check -- dprintf
// expect: verdict=bug kind=data-race location=@dprintf
// heddle: check -- sprintf
// expect: verdict=bug kind=data-race location=@sprintf
// heddle: check -- sprintf_from
// expect: verdict=bug kind=data-race location=@sprintf_from
// heddle: check -- snprintf
// expect: verdict=bug kind=data-race location=@snprintf
// heddle: check -- vsnprintf
// expect: verdict=bug kind=data-race location=@vsnprintf
// heddle: check -- asprintf
// expect: verdict=bug kind=data-race location=@asprintf
// heddle: check -- asprintf_to
// expect: verdict=bug kind=data-race location=@asprintf_to
// heddle: check -- puts
// expect: verdict=bug kind=data-race location=@puts
// heddle: check -- fputs
// expect: verdict=bug kind=data-race location=@fputs
// heddle: check -- fwrite
// expect: verdict=bug kind=data-race location=@fwrite
// heddle: check -- fread
// expect: verdict=bug kind=data-race location=@fread
// heddle: check -- fgets
// expect: verdict=bug kind=data-race location=@fgets
// heddle: check -- getline
// expect: verdict=bug kind=data-race location=@getline
// heddle: check -- getline_size
// expect: verdict=bug kind=data-race location=@getline_size
// heddle: check -- perror
// expect: verdict=bug kind=data-race location=@perror
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "run_threads.h"

static char text[16] = "abcd", other[16], *line;
static char contents[] = "123456789";
static wchar_t wide[16] = L"abcd";
static int number;
static size_t size;
static FILE *file;

static void Prepare(void) { file = fmemopen(contents, sizeof contents, "r"); }

static int Vprintf(const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int result = vprintf(format, list);  // @vprintf
  va_end(list);
  return result;
}

static int Vsnprintf(char *to, size_t bytes, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int result = vsnprintf(to, bytes, format, list);  // @vsnprintf
  va_end(list);
  return result;
}

static const char *what;

static int Is(const char *name) { return strcmp(what, name) == 0; }

static void *Writes(void *arg) {
  if (Is("getline") || Is("asprintf_to")) line = 0;
  if (Is("getline_size")) size = 0;
  text[4] = 0;
  wide[4] = 0;
  number = 1;
  return arg;
}

static void *Uses(void *arg) {
  if (Is("printf")) printf("%s\n", text);                                            // @printf
  if (Is("printf_format")) printf(text);                                             // @printf_format
  if (Is("printf_second")) printf("%d %5.2f %Lf %s\n", 1, 2.0, 3.0L, text);          // @printf_second
  if (Is("printf_eighth")) printf("%d%d%d%d%d%d%d%s\n", 1, 2, 3, 4, 5, 6, 7, text);  // @printf_eighth
  if (Is("printf_precision")) printf("%.5s\n", text);                                // @printf_precision
  if (Is("printf_star")) printf("%*.*s\n", 9, 5, text);                              // @printf_star
  if (Is("printf_position")) printf("%2$s %1$.3f\n", 1.0, text);                     // @printf_position
  if (Is("printf_wide")) printf("%ls\n", wide);                                      // @printf_wide
  if (Is("printf_count")) printf("abc%n", &number);                                  // @printf_count
  if (Is("vprintf")) Vprintf("%s", text);
  if (Is("fprintf")) fprintf(stderr, "%s", text);                                    // @fprintf
  if (Is("dprintf")) dprintf(1, "%s", text);                                         // @dprintf
  if (Is("sprintf")) sprintf(text, "%d", 1234);                                      // @sprintf
  if (Is("sprintf_from")) sprintf(other, "%s", text);                                // @sprintf_from
  if (Is("snprintf")) snprintf(text, 5, "%d", 123456);                               // @snprintf
  if (Is("vsnprintf")) Vsnprintf(text, 5, "%d", 1234);
  if (Is("asprintf")) asprintf(&line, "%s", text);                                   // @asprintf
  if (Is("asprintf_to")) asprintf(&line, "abc");                                     // @asprintf_to
  if (Is("puts")) puts(text);                                                        // @puts
  if (Is("fputs")) fputs(text, stdout);                                              // @fputs
  if (Is("fwrite")) fwrite(text, 1, 5, stdout);                                      // @fwrite
  if (Is("fread")) fread(text, 1, 5, file);                                          // @fread
  if (Is("fgets")) fgets(text, 5, file);                                             // @fgets
  if (Is("getline")) getline(&line, &size, file);                                    // @getline
  if (Is("getline_size")) getline(&line, &size, file);                               // @getline_size
  if (Is("perror")) perror(text);                                                    // @perror
  return arg;
}

int main(int argc, char **argv) {
  what = argv[1];
  Prepare();
  RunThreads(2, (Body[]){Writes, Uses});
}
