#include "work_list.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct WorkList {
  pthread_mutex_t mutex;
  int next, last;
};

struct WorkList *NewWorkList(int first, int last) {
  struct WorkList *list = malloc(sizeof *list);
  pthread_mutex_init(&list->mutex, NULL);
  list->next = first;
  list->last = last;
  return list;
}

void FreeWorkList(struct WorkList *list) {
  pthread_mutex_destroy(&list->mutex);
  free(list);
}

int IsEmpty(struct WorkList *list) {
  pthread_mutex_lock(&list->mutex);
  int empty = list->next > list->last;
  pthread_mutex_unlock(&list->mutex);
  return empty;
}

int Take(struct WorkList *list) {
  pthread_mutex_lock(&list->mutex);
  if (list->next > list->last) {
    fprintf(stderr, "Take: the list is empty\n");
    abort();
  }
  int number = list->next++;
  pthread_mutex_unlock(&list->mutex);
  return number;
}
