// What the C library opens, maps and closes for itself while it looks up users, groups, services and addresses: an execution
// leaves nothing of it behind. One lock in each of two threads, C(2,1) = 2.
// heddle: check --reduction none
// expect: verdict=clean complete=true executions=2
#include <assert.h>
#include <grp.h>
#include <netdb.h>
#include <pwd.h>
#include <string.h>

#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *Look(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  struct group group, *found;
  char buffer[1024];
  assert(getgrgid_r(0, &group, buffer, sizeof buffer, &found) == 0);
  assert(found && strcmp(found->gr_name, "root") == 0);
  return arg;
}

int main() {
  struct passwd *user = getpwnam("root");
  assert(user && user->pw_uid == 0);
  getservbyname("http", "tcp");
  struct addrinfo *found = 0, hints = {.ai_family = AF_INET, .ai_flags = AI_NUMERICHOST};
  assert(getaddrinfo("127.0.0.1", "80", &hints, &found) == 0);
  freeaddrinfo(found);
  RunSame(2, Look);
}
