// A function that heddle-cc did not compile.
// heddle: check
// expect: incomplete=unseen-code
void Unseen(void);
__asm__(
    ".pushsection .text.unseen, \"ax\"\n"
    ".globl Unseen\n"
    ".type Unseen, @function\n"
    "Unseen: ret\n"
    ".size Unseen, . - Unseen\n"
    ".popsection");

int main(void) { Unseen(); }
