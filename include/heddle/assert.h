/* Stands before the C library's <assert.h> in what heddle-cc compiles. With NDEBUG assert() does
 * nothing, and `heddle check` finds no failed one: so the object gets a note, which names the unit
 * (kNoteAssertsOff in src/op/asm_access.h). No guard: each inclusion may change what assert() is. */
#pragma GCC system_header
#if __has_include_next(<assert.h>)
#include_next <assert.h>
#endif
#if defined NDEBUG && !defined HEDDLE_ASSERTS_OFF
#define HEDDLE_ASSERTS_OFF_QUOTED(name) #name
#define HEDDLE_ASSERTS_OFF(name) HEDDLE_ASSERTS_OFF_QUOTED(name)
__asm__(".pushsection .note.heddle,\"a\",@note\n"
        ".balign 4\n"
        ".long 7, 772f-771f, 2\n"
        ".asciz \"heddle\"\n"
        ".balign 4\n"
        "771: .asciz " HEDDLE_ASSERTS_OFF(__BASE_FILE__) "\n"
        "772: .balign 4\n"
        ".popsection\n");
#endif
