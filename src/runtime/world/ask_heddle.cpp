#include "runtime/world/ask_heddle.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "channel/settings.h"
#include "runtime/prim/host_lock.h"

namespace heddle::runtime {
namespace {

// heddle's own heap is not open in an ordinary process: everything here is C, with the program's
// malloc.

// The calls of one test so far: what they answered.
struct Calls {
  bool taken;
  char test[channel::kMaxCheckCall];  // the first of its arguments
  char letters[channel::kMaxCheckCall];
};
Calls asked;

constexpr const char* kVerdicts[] = {"clean",        "bug",   "incomplete", "uncontrolled",
                                     "not-explored", "error", "part"};

// A list of texts for exec, which grows.
struct Words {
  char** words;
  size_t count;
};

bool Add(Words& list, const char* word) {
  void* larger = realloc(list.words, (list.count + 2) * sizeof(char*));
  if (larger == nullptr) return false;
  list.words = static_cast<char**>(larger);
  list.words[list.count] = strdup(word);
  if (list.words[list.count] == nullptr) return false;
  ++list.count;
  list.words[list.count] = nullptr;
  return true;
}

bool AddAll(Words& list, const char* const* words) {
  for (; *words != nullptr; ++words)
    if (!Add(list, *words)) return false;
  return true;
}

void Forget(Words& list) {
  for (size_t i = 0; i < list.count; ++i) free(list.words[i]);
  free(list.words);
}

char* ReadAll(int file, size_t* bytes) {
  const off_t size = lseek(file, 0, SEEK_END);
  char* text = static_cast<char*>(malloc(static_cast<size_t>(size < 0 ? 0 : size) + 1));
  if (text == nullptr) return nullptr;
  *bytes = 0;
  for (ssize_t got; size > 0 && *bytes < static_cast<size_t>(size);
       *bytes += static_cast<size_t>(got)) {
    got =
        pread(file, text + *bytes, static_cast<size_t>(size) - *bytes, static_cast<off_t>(*bytes));
    if (got <= 0) break;
  }
  text[*bytes] = '\0';
  return text;
}

// "name BYTES\nVALUE\n" for the verdict and the text.
char* MakeAnswer(const char* verdict, const char* text, size_t* bytes) {
  const size_t most = strlen(verdict) + strlen(text) + 100;
  char* answer = static_cast<char*>(malloc(most));
  if (answer == nullptr) return nullptr;
  *bytes = static_cast<size_t>(snprintf(answer, most, "verdict %zu\n%s\ntext %zu\n%s\n",
                                        strlen(verdict), verdict, strlen(text), text));
  return answer;
}

char* MakeError(const char* text, size_t* bytes) { return MakeAnswer("error", text, bytes); }

// heddle's command, as it is installed, or built, with this library.
bool FindHeddle(char (&path)[PATH_MAX]) {
  Dl_info here;
  char library[PATH_MAX];
  if (dladdr(&asked, &here) == 0 || here.dli_fname == nullptr ||
      realpath(here.dli_fname, library) == nullptr)
    return false;
  *strrchr(library, '/') = '\0';
  for (const char* place : {"", "/../bin", "/../../bin"}) {
    const int length = snprintf(path, sizeof path, "%s%s/heddle", library, place);
    if (length < static_cast<int>(sizeof path) && access(path, X_OK) == 0) return true;
  }
  return false;
}

// The arguments that the process was started with, but for its name.
bool AddOwnArguments(Words& list) {
  const int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  char* text = nullptr;
  size_t size = 0;
  for (ssize_t got = 1; got > 0;) {
    constexpr size_t kStep = 4096;
    char* larger = static_cast<char*>(realloc(text, size + kStep));
    if (larger == nullptr) break;
    text = larger;
    got = read(file, text + size, kStep);
    if (got > 0) size += static_cast<size_t>(got);
  }
  close(file);
  bool whole = text != nullptr;
  const char* const end = text + size;
  for (const char* at = text; whole && at < end; at += strlen(at) + 1)
    whole = at == text || Add(list, at);
  free(text);
  return whole;
}

bool MakeCommand(const CheckRequest& request, const char* heddle, const char* call, int fields,
                 Words& list) {
  char program[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) return false;
  program[length] = '\0';
  char number[16];
  snprintf(number, sizeof number, "%d", fields);
  const char* const asked_first = request.options[0];
  const bool replays = asked_first != nullptr && strncmp(asked_first, "--schedule=", 11) == 0;
  const char* const first[] = {
      heddle, replays ? "replay" : "check", "--color=never", "--fields", number, "--at-check", call,
      nullptr};
  const char* const last[] = {"--", program, nullptr};
  return AddAll(list, first) && AddAll(list, request.options) && AddAll(list, last) &&
         AddOwnArguments(list) && AddAll(list, request.test_arguments);
}

// A file in memory, above the standard descriptors, some of which may be closed.
int MakeFile(const char* name) {
  const int file = memfd_create(name, MFD_CLOEXEC);
  if (file < 0 || file > 2) return file;
  const int higher = fcntl(file, F_DUPFD_CLOEXEC, 3);
  close(file);
  return higher;
}

// Runs the command, with what it prints in `output`. Answers an errno value.
int RunCommand(const Words& command, int fields, int output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, output, 2);
  posix_spawn_file_actions_adddup2(&actions, fields, fields);  // is to be inherited
  pid_t child;
  const int error =
      posix_spawn(&child, command.words[0], &actions, nullptr, command.words, environ);
  posix_spawn_file_actions_destroy(&actions);
  int status;
  while (error == 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return error;
}

// The calls of the test that is running now; forgets those of the one before.
char* LettersOf(const char* test) {
  if (strncmp(asked.test, test, sizeof asked.test - 1) != 0) {
    strncpy(asked.test, test, sizeof asked.test - 1);
    asked.letters[0] = '\0';
  }
  return asked.letters;
}

char* Explore(const CheckRequest& request, const char* letters, size_t* bytes) {
  char heddle[PATH_MAX];
  if (!FindHeddle(heddle))
    return MakeError("the command heddle is not where libheddle.so is, nor in ../bin", bytes);
  char call[channel::kMaxCheckCall];
  if (snprintf(call, sizeof call, "%s@%s", letters, request.place) >= static_cast<int>(sizeof call))
    return MakeError("too many calls of heddle::Check in one test, or too long a path", bytes);
  const int fields = MakeFile("heddle-fields");
  const int output = MakeFile("heddle-output");
  Words command = {};
  int error = ENOMEM;
  if (fields >= 0 && output >= 0 && MakeCommand(request, heddle, call, fields, command))
    error = RunCommand(command, fields, output);
  Forget(command);
  char* answer = nullptr;
  if (error != 0) {
    answer = MakeError(strerrordesc_np(error), bytes);
  } else {
    answer = ReadAll(fields, bytes);
    if (answer != nullptr && *bytes == 0) {
      free(answer);
      size_t ignored;
      char* said = ReadAll(output, &ignored);
      answer = said == nullptr ? nullptr : MakeError(said, bytes);
      free(said);
    }
  }
  close(fields);
  close(output);
  return answer;
}

}  // namespace

char* AskHeddle(const CheckRequest& request, size_t* bytes) {
  const HostLock lock(&asked.taken);
  const char* test = request.test_arguments[0];
  char* letters = LettersOf(test == nullptr ? "" : test);
  char* answer = Explore(request, letters, bytes);
  const char* verdict = answer == nullptr ? nullptr : strchr(answer, '\n');
  const size_t before = strlen(letters);
  if (before + 1 < sizeof asked.letters) {
    letters[before] = verdict == nullptr ? 'e' : verdict[1];
    letters[before + 1] = '\0';
  }
  return answer;
}

char* AnswerOfVerdict(char letter, size_t* bytes) {
  for (const char* verdict : kVerdicts)
    if (*verdict == letter) return MakeAnswer(verdict, "", bytes);
  return MakeError("", bytes);
}

}  // namespace heddle::runtime
