// The buffers of wrong/kernel_buffers.c, as they should be: of the right size, live, and what the kernel wrote is written.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check --uninitialised --leaks
// expect: verdict=clean complete=true
// traces: 2 enumerated --uninitialised
#define _GNU_SOURCE
#include <assert.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int taken;

static void* takes(void* unused) {
  int* ends = malloc(2 * sizeof *ends);
  pthread_mutex_lock(&mutex);
  if (taken++ == 0) {
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    assert(ends[0] != ends[1]);
    close(ends[0]);
    close(ends[1]);
  }
  pthread_mutex_unlock(&mutex);
  free(ends);
  return unused;
}

int main(void) {
  int* ends = malloc(2 * sizeof *ends);
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  char* buffer = malloc(4);
  assert(send(ends[0], "1234567890123456", 16, 0) == 16);
  // More room is said than there is, as with read(); less comes.
  assert(recv(ends[1], buffer, 4, 0) == 4 && buffer[0] == '1' && buffer[3] == '4');
  struct iovec* parts = malloc(2 * sizeof *parts);
  char* second = malloc(8);
  parts[0] = (struct iovec){buffer, 4};
  parts[1] = (struct iovec){second, 100};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  assert(recvmsg(ends[1], &message, MSG_DONTWAIT) == 12 && second[7] == '6');
  parts[1].iov_len = 8;
  assert(sendmsg(ends[0], &message, 0) == 12);
  struct pollfd* asked = malloc(sizeof *asked);
  *asked = (struct pollfd){ends[1], POLLIN, 0};
  assert(poll(asked, 1, 0) == 1 && asked->revents == POLLIN);
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = 7};
  const int set = epoll_create1(0);
  assert(epoll_ctl(set, EPOLL_CTL_ADD, ends[1], &event) == 0);
  struct epoll_event* events = malloc(sizeof *events);
  assert(epoll_wait(set, events, 10, 0) == 1 && events->data.u32 == 7);
  struct stat* status = malloc(sizeof *status);
  assert(stat("/", status) == 0 && S_ISDIR(status->st_mode));
  assert(stat("/there is none", (struct stat*)buffer) == -1);
  char* link = malloc(3);
  assert(readlink("/proc/self/exe", link, 3) == 3 && link[0] == '/');
  char* path = getcwd(NULL, 0);
  assert(path[0] == '/');
  assert(getcwd(link, 1) == NULL);
  struct utsname* name = malloc(sizeof *name);
  assert(uname(name) == 0 && name->sysname[0] == 'L');
  int* value = malloc(sizeof *value);
  socklen_t* length = malloc(sizeof *length);
  *length = sizeof *value;
  assert(getsockopt(ends[0], SOL_SOCKET, SO_TYPE, value, length) == 0 && *value == SOCK_STREAM);
  // An address is longer than there is room for: so it is cut.
  const int other = socket(AF_INET, SOCK_STREAM, 0);
  char* address = malloc(2);
  *length = 2;
  assert(getsockname(other, (struct sockaddr*)address, length) == 0 && *length > 2 && address[0] == AF_INET);
  free(address), free(length), free(value), free(name), free(path), free(link), free(status), free(events), free(asked);
  free(second), free(parts), free(buffer), free(ends);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, takes, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  return 0;
}
