#include "report/visible_result.h"

#include <utility>

#include "report/visible.h"

namespace heddle::report {
namespace {

void Make(std::string& text) {
  // Nearly all are plain already, and there may be a million.
  for (const char c : text)
    if (c < ' ' || c > '~') {
      text = VisibleLine(text);
      return;
    }
}

void Make(Location& location) {
  Make(location.file);
  Make(location.function);
}

void Make(Step& step) {
  for (std::string* text :
       {&step.thread, &step.operation, &step.text, &step.object, &step.read, &step.written,
        &step.expected, &step.remark, &step.order, &step.owner, &step.source})
    Make(*text);
  Make(step.location);
  Make(step.within);
  for (Frame& frame : step.stack) {
    Make(frame.location);
    Make(frame.module);
  }
}

}  // namespace

Finding VisibleFinding(Finding finding) {
  for (std::string* text : {&finding.kind, &finding.identity, &finding.message, &finding.thread,
                            &finding.may_be_ordered_by})
    Make(*text);
  for (Location& location : finding.locations) Make(location);
  for (Step& step : finding.steps) Make(step);
  for (Block& block : finding.blocks) {
    for (std::string* text : {&block.name, &block.noun, &block.thread, &block.source}) Make(*text);
    Make(block.location);
  }
  for (WeakExecution& weak : finding.weak) {
    for (GraphEvent& event : weak.events) {
      for (std::string* text : {&event.thread, &event.text, &event.order}) Make(*text);
      Make(event.location);
    }
    for (std::vector<OrderChange>& set : weak.forbidden_by)
      for (OrderChange& change : set) {
        Make(change.order);
        Make(change.location);
      }
    for (Confirmation& one : weak.confirmed) {
      Make(one.result);
      Make(one.why);
    }
  }
  for (Finding& other : finding.other) other = VisibleFinding(std::move(other));
  return finding;
}

}  // namespace heddle::report
