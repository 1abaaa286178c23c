// What functions of libc read and write for the program is checked against the life of its memory: `freed` is a
// block that was freed. In each case the very line is named.
// compilers: gcc clang   opt: -O0 -O2   flags: -fno-builtin
// heddle: check -- clock_gettime
// expect: verdict=bug kind=use-after-free location=@clock_gettime message~"block#1" executions=1
// heddle: check -- time
// expect: verdict=bug kind=use-after-free location=@time message~"block#1" executions=1
// heddle: check -- gettimeofday
// expect: verdict=bug kind=use-after-free location=@gettimeofday message~"block#1" executions=1
// heddle: check -- timespec_get
// expect: verdict=bug kind=use-after-free location=@timespec_get message~"block#1" executions=1
// heddle: check -- nanosleep
// expect: verdict=bug kind=use-after-free location=@nanosleep message~"block#1" executions=1
// heddle: check -- clock_nanosleep
// expect: verdict=bug kind=use-after-free location=@clock_nanosleep message~"block#1" executions=1
// heddle: check -- gmtime_r
// expect: verdict=bug kind=use-after-free location=@gmtime_r message~"block#1" executions=1
// heddle: check -- localtime_r
// expect: verdict=bug kind=use-after-free location=@localtime_r message~"block#1" executions=1
// heddle: check -- mktime
// expect: verdict=bug kind=use-after-free location=@mktime message~"block#1" executions=1
// heddle: check -- asctime_r
// expect: verdict=bug kind=use-after-free location=@asctime_r message~"block#1" executions=1
// heddle: check -- ctime_r
// expect: verdict=bug kind=use-after-free location=@ctime_r message~"block#1" executions=1
// heddle: check -- strftime
// expect: verdict=bug kind=use-after-free location=@strftime message~"block#1" executions=1
// heddle: check -- strftime_date
// expect: verdict=bug kind=use-after-free location=@strftime_date message~"block#1" executions=1
// heddle: check -- strptime
// expect: verdict=bug kind=use-after-free location=@strptime message~"block#1" executions=1
// heddle: check -- cond_timedwait
// expect: verdict=bug kind=use-after-free location=@cond_timedwait message~"block#1" executions=1
// heddle: check -- mutex_timedlock
// expect: verdict=bug kind=use-after-free location=@mutex_timedlock message~"block#1" executions=1
// heddle: check -- rwlock_timed
// expect: verdict=bug kind=use-after-free location=@rwlock_timed message~"block#1" executions=1
// heddle: check -- sem_timedwait
// expect: verdict=bug kind=use-after-free location=@sem_timedwait message~"block#1" executions=1
// heddle: check -- sem_getvalue
// expect: verdict=bug kind=use-after-free location=@sem_getvalue message~"block#1" executions=1
// heddle: check -- create
// expect: verdict=bug kind=use-after-free location=@create message~"block#1" executions=1
// heddle: check -- create_attributes
// expect: verdict=bug kind=use-after-free location=@create_attributes message~"block#1" executions=1
// heddle: check -- join
// expect: verdict=bug kind=use-after-free location=@join message~"block#1" executions=1
// heddle: check -- attributes
// expect: verdict=bug kind=use-after-free location=@attributes message~"block#1" executions=1
// heddle: check -- mutex_attributes
// expect: verdict=bug kind=use-after-free location=@mutex_attributes message~"block#1" executions=1
// heddle: check -- sigemptyset
// expect: verdict=bug kind=use-after-free location=@sigemptyset message~"block#1" executions=1
// heddle: check -- sigaction
// expect: verdict=bug kind=use-after-free location=@sigaction message~"block#1" executions=1
// heddle: check -- sigaction_old
// expect: verdict=bug kind=use-after-free location=@sigaction_old message~"block#1" executions=1
// heddle: check -- sigmask
// expect: verdict=bug kind=use-after-free location=@sigmask message~"block#1" executions=1
// heddle: check -- sigpending
// expect: verdict=bug kind=use-after-free location=@sigpending message~"block#1" executions=1
// heddle: check -- sscanf
// expect: verdict=bug kind=use-after-free location=@sscanf message~"block#1" executions=1
// heddle: check -- sscanf_text
// expect: verdict=bug kind=use-after-free location=@sscanf_text message~"block#1" executions=1
// heddle: check -- sscanf_string
// expect: verdict=bug kind=use-after-free location=@sscanf_string message~"block#1" executions=1
// heddle: check -- fscanf
// expect: verdict=bug kind=use-after-free location=@fscanf message~"block#1" executions=1
// heddle: check -- qsort
// expect: verdict=bug kind=use-after-free location=@qsort message~"block#1" executions=1
// heddle: check -- rand_r
// expect: verdict=bug kind=use-after-free location=@rand_r message~"block#1" executions=1
// heddle: check -- erand48
// expect: verdict=bug kind=use-after-free location=@erand48 message~"block#1" executions=1
// heddle: check -- swab
// expect: verdict=bug kind=use-after-free location=@swab message~"block#1" executions=1
// heddle: check -- strcoll
// expect: verdict=bug kind=use-after-free location=@strcoll message~"block#1" executions=1
// heddle: check -- strxfrm
// expect: verdict=bug kind=use-after-free location=@strxfrm message~"block#1" executions=1
// heddle: check -- strerror_r
// expect: verdict=bug kind=use-after-free location=@strerror_r message~"block#1" executions=1
// heddle: check -- mbstowcs
// expect: verdict=bug kind=use-after-free location=@mbstowcs message~"block#1" executions=1
// heddle: check -- wcstombs
// expect: verdict=bug kind=use-after-free location=@wcstombs message~"block#1" executions=1
// heddle: check -- realpath
// expect: verdict=bug kind=use-after-free location=@realpath message~"block#1" executions=1
// heddle: check -- inet_ntop
// expect: verdict=bug kind=use-after-free location=@inet_ntop message~"block#1" executions=1
// heddle: check -- inet_pton
// expect: verdict=bug kind=use-after-free location=@inet_pton message~"block#1" executions=1
// heddle: check -- getaddrinfo
// expect: verdict=bug kind=use-after-free location=@getaddrinfo message~"block#1" executions=1
// heddle: check -- gethostname
// expect: verdict=bug kind=use-after-free location=@gethostname message~"block#1" executions=1
// heddle: check -- getrandom
// expect: verdict=bug kind=use-after-free location=@getrandom message~"block#1" executions=1
// heddle: check -- getaffinity
// expect: verdict=bug kind=use-after-free location=@getaffinity message~"block#1" executions=1
// heddle: check -- getname
// expect: verdict=bug kind=use-after-free location=@getname message~"block#1" executions=1
// heddle: check -- wait
// expect: verdict=bug kind=use-after-free location=@wait message~"block#1" executions=1
// heddle: check -- select
// expect: verdict=bug kind=use-after-free location=@select message~"block#1" executions=1
// heddle: check -- select_limit
// expect: verdict=bug kind=use-after-free location=@select_limit message~"block#1" executions=1
// heddle: check -- writev
// expect: verdict=bug kind=use-after-free location=@writev message~"block#1" executions=1
// heddle: check -- sendmsg
// expect: verdict=bug kind=use-after-free location=@sendmsg message~"block#1" executions=1
// heddle: check -- bind
// expect: verdict=bug kind=use-after-free location=@bind message~"block#1" executions=1
// heddle: check -- setsockopt
// expect: verdict=bug kind=use-after-free location=@setsockopt message~"block#1" executions=1
// heddle: check -- epoll_ctl
// expect: verdict=bug kind=use-after-free location=@epoll_ctl message~"block#1" executions=1
// heddle: check -- open
// expect: verdict=bug kind=use-after-free location=@open message~"block#1" executions=1
// heddle: check -- fopen
// expect: verdict=bug kind=use-after-free location=@fopen message~"block#1" executions=1
// heddle: check -- fopen_mode
// expect: verdict=bug kind=use-after-free location=@fopen_mode message~"block#1" executions=1
// heddle: check -- stat
// expect: verdict=bug kind=use-after-free location=@stat message~"block#1" executions=1
// heddle: check -- opendir
// expect: verdict=bug kind=use-after-free location=@opendir message~"block#1" executions=1
// heddle: check -- mkstemp
// expect: verdict=bug kind=use-after-free location=@mkstemp message~"block#1" executions=1
// heddle: check -- getenv
// expect: verdict=bug kind=use-after-free location=@getenv message~"block#1" executions=1
// heddle: check -- setenv
// expect: verdict=bug kind=use-after-free location=@setenv message~"block#1" executions=1
// heddle: check -- getpwnam
// expect: verdict=bug kind=use-after-free location=@getpwnam message~"block#1" executions=1
// Bounds of a live block, too.
// heddle: check -- over_gmtime_r
// expect: verdict=bug kind=heap-buffer-overflow location=@over_gmtime_r
// heddle: check -- over_sscanf
// expect: verdict=bug kind=heap-buffer-overflow location=@over_sscanf message~"7 bytes"
// heddle: check -- over_strftime
// expect: verdict=bug kind=heap-buffer-overflow location=@over_strftime
// heddle: check -- over_qsort
// expect: verdict=bug kind=heap-buffer-overflow location=@over_qsort
// Two critical sections: one frees the block, the other one reads a number into it.
// traces: 2 enumerated --keep-going -- ordered
// heddle: check -- ordered
// expect: verdict=bug kind=use-after-free location=@ordered message~"freed by T1"
// Nothing orders two that sort one array, and two that read into one place.
// heddle: check -- unordered_sort
// expect: verdict=bug kind=data-race location=@unordered_sort
// heddle: check -- unordered_scan
// expect: verdict=bug kind=data-race location=@unordered_scan
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <netdb.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int __xpg_strerror_r(int error, char* to, size_t room);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int* volatile shared;
static int numbers[4] = {4, 3, 2, 1};
static int place;

