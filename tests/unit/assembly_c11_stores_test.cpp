// Which functions units that are compiled as C, or as C++ before C++20, call for atomic stores.
#include "assembly/c11_stores.h"

#include <gtest/gtest.h>

namespace heddle::assembly {
namespace {

TEST(C11StoresTest, NamesTheFunctionsThatAreCalled) {
  EXPECT_EQ(C11Stores("\tcall\t__tsan_atomic32_store@PLT\n"),
            "\n\t.set __tsan_atomic32_store, heddle_c11_tsan_atomic32_store\n");
  EXPECT_EQ(C11Stores("\tjmp\t__atomic_store_16\n\tcall\t*__atomic_store@GOTPCREL(%rip)\n"),
            "\n\t.set __atomic_store, heddle_c11_atomic_store"
            "\n\t.set __atomic_store_16, heddle_c11_atomic_store_16\n");
}

TEST(C11StoresTest, FindsThemInEveryKindOfReference) {
  for (const char* reference :
       {"\tmovabsq\t$__tsan_atomic8_store@PLTOFF, %rax\n", "\tcallq\t__tsan_atomic8_store",
        "\tmovq __tsan_atomic8_store@GOTPCREL(%rip), %rbx\n", "\t.quad\t__tsan_atomic8_store\n"}) {
    EXPECT_EQ(C11Stores(reference),
              "\n\t.set __tsan_atomic8_store, heddle_c11_tsan_atomic8_store\n")
        << reference;
  }
}

TEST(C11StoresTest, LeavesEverythingElse) {
  EXPECT_EQ(C11Stores(""), "");
  EXPECT_EQ(C11Stores("\tcall\t__tsan_atomic32_load@PLT\n\tcall\t__atomic_store_n_mine\n"
                      "\tcall my__atomic_store\n"),
            "");
}

TEST(C11StoresTest, LeavesAFunctionOfTheUnitItself) {
  EXPECT_EQ(C11Stores("\t.globl\t__atomic_store_4\n__atomic_store_4:\n\tret\n"
                      "f:\n\tcall\t__atomic_store_4\n"),
            "");
}

}  // namespace
}  // namespace heddle::assembly
