// Structures of all kinds that are passed by value from memory, and that functions return into it: they stay what they are.
// compilers: gcc clang   opt: -O0 -O2 -O3   std: c++20
// flags: -w
// heddle: check
// expect: verdict=clean complete=true executions=1
#include <cassert>
#include <complex>
#include <cstdarg>
#include <cstring>
#include <functional>
#include <optional>
#include <string_view>
#include <tuple>

struct Empty {};
struct Bits {
  unsigned a : 3, b : 9;
};
union Either {
  int whole;
  double real;
};
struct Large {
  char bytes[4000];
};
struct [[gnu::packed]] Packed {
  char first;
  long second;
};
struct alignas(32) Aligned {
  int number;
};
using Vector = float __attribute__((vector_size(16)));
struct Throws {
  Throws() = default;
  Throws(const Throws& other) : number(other.number) {
    if (number == 9) throw 1;
  }
  ~Throws() {}
  int number = 1;
};

static Empty empty;
static Bits bits;
static volatile Bits volatile_bits;
static Either either;
static Large large, larges[3];
static Packed packed;
static const Packed constant = {1, 2};
static thread_local Packed local_packed;
static Aligned aligned;
static Vector vector;
static std::complex<double> number;
static _Complex float c_number;
static Throws throws;
static std::string_view text = "abc";
static std::optional<int> maybe;

[[gnu::noinline]] static int SumAll(Empty, Bits b, Either e, Large l, Packed p, Aligned a, Vector v, std::complex<double> n,
                                    _Complex float c) {
  return static_cast<int>(b.a) + e.whole + l.bytes[5] + p.first + a.number + static_cast<int>(v[1]) + static_cast<int>(n.real()) +
         static_cast<int>(__real__ c);
}
[[gnu::noinline]] static int SumVariable(int count, ...) {
  va_list list;
  va_start(list, count);
  const Packed p = va_arg(list, Packed);
  const Bits b = va_arg(list, Bits);
  const Large l = va_arg(list, Large);
  va_end(list);
  return p.first + static_cast<int>(b.a) + l.bytes[5];
}
[[gnu::noinline]] static Large MakeLarge() {
  Large made = {};
  made.bytes[7] = 3;
  return made;
}
[[gnu::noinline]] static Packed MakePacked() { return {1, 2}; }
[[gnu::noinline]] static Vector MakeVector() { return Vector{1, 2, 3, 4}; }
[[gnu::noinline]] static std::complex<double> MakeNumber() { return {1, 2}; }
[[gnu::noinline]] static std::optional<int> MakeMaybe(int value) { return value; }
[[gnu::noinline]] static std::size_t LengthOf(std::string_view view) { return view.size(); }
[[gnu::noinline]] static int NumberOf(Throws thrown) { return thrown.number; }
static Large Count(Large counted, int times) {
  if (times == 0) return counted;
  counted.bytes[0]++;
  return Count(counted, times - 1);
}

int main() {
  bits.a = 1, either.whole = 2, large.bytes[5] = 3, packed.first = 4, aligned.number = 5, vector[1] = 6, number = {7, 8}, c_number = 9;
  assert(SumAll(empty, bits, either, large, packed, aligned, vector, number, c_number) == 1 + 2 + 3 + 4 + 5 + 6 + 7 + 9);
  local_packed = constant;
  assert(SumVariable(1, local_packed, bits, large) == 1 + 1 + 3);

  large = MakeLarge(), packed = MakePacked(), vector = MakeVector(), number = MakeNumber(), maybe = MakeMaybe(3);
  assert(large.bytes[7] == 3 && packed.second == 2 && vector[2] == 3 && number.imag() == 2 && *maybe == 3);
  larges[1] = Count(larges[0], 5);
  large = Count(large, 3);
  assert(larges[1].bytes[0] == 5 && larges[0].bytes[0] == 0 && large.bytes[0] == 3 && large.bytes[7] == 3);

  const std::function<int(Packed, Large)> sum = [](Packed p, Large l) { return p.first + l.bytes[7]; };
  assert(sum(packed, large) == 4 && LengthOf(text) == 3 && text == "abc");
  assert(std::apply([](auto... each) { return (0 + ... + each); }, std::tuple(1, 2, 3)) == 6);
  assert(NumberOf(throws) == 1);
  throws.number = 9;
  try {
    NumberOf(throws);
    assert(false);
  } catch (int) {
  }

  char copy[sizeof packed];
  std::memcpy(copy, &packed, sizeof packed);
  assert(std::memcmp(copy, &packed, sizeof packed) == 0 && std::strcmp("a", "b") < 0);
  static_assert(__builtin_memcmp("ab", "ab", 2) == 0 && __builtin_strlen("abc") == 3);
}
