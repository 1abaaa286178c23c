// heddle::Check in an ordinary process: has heddle explore the body, and waits for what it finds.
#pragma once

#include <cstddef>

namespace heddle::runtime {

// What include/heddle.hpp hands over; lists end with a null.
struct CheckRequest {
  const char* place;                  // "FILE:LINE"
  const char* const* options;         // of heddle check
  const char* const* test_arguments;  // that make the program run the present test only
};

// Starts `heddle check` with the present program and its arguments, which it runs again up to this
// call (check_call.h). Answers the fields of report/fields.h in memory from malloc, `bytes` of
// them; null if there is no memory. What went wrong is a result as well. Several threads may call
// it; one waits for the other.
char* AskHeddle(const CheckRequest& request, size_t* bytes);

// The same for a call of which only the first letter of the verdict is known.
char* AnswerOfVerdict(char letter, size_t* bytes);

}  // namespace heddle::runtime