static int compare(const void* a, const void* b) {
  (void)a, (void)b;
  return 0;
}

static void* answers(void* unused) { return unused; }

static void* frees(void* unused) {
  pthread_mutex_lock(&mutex);
  free(shared);
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* scans(void* unused) {
  pthread_mutex_lock(&mutex);
  sscanf("5", "%d", shared);  // @ordered
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void* sorts_alone(void* unused) {
  qsort(numbers, 4, sizeof(int), compare);  // @unordered_sort
  return unused;
}

static void* scans_alone(void* unused) {
  sscanf("5", "%d", &place);  // @unordered_scan
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
  pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_t thread;
  sem_t semaphore;
  sem_init(&semaphore, 0, 1);
  pthread_mutex_t* const held = &mutex;
  struct tm date = {.tm_mday = 1};
  const time_t moment = 0;
  struct timeval none = {0, 0};
  fd_set set;
  FD_ZERO(&set);
  struct stat status;
  char text[64] = "12 34";
  int number = 0;
  volatile int result = 0;
  char* volatile const block = calloc(1, 512);
  strcpy(block, "abcXXXXXX");
  void* volatile kept = block;
  free(block);
  void* const freed = kept;
  (void)held, (void)thread, (void)status, (void)number, (void)date, (void)moment, (void)none, (void)result;
  if (IS("clock_gettime")) clock_gettime(CLOCK_MONOTONIC, freed);  // @clock_gettime
  if (IS("time")) time(freed);  // @time
  if (IS("gettimeofday")) gettimeofday(freed, NULL);  // @gettimeofday
  if (IS("timespec_get")) timespec_get(freed, TIME_UTC);  // @timespec_get
  if (IS("nanosleep")) nanosleep(freed, NULL);  // @nanosleep
  if (IS("clock_nanosleep")) clock_nanosleep(CLOCK_MONOTONIC, 0, freed, NULL);  // @clock_nanosleep
  if (IS("gmtime_r")) gmtime_r(&moment, freed);  // @gmtime_r
  if (IS("localtime_r")) localtime_r(freed, &date);  // @localtime_r
  if (IS("mktime")) mktime(freed);  // @mktime
  if (IS("asctime_r")) asctime_r(&date, freed);  // @asctime_r
  if (IS("ctime_r")) ctime_r(&moment, freed);  // @ctime_r
  if (IS("strftime")) strftime(freed, 20, "%Y", &date);  // @strftime
  if (IS("strftime_date")) strftime(text, 20, "%Y", freed);  // @strftime_date
  if (IS("strptime")) strptime("12", "%H", freed);  // @strptime
  if (IS("cond_timedwait")) pthread_cond_timedwait(&condition, &mutex, freed);  // @cond_timedwait
  if (IS("mutex_timedlock")) pthread_mutex_timedlock(&mutex, freed);  // @mutex_timedlock
  if (IS("rwlock_timed")) pthread_rwlock_timedrdlock(&lock, freed);  // @rwlock_timed
  if (IS("sem_timedwait")) sem_timedwait(&semaphore, freed);  // @sem_timedwait
  if (IS("sem_getvalue")) sem_getvalue(&semaphore, freed);  // @sem_getvalue
  if (IS("create")) pthread_create(freed, NULL, answers, NULL);  // @create
  if (IS("create_attributes")) pthread_create(&thread, freed, answers, NULL);  // @create_attributes
  if (IS("join")) {
    pthread_create(&thread, NULL, answers, NULL);
    pthread_join(thread, freed);  // @join
  }
  if (IS("attributes")) pthread_attr_init(freed);  // @attributes
  if (IS("mutex_attributes")) pthread_mutexattr_settype(freed, 0);  // @mutex_attributes
  if (IS("sigemptyset")) sigemptyset(freed);  // @sigemptyset
  if (IS("sigaction")) sigaction(SIGUSR1, freed, NULL);  // @sigaction
  if (IS("sigaction_old")) sigaction(SIGUSR1, NULL, freed);  // @sigaction_old
  if (IS("sigmask")) pthread_sigmask(SIG_BLOCK, NULL, freed);  // @sigmask
  if (IS("sigpending")) sigpending(freed);  // @sigpending
  if (IS("sscanf")) sscanf("7", "%d", (int*)freed);  // @sscanf
  if (IS("sscanf_text")) sscanf(freed, "%*d");  // @sscanf_text
  if (IS("sscanf_string")) sscanf("1 abcdef", "%d %s", &number, (char*)freed);  // @sscanf_string
  if (IS("fscanf")) fscanf(fmemopen(text, 6, "r"), "%5s", (char*)freed);  // @fscanf
  if (IS("qsort")) qsort(freed, 4, 4, compare);  // @qsort
  if (IS("rand_r")) rand_r(freed);  // @rand_r
  if (IS("erand48")) erand48(freed);  // @erand48
  if (IS("swab")) swab(text, freed, 8);  // @swab
  if (IS("strcoll")) result = strcoll(text, freed);  // @strcoll
  if (IS("strxfrm")) strxfrm(freed, text, 50);  // @strxfrm
  if (IS("strerror_r")) __xpg_strerror_r(2, freed, 50);  // @strerror_r
  if (IS("mbstowcs")) mbstowcs(freed, text, 5);  // @mbstowcs
  if (IS("wcstombs")) wcstombs(freed, L"abc", 5);  // @wcstombs
  if (IS("realpath")) realpath("/", freed);  // @realpath
  if (IS("inet_ntop")) inet_ntop(AF_INET, &number, freed, 50);  // @inet_ntop
  if (IS("inet_pton")) inet_pton(AF_INET, "127.0.0.1", freed);  // @inet_pton
  if (IS("getaddrinfo")) getaddrinfo("127.0.0.1", NULL, NULL, freed);  // @getaddrinfo
  if (IS("gethostname")) gethostname(freed, 100);  // @gethostname
  if (IS("getrandom")) getrandom(freed, 8, 0);  // @getrandom
  if (IS("getaffinity")) sched_getaffinity(0, 8, freed);  // @getaffinity
  if (IS("getname")) pthread_getname_np(pthread_self(), freed, 16);  // @getname
  if (IS("wait")) {
    if (fork() == 0) _exit(0);
    wait(freed);  // @wait
  }
  if (IS("select")) select(1, freed, NULL, NULL, &none);  // @select
  if (IS("select_limit")) select(1, &set, NULL, NULL, freed);  // @select_limit
  if (IS("writev")) writev(1, freed, 1);  // @writev
  if (IS("sendmsg")) sendmsg(0, freed, MSG_DONTWAIT);  // @sendmsg
  if (IS("bind")) bind(0, freed, 16);  // @bind
  if (IS("setsockopt")) setsockopt(0, SOL_SOCKET, SO_DEBUG, freed, 4);  // @setsockopt
  if (IS("epoll_ctl")) epoll_ctl(0, EPOLL_CTL_ADD, 1, freed);  // @epoll_ctl
  if (IS("open")) open(freed, O_RDONLY);  // @open
  if (IS("fopen")) fopen(freed, "r");  // @fopen
  if (IS("fopen_mode")) fopen("/", freed);  // @fopen_mode
  if (IS("stat")) stat(freed, &status);  // @stat
  if (IS("opendir")) opendir(freed);  // @opendir
  if (IS("mkstemp")) mkstemp(freed);  // @mkstemp
  if (IS("getenv")) getenv(freed);  // @getenv
  if (IS("setenv")) setenv("HEDDLE_TEST", freed, 1);  // @setenv
  if (IS("getpwnam")) getpwnam(freed);  // @getpwnam
  if (IS("over_gmtime_r")) gmtime_r(&moment, malloc(sizeof(struct tm) - 1));  // @over_gmtime_r
  if (IS("over_sscanf")) sscanf("abcdef", "%s", (char*)malloc(6));            // @over_sscanf
  if (IS("over_strftime")) strftime(malloc(4), 20, "%Y", &date);              // @over_strftime
  if (IS("over_qsort")) qsort(calloc(1, 15), 4, 4, compare);                  // @over_qsort
  if (IS("ordered")) {
    shared = malloc(sizeof *shared);
    run(frees, scans);
  }
  if (IS("unordered_sort")) run(sorts_alone, sorts_alone);
  if (IS("unordered_scan")) run(scans_alone, scans_alone);
  return 0;
}
