// The unit of the figures: how often a second a small process can fork, and its child exit and be waited for.
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double Seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int main(int argc, char** argv) {
  const int forks = argc > 1 ? atoi(argv[1]) : 2000;
  const double begin = Seconds();
  for (int i = 0; i < forks; ++i) {
    const pid_t child = fork();
    if (child < 0) return 1;
    if (child == 0) _exit(0);
    if (waitpid(child, NULL, 0) != child) return 1;
  }
  printf("%.1f\n", forks / (Seconds() - begin));
  return 0;
}
