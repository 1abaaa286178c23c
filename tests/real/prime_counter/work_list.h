// A list of numbers that several workers take from.
#ifndef WORK_LIST_H
#define WORK_LIST_H

struct WorkList;

struct WorkList *NewWorkList(int first, int last);
void FreeWorkList(struct WorkList *list);
int IsEmpty(struct WorkList *list);
int Take(struct WorkList *list);  // the next number; the list must not be empty

#endif
