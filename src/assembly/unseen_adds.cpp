#include "assembly/unseen_adds.h"

namespace heddle::assembly {
namespace {

constexpr std::string_view kAdd = "__tsan_atomic32_fetch_add";
constexpr std::string_view kSub = "__tsan_atomic32_fetch_sub";
constexpr std::string_view kHeader = "/bits/atomic_wait.h";

constexpr HeaderCall kCalls[] = {
    {kAdd, kHeader, "{ __atomic_fetch_add(&_M_wait, 1, __ATOMIC_SEQ_CST); }", "heddle_add_unseen",
     true},
    {kSub, kHeader, "{ __atomic_fetch_sub(&_M_wait, 1, __ATOMIC_RELEASE); }", "heddle_sub_unseen",
     true},
    {kAdd, kHeader, "__atomic_fetch_add(_M_addr, 1, __ATOMIC_SEQ_CST);", "heddle_add_unseen", true},
};

}  // namespace

bool AddsAtomically(std::string_view text) { return NamesCallee(text, kCalls); }

std::string WithUnseenAdds(std::string_view text, const SourceLine& source) {
  return WithHeaderCalls(text, kCalls, source);
}

}  // namespace heddle::assembly
