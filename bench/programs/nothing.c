// What heddle check costs when there is nothing to check.
int main(void) { return 0; }
