// What nobody has written is moved about, in whole or bit by bit, and not looked at.
// compilers: gcc clang   opt: -O0 -O1 -O2 -O3
// heddle: check --uninitialised
// expect: verdict=clean complete=true

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Bits {
  unsigned a : 3, b : 5, c : 24;
  unsigned long low : 40, high : 24;
};

struct Node {
  int x, y, z, w;
  long count;
  struct Node *left, *right;
};

struct Pair {
  int a;
  char b;
  short c;
};

int sum;
extern char* optarg;

__attribute__((noinline)) static void* New(size_t bytes) { return malloc(bytes); }

__attribute__((noinline)) static void Fill(struct Node* node) { *node = (struct Node){1, 2, 3, 4, 5, node, node}; }

// A bit field is written by reading what lies beside it; which of two comes first does not matter.
__attribute__((noinline)) static void SetA(struct Bits* bits, unsigned value) { bits->a = value; }
__attribute__((noinline)) static void SetB(struct Bits* bits, unsigned value) { bits->b = value; }
__attribute__((noinline)) static void SetC(struct Bits* bits, unsigned value) { bits->c = value; }
__attribute__((noinline)) static void SetLow(struct Bits* bits, unsigned long value) { bits->low = value; }
__attribute__((noinline)) static void SetHigh(struct Bits* bits, unsigned long value) { bits->high = value; }

__attribute__((noinline)) static void CopyBits(struct Bits* to, const struct Bits* from) {
  to->a = from->a;
  to->b = from->b;
  to->c = from->c;
  to->low = from->low;
  to->high = from->high;
}

static void BitFields(void) {
  struct Bits* bits[5];
  for (int i = 0; i < 5; ++i) bits[i] = New(sizeof(struct Bits));
  CopyBits(bits[4], bits[3]);
  SetA(bits[0], 1);
  SetB(bits[1], 2);
  SetC(bits[2], 3);
  SetLow(bits[0], 4);
  SetHigh(bits[1], 5);
  sum += (int)(bits[0]->a + bits[1]->b + bits[2]->c + bits[0]->low + bits[1]->high);
  bits[3]->a = 1;
  bits[3]->b = 2;
  if (bits[3]->a == 1) ++sum;
  for (int i = 0; i < 5; ++i) free(bits[i]);
}

// Copied to variables, which are written before they are looked at: by a function, through a pointer, by memset.
__attribute__((noinline)) static void Overwritten(void) {
  struct Node* node = New(sizeof *node);
  struct Node copy;
  copy.x = node->x;
  copy.y = node->y;
  Fill(&copy);
  if (copy.x == 1) sum += copy.y;
  int value = node->z;
  int* volatile pointer = &value;
  *pointer = 3;
  if (value == 3) ++sum;
  copy.count = node->count;
  memset(&copy, 0, sizeof copy);
  if (copy.count == 0) ++sum;
  node->left = &copy;
  Fill(node->left);
  node->left->w = node->w;
  Fill(node->left);
  if (node->left->w == 4) ++sum;
  free(node);
}

// Loads that the compiler may make early, of which one is not used.
__attribute__((noinline)) static int Child(struct Node* node, int which) {
  const struct Node* const child = which != 0 ? node->left : node->right;
  return child->x == 1;
}

// Beside what is calculated with, and addresses that are read from tables.
__attribute__((noinline)) static void Beside(struct Node* to, const struct Node* from, struct Node* counts) {
  to->x = from->x;
  ++counts->w;
  to->y = from->y;
  counts->z += counts->w;
  optarg = (char*)from->left;
}

__attribute__((noinline)) static struct Pair Parts(const struct Pair* from) {
  struct Pair pair;
  pair.a = from->a;
  pair.b = from->b;
  pair.c = from->c;
  return pair;
}

int main(void) {
  BitFields();
  Overwritten();
  struct Node leaf;
  Fill(&leaf);
  struct Node* node = New(sizeof *node);
  struct Node* other = New(sizeof *other);
  node->left = &leaf;
  sum += Child(node, 1);
  Beside(other, node, &leaf);
  optarg = NULL;
  struct Pair* pair = New(sizeof *pair);
  struct Pair* copy = New(sizeof *copy);
  *copy = Parts(pair);
  free(pair);
  free(copy);
  free(node);
  free(other);
  return sum == 0;
}
