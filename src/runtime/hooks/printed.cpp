#include "runtime/hooks/printed.h"

#include <stdlib.h>

#include "runtime/hooks/strings.h"

namespace heddle::runtime {
namespace {

// How many characters of a wide string have room in `most` bytes, and its end, if that is read.
size_t WideCharacters(const wchar_t* string, size_t most) {
  const bool is_c = MB_CUR_MAX == 1;
  size_t bytes = 0;
  for (size_t i = 0;; ++i) {
    if (bytes >= most) return i;
    if (string[i] == 0) return i + 1;
    const auto c = static_cast<uint32_t>(string[i]);
    const size_t size = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    if (size > 1 && (is_c || c > 0x10ffff)) return i + 1;  // cannot be printed
    if (size > most - bytes) return i;
    bytes += size;
  }
}

void SeeString(const PrintArgument& argument, uintptr_t pc) {
  const auto* string = static_cast<const char*>(argument.pointer);
  *argument.slot = const_cast<char*>(Operand(string, argument.most, pc));
}

// As text of bytes has it: converted, and its precision counts bytes.
void SeeConverted(const PrintArgument& argument, uintptr_t pc) {
  const auto* string = static_cast<const wchar_t*>(argument.pointer);
  size_t count = 0;
  SeeAsItIs(string, pc, [&] { return count = WideCharacters(string, argument.most); });
  if (!IsPlainPoint(pc)) return;
  auto* const copy = static_cast<wchar_t*>(g_state.bump.Take((count + 1) * sizeof(wchar_t)));
  CopyChars(copy, string, count);
  copy[count] = 0;
  *argument.slot = copy;
}

// As text of wide characters has it: as it is, and its precision counts characters. That of other
// strings counts bytes there, too.
void SeeWide(const PrintArgument& argument, uintptr_t pc) {
  const auto* string = static_cast<const wchar_t*>(argument.pointer);
  *argument.slot = const_cast<wchar_t*>(Operand(string, argument.most, pc));
}

// `see_wide` sees a wide string, as the text has it that is made.
template <typename SeeWideString>
void SeeArguments(const PrintArguments& found, uintptr_t pc, SeeWideString see_wide) {
  for (unsigned i = 0; i < found.count; ++i) {
    if (IsPlainPoint(pc)) HashCallArgument(reinterpret_cast<uintptr_t>(found.all[i].pointer), i);
    if (found.all[i].kind == PrintArgument::Kind::kString) SeeString(found.all[i], pc);
    if (found.all[i].kind == PrintArgument::Kind::kWideString) see_wide(found.all[i], pc);
  }
  for (unsigned i = 0; i < found.count; ++i)
    if (found.all[i].kind == PrintArgument::Kind::kCount)
      PlainRange(found.all[i].pointer, found.all[i].size, true, pc);
}

}  // namespace

void See(Printed<char>& printed, const char* format, va_list list, uintptr_t pc) {
  printed.format = format;
  printed.arguments.count = 0;
  if (!IsSeen(pc)) return;
  printed.format = Operand(format, kEndless, pc);
  FindPrintArguments(printed.format, list, printed.arguments);
  SeeArguments(printed.arguments, pc, SeeConverted);
}

// Conversions are made of the same letters. Of a longer format the arguments are not looked at.
void See(Printed<wchar_t>& printed, const wchar_t* format, va_list list, uintptr_t pc) {
  constexpr size_t kLongest = 1024;
  printed.format = format;
  printed.arguments.count = 0;
  if (!IsSeen(pc)) return;
  printed.format = Operand(format, kEndless, pc);
  char letters[kLongest];
  size_t length = 0;
  for (; printed.format[length] != 0; ++length) {
    if (length == kLongest - 1) return;
    const wchar_t c = printed.format[length];
    letters[length] = c > 0 && c < 0x80 ? static_cast<char>(c) : '?';
  }
  letters[length] = 0;
  FindPrintArguments(letters, list, printed.arguments);
  SeeArguments(printed.arguments, pc, SeeWide);
}

void Return(const PrintArguments& arguments) {
  for (unsigned i = 0; i < arguments.count; ++i) *arguments.all[i].slot = arguments.all[i].pointer;
}

}  // namespace heddle::runtime
