#include "cli/bugs_found.h"

#include "report/assemble.h"
#include "report/records.h"
#include "report/text.h"
#include "report/wording.h"

namespace heddle::cli {

std::string BugsFound::Look(std::span<const std::byte> report,
                            std::span<const channel::ThreadName> names,
                            const channel::Settings& settings, const report::Terminal& terminal) {
  if (report.size() == bytes_ && !some_are_new_) return "";
  bytes_ = report.size();
  some_are_new_ = false;
  std::string text;
  const report::Records records = report::ReadRecords(report);
  for (size_t i = 0; i < records.findings.size(); ++i) {
    const report::RawFinding& raw = records.findings[i];
    const uint32_t number = raw.head.number;
    // Before it is recorded nobody knows whether it is another bug than those known already.
    if (number == 0 || !raw.ended || raw.head.missing == channel::Missing::kRecording) continue;
    if (told_.contains(number)) continue;
    if (seen_.insert(number).second) {
      some_are_new_ = true;
      continue;
    }
    told_.insert(number);
    report::Finding finding = report::TellFinding(raw, records, names, symbolizer_);
    if (!messages_.insert(report::Headlined(finding)).second) continue;
    finding.record = i;
    schedules_.Record(records, names, settings, finding);
    text += report::FoundText(finding, settings.keep_going != 0, terminal);
  }
  return text;
}

}  // namespace heddle::cli
