// What more processors would do for a search that takes long, in a line.
#pragma once

#include <string>

#include "report/search_result.h"

namespace heddle::report {

// "about 3 days more on this machine; `heddle-campaign run DIR -- PROG` on 64 cores: about 1.3
// hours (docs/campaigns.md)". Empty: it is soon over, nobody knows how long it takes, or it cannot
// be cut.
std::string MoreMachinesText(const SearchResult& result);

}  // namespace heddle::report
