// Runs a Lua program whose threads are coroutines, statement by statement, so that heddle can check
// it. Lua knows nothing of heddle, and the program needs no changes: Lua calls a function before
// every line (lua_sethook), and that calls heddle_hook.
//
//   heddle-cc lua_threads.c -o lua_threads -I/usr/include/lua5.4 -llua5.4 -pthread
//   heddle check --preset one-page ./lua_threads account.lua
//
// The Lua program calls thread(f) for each of its threads. When it has been read, each f becomes a
// coroutine that a thread of its own runs to its end, over the one state of the interpreter. Only
// one of them is in the interpreter at a time, as with Python's and Ruby's big lock, and it changes
// hands between two lines. At last finally() is called, if there is one.
//
//   thread(f)              f is a thread
//   up(n), down(n)         the semaphores of heddle.h
//   outcome(text)          heddle_outcome
//   shared("a", "b" ...)   the global variables that threads share: heddle_shared. Without it all
//                          memory counts, the interpreter's own among it.
#include <heddle.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMostThreads = 16, kMostShared = 32 };

static lua_State* main_state;
static lua_State* coroutines[kMostThreads];
static int thread_count;
static pthread_mutex_t interpreter = PTHREAD_MUTEX_INITIALIZER;

// The shared variables' names, and their values where heddle can see them: an integer itself, of
// anything else a hash of its text.
static char names[kMostShared][64];
static lua_Integer values[kMostShared];
static int shared_count;

static void CopyShared(lua_State* state) {
  for (int i = 0; i < shared_count; i++) {
    lua_getglobal(state, names[i]);
    if (lua_isinteger(state, -1)) {
      values[i] = lua_tointeger(state, -1);
    } else {
      size_t length;
      const char* text = luaL_tolstring(state, -1, &length);
      unsigned hash = 5381;
      for (size_t at = 0; at < length; at++) hash = 33 * hash + (unsigned char)text[at];
      values[i] = hash;
      lua_pop(state, 1);
    }
    lua_pop(state, 1);
  }
}

// Before every line.
static void BeforeStatement(lua_State* state, lua_Debug* at) {
  (void)at;
  CopyShared(state);
  pthread_mutex_unlock(&interpreter);
  heddle_hook();
  pthread_mutex_lock(&interpreter);
}

static void* RunThread(void* argument) {
  lua_State* state = argument;
  pthread_mutex_lock(&interpreter);
  lua_sethook(state, BeforeStatement, LUA_MASKLINE, 0);
  int results;
  if (lua_resume(state, NULL, 0, &results) != LUA_OK) {
    fprintf(stderr, "%s\n", lua_tostring(state, -1));
    abort();
  }
  CopyShared(state);
  pthread_mutex_unlock(&interpreter);
  heddle_done();
  return NULL;
}

static int Thread(lua_State* state) {
  luaL_checktype(state, 1, LUA_TFUNCTION);
  if (thread_count == kMostThreads) return luaL_error(state, "too many threads");
  lua_State* coroutine = lua_newthread(state);
  luaL_ref(state, LUA_REGISTRYINDEX);  // keeps it
  lua_pushvalue(state, 1);
  lua_xmove(state, coroutine, 1);
  coroutines[thread_count++] = coroutine;
  return 0;
}

// Others may be in the interpreter while this thread waits.
static int Up(lua_State* state) {
  const unsigned semaphore = (unsigned)luaL_checkinteger(state, 1);
  pthread_mutex_unlock(&interpreter);
  heddle_up(semaphore);
  pthread_mutex_lock(&interpreter);
  return 0;
}

static int Down(lua_State* state) {
  heddle_down((unsigned)luaL_checkinteger(state, 1));
  return 0;
}

static int Outcome(lua_State* state) {
  heddle_outcome("%s", luaL_checkstring(state, 1));
  return 0;
}

static int Shared(lua_State* state) {
  for (int i = 1; i <= lua_gettop(state); i++) {
    if (shared_count == kMostShared) return luaL_error(state, "too many shared variables");
    strncpy(names[shared_count], luaL_checkstring(state, i), sizeof names[0] - 1);
    heddle_shared(&values[shared_count], sizeof values[0]);
    shared_count++;
  }
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s PROGRAM.lua\n", argv[0]);
    return 2;
  }
  main_state = luaL_newstate();
  luaL_openlibs(main_state);
  // When garbage is collected depends on how much everybody has allocated, not on what anybody did.
  lua_gc(main_state, LUA_GCSTOP);
  lua_register(main_state, "thread", Thread);
  lua_register(main_state, "up", Up);
  lua_register(main_state, "down", Down);
  lua_register(main_state, "outcome", Outcome);
  lua_register(main_state, "shared", Shared);
  if (luaL_dofile(main_state, argv[1]) != LUA_OK) {
    fprintf(stderr, "%s\n", lua_tostring(main_state, -1));
    return 2;
  }
  pthread_t threads[kMostThreads];
  for (int i = 0; i < thread_count; i++)
    pthread_create(&threads[i], NULL, RunThread, coroutines[i]);
  for (int i = 0; i < thread_count; i++) pthread_join(threads[i], NULL);
  if (lua_getglobal(main_state, "finally") == LUA_TFUNCTION &&
      lua_pcall(main_state, 0, 0, 0) != LUA_OK) {
    fprintf(stderr, "%s\n", lua_tostring(main_state, -1));
    abort();
  }
  return 0;
}
