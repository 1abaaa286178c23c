// "account": deposit and withdrawal lock separately, and the final check assumes that both have
// happened.
// heddle: check
// expect: verdict=bug kind=assertion preemptions=0
// Graphs: three sections under one mutex, 3! = 6 orders. In one of them the second fails, and the third waits.
// traces: 6 enumerated --keep-going
#include "run_threads.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int balance = 10, deposited, withdrawn;

static void *Deposit(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  balance += 5;
  deposited = 1;
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *Withdraw(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  balance -= 3;
  withdrawn = 1;
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void *Check(void *arg) {
  (void)arg;
  pthread_mutex_lock(&mutex);
  if (deposited && !withdrawn) assert(balance == 12);
  pthread_mutex_unlock(&mutex);
  return 0;
}

int main() { RunThreads(3, (Body[]){Check, Deposit, Withdraw}); }
