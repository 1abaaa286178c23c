// What the kernel reads from and writes to the program's memory for it are accesses of the program.
// compilers: gcc clang   opt: -O0 -O2
// heddle: check -- recv_freed
// expect: verdict=bug kind=use-after-free location=@recv_freed message~"main writes block#1" executions=1
// heddle: check -- recv_over
// expect: verdict=bug kind=heap-buffer-overflow location=@recv_over executions=1
// heddle: check -- recvfrom
// expect: verdict=bug kind=heap-buffer-overflow location=@recvfrom
// heddle: check -- recvmsg
// expect: verdict=bug kind=heap-buffer-overflow location=@recvmsg
// heddle: check -- sendmsg
// expect: verdict=bug kind=use-after-free location=@sendmsg message~"main reads block#1"
// heddle: check -- pipe
// expect: verdict=bug kind=heap-buffer-overflow location=@pipe
// heddle: check -- socketpair
// expect: verdict=bug kind=heap-buffer-overflow location=@socketpair
// heddle: check -- stat
// expect: verdict=bug kind=heap-buffer-overflow location=@stat
// heddle: check -- fstat
// expect: verdict=bug kind=use-after-free location=@fstat
// heddle: check -- readlink
// expect: verdict=bug kind=heap-buffer-overflow location=@readlink
// heddle: check -- getcwd
// expect: verdict=bug kind=use-after-free location=@getcwd
// heddle: check -- uname
// expect: verdict=bug kind=use-after-free location=@uname
// heddle: check -- getsockopt
// expect: verdict=bug kind=heap-buffer-overflow location=@getsockopt
// heddle: check -- poll
// expect: verdict=bug kind=heap-buffer-overflow location=@poll message~"main reads 16 bytes, over the end of block#1, 8 bytes"
// heddle: check -- epoll_wait
// expect: verdict=bug kind=use-after-free location=@epoll_wait
// Two critical sections: one frees the buffer, the other one receives into it.
// traces: 2 enumerated --keep-going -- ordered
// heddle: check -- ordered
// expect: verdict=bug kind=use-after-free location=@ordered preemptions=0 message~"T2 writes block#1" message~"freed by T1"
// heddle: check --no-races -- ordered
// expect: verdict=bug kind=use-after-free location=@ordered
// Nothing orders two that receive into one buffer.
// heddle: check -- unordered
// expect: verdict=bug kind=data-race location=@unordered
#define _GNU_SOURCE
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
static int ends[2];
static char* volatile buffer;
static char both[4];

static void* frees(void* unused) {
  pthread_mutex_lock(&mutex);
  free(buffer);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* receives(void* unused) {
  pthread_mutex_lock(&mutex);
  recv(ends[1], buffer, 4, 0);  // @ordered
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* receives_alone(void* unused) {
  recv(ends[1], both, 2, 0);  // @unordered
  return unused;
}

static void run(void* (*first)(void*), void* (*second)(void*)) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
#define IS(name) (strcmp(mode, name) == 0)
  socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
  send(ends[0], "12345678", 8, 0);
  buffer = malloc(4);
  struct iovec parts[2] = {{both, 4}, {buffer, 5}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  if (IS("recv_freed")) {
    free(buffer);
    recv(ends[1], buffer, 4, 0);  // @recv_freed
  }
  if (IS("recv_over")) recv(ends[1], buffer, 5, 0);                    // @recv_over
  if (IS("recvfrom")) recvfrom(ends[1], buffer, 8, 0, NULL, NULL);      // @recvfrom
  if (IS("recvmsg")) {
    send(ends[0], "9", 1, 0);
    recvmsg(ends[1], &message, 0);  // @recvmsg
  }
  if (IS("sendmsg")) {
    free(buffer);
    sendmsg(ends[0], &message, 0);  // @sendmsg
  }
  if (IS("pipe")) pipe((int*)buffer);                                    // @pipe
  if (IS("socketpair")) socketpair(AF_UNIX, SOCK_STREAM, 0, (int*)buffer);  // @socketpair
  if (IS("stat")) stat("/", (struct stat*)buffer);                       // @stat
  if (IS("fstat")) {
    struct stat* answer = malloc(sizeof *answer);
    free(answer);
    fstat(ends[0], answer);  // @fstat
  }
  if (IS("readlink")) readlink("/proc/self/exe", buffer, 100);  // @readlink
  if (IS("getcwd")) {
    char* path = malloc(4096);
    free(path);
    getcwd(path, 4096);  // @getcwd
  }
  if (IS("uname")) {
    struct utsname* name = malloc(sizeof *name);
    free(name);
    uname(name);  // @uname
  }
  if (IS("getsockopt")) {
    char* value = malloc(2);
    socklen_t length = 4;
    getsockopt(ends[0], SOL_SOCKET, SO_TYPE, value, &length);  // @getsockopt
  }
  if (IS("poll")) {
    struct pollfd* asked = realloc(buffer, sizeof *asked);
    *asked = (struct pollfd){ends[1], POLLIN, 0};
    poll(asked, 2, 0);  // @poll
  }
  if (IS("epoll_wait")) {
    const int set = epoll_create1(0);
    struct epoll_event event = {.events = EPOLLIN};
    epoll_ctl(set, EPOLL_CTL_ADD, ends[1], &event);
    struct epoll_event* events = malloc(sizeof *events);
    free(events);
    epoll_wait(set, events, 1, -1);  // @epoll_wait
  }
  if (IS("ordered")) run(frees, receives);
  if (IS("unordered")) run(receives_alone, receives_alone);
  return 0;
}
