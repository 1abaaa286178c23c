// What is at the address that was seen last is taken for what was there then. A block that was freed in between and allocated
// again lies there only if malloc hands out what was freed.
// compilers: gcc clang
// heddle: check
// expect: verdict=clean complete=true
// heddle: check --reuse late
// expect: verdict=clean complete=true
// heddle: check --reuse now
// expect: verdict=bug kind=assertion location=@seen preemptions=1
// heddle: check --reuse now --reduction none --order depth-first
// expect: verdict=bug kind=assertion location=@seen
// heddle: check --reuse now --points all
// expect: verdict=bug kind=assertion location=@seen
// heddle: check --reuse now --visited states
// expect: verdict=bug kind=assertion location=@seen
// heddle: check --reuse now --rewind fork
// expect: verdict=bug kind=assertion location=@seen
// The other thread's section comes before, between or behind main's two: 3.
// traces: 3 enumerated --keep-going
// traces: 3 enumerated --keep-going --reuse now
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
  int value;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *head;

static struct node *Make(int value) {
  struct node *made = malloc(sizeof *made);
  made->value = value;
  return made;
}

static void *Replace(void *arg) {
  pthread_mutex_lock(&lock);
  free(head);
  head = Make(2);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t other;
  head = Make(1);
  pthread_create(&other, NULL, Replace, NULL);
  pthread_mutex_lock(&lock);
  struct node *seen = head;
  int value = seen->value;
  pthread_mutex_unlock(&lock);
  pthread_mutex_lock(&lock);
  if (seen == head) assert(head->value == value);  // @seen
  pthread_mutex_unlock(&lock);
  pthread_join(other, NULL);
}
