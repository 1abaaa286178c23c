// What libc's functions for strings and bytes read and write races as what the program does itself.
// compilers: gcc clang
// flags: -fno-builtin
// heddle: check -- strlen
// expect: verdict=bug kind=data-race location=@strlen
// heddle: check -- strcmp
// expect: verdict=bug kind=data-race location=@strcmp
// heddle: check -- memcmp
// expect: verdict=bug kind=data-race location=@memcmp
// heddle: check -- strchr
// expect: verdict=bug kind=data-race location=@strchr
// heddle: check -- strcpy
// expect: verdict=bug kind=data-race location=@strcpy
// heddle: check -- strncpy
// expect: verdict=bug kind=data-race location=@strncpy
// heddle: check -- strcat
// expect: verdict=bug kind=data-race location=@strcat
// heddle: check -- strdup
// expect: verdict=bug kind=data-race location=@strdup
// The lock orders the two threads, but not the free and the look.
// heddle: check -- freed
// expect: verdict=bug kind=use-after-free location=@freed
#include <stdlib.h>
#include <string.h>

#include "run_threads.h"

static char text[16] = "abcd";
static const char *what;
static char *block;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static int Is(const char *name) { return strcmp(what, name) == 0; }

static void *Writes(void *arg) {
  if (Is("freed")) {
    pthread_mutex_lock(&mutex);
    free(block);
    pthread_mutex_unlock(&mutex);
  } else {
    text[4] = 0;
  }
  return arg;
}

static void *Uses(void *arg) {
  if (Is("strlen")) return (void *)strlen(text);                       // @strlen
  if (Is("strcmp")) return (void *)(long)strcmp(text, "abcd");         // @strcmp
  if (Is("memcmp")) return (void *)(long)memcmp(text, "x234567", 5);   // @memcmp
  if (Is("strchr")) return strchr(text, 'x');                          // @strchr
  if (Is("strdup")) free(strdup(text));                                // @strdup
  if (Is("strcpy")) strcpy(text, "wxyz");                              // @strcpy
  if (Is("strncpy")) strncpy(text, "w", 5);                            // @strncpy
  if (Is("strcat")) strcat(text + 3, "e");                               // @strcat
  if (Is("freed")) {
    pthread_mutex_lock(&mutex);
    arg = (void *)strlen(block);  // @freed
    pthread_mutex_unlock(&mutex);
  }
  return arg;
}

int main(int argc, char **argv) {
  what = argc > 1 ? argv[1] : "strlen";
  block = strcpy(malloc(8), "block");
  RunThreads(2, (Body[]){Writes, Uses});
}
