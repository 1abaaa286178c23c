#include "model/consistency.h"

namespace heddle::model {

std::unique_ptr<Consistency> Make(space::MemoryModel model) {
  switch (model) {
    case space::MemoryModel::kSc:
      return MakeSequential();
    case space::MemoryModel::kTso:
      return MakeTso();
    case space::MemoryModel::kC11:
      return MakeC11();
  }
  return nullptr;
}

}  // namespace heddle::model
