#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "report/visible.h"
#include "report/weak_words.h"
#include "report/wording.h"

namespace heddle::report {
namespace {

// In pixels. Each event has a row of its own, so no two boxes are side by side, and an edge to
// another thread never crosses one of the two.
constexpr int kColumn = 270;
constexpr int kBox = 210;  // width
constexpr int kRow = 64;
constexpr int kHigh = 42;  // height of a box
constexpr int kTop = 34;
constexpr size_t kMostLetters = 33;

struct Point {
  int x, y;
};

class Picture {
 public:
  Picture(const WeakExecution& weak, std::string id) : weak_(weak), id_(std::move(id)) {
    for (const GraphEvent& event : weak.events) {
      const auto known = std::ranges::find(threads_, event.thread);
      columns_.push_back(static_cast<size_t>(known - threads_.begin()));
      if (known == threads_.end()) threads_.push_back(event.thread);
    }
  }

  std::string Draw() {
    const int width = static_cast<int>(threads_.size()) * kColumn + 20;
    const int height = kTop + static_cast<int>(weak_.events.size()) * kRow;
    std::string svg = fmt::format(
        "<svg class=\"graph\" role=\"img\" aria-label=\"The execution graph\" viewBox=\"0 0 {0} "
        "{1}\" "
        "width=\"{0}\" height=\"{1}\">\n<defs>",
        width, height);
    for (const char* name : {"po", "rf", "mo", "cycle"})
      svg += fmt::format(
          "<marker id=\"{}-{}\" class=\"{}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
          "markerWidth=\"8\" markerHeight=\"8\" markerUnits=\"userSpaceOnUse\" orient=\"auto\">"
          "<path d=\"M0,0L8,4L0,8z\"/></marker>",
          id_, name, name);
    svg += "</defs>\n";
    for (size_t t = 0; t < threads_.size(); ++t)
      svg += fmt::format("<text class=\"thread\" x=\"{}\" y=\"20\">{}</text>\n",
                         static_cast<int>(t) * kColumn + kBox / 2 + 20, Escaped(threads_[t]));
    ProgramOrder(svg);
    for (const GraphEdge& edge : weak_.edges)
      if (!IsOnCycle(edge)) svg += Arrow(edge, edge.relation);
    for (const GraphEdge& edge : weak_.cycle) svg += Arrow(edge, "cycle");
    for (size_t i = 0; i < weak_.events.size(); ++i) svg += Box(i);
    return svg + "</svg>\n";
  }

 private:
  Point TopLeft(size_t event) const {
    return {static_cast<int>(columns_[event]) * kColumn + 20,
            kTop + static_cast<int>(event) * kRow};
  }

  bool IsOnCycle(const GraphEdge& edge) const {
    return std::ranges::any_of(weak_.cycle, [&](const GraphEdge& one) {
      return one.from == edge.from && one.to == edge.to && one.relation == edge.relation;
    });
  }

  void ProgramOrder(std::string& svg) const {
    for (size_t i = 0; i < weak_.events.size(); ++i) {
      const auto next = std::find(columns_.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                  columns_.end(), columns_[i]);
      if (next == columns_.end()) continue;
      const GraphEdge edge = {"po", i, static_cast<size_t>(next - columns_.begin())};
      if (!IsOnCycle(edge)) svg += Arrow(edge, "po");
    }
  }

  // Program order goes straight down; in one thread other edges go around on the left; else from
  // the side that faces the other thread.
  std::string Arrow(const GraphEdge& edge, const std::string& style) const {
    const Point from = TopLeft(edge.from), to = TopLeft(edge.to);
    Point a, b, label;
    std::string curve;
    if (columns_[edge.from] == columns_[edge.to]) {
      const bool straight = edge.relation == "po" && to.y > from.y;
      a = straight ? Point{from.x + 30, from.y + kHigh} : Point{from.x, from.y + kHigh / 2};
      b = straight ? Point{to.x + 30, to.y} : Point{to.x, to.y + kHigh / 2};
      curve = straight ? fmt::format("L{},{}", b.x, b.y)
                       : fmt::format("C{0},{1} {0},{2} {3},{2}", a.x - 26, a.y, b.y, b.x);
      label = straight ? Point{a.x + 14, b.y - 6} : Point{a.x - 12, (a.y + b.y) / 2};
    } else {
      const bool right = columns_[edge.from] < columns_[edge.to];
      // Edges that leave and edges that come are apart.
      a = {from.x + (right ? kBox : 0), from.y + kHigh * 2 / 3};
      b = {to.x + (right ? 0 : kBox), to.y + kHigh / 3};
      const int bend = (right ? 1 : -1) * 45;
      curve = fmt::format("C{},{} {},{} {},{}", a.x + bend, a.y, b.x - bend, b.y, b.x, b.y);
      label = {(a.x + b.x) / 2, (a.y + b.y) / 2 - 4};
    }
    return fmt::format(
        "<path class=\"edge {0}\" marker-end=\"url(#{1}-{0})\" d=\"M{2},{3}{4}\"/>\n"
        "<text class=\"label {0}\" x=\"{5}\" y=\"{6}\">{7}</text>\n",
        style, id_, a.x, a.y, curve, label.x, label.y, Escaped(edge.relation));
  }

  std::string Box(size_t number) const {
    const GraphEvent& event = weak_.events[number];
    const Point at = TopLeft(number);
    std::string below = event.order;
    if (!event.location.file.empty())
      below += (below.empty() ? "" : ", ") + PlaceText(event.location);
    return fmt::format(
        "<g><title>{0} {1}</title><rect class=\"event\" x=\"{2}\" y=\"{3}\" width=\"{4}\" "
        "height=\"{5}\" rx=\"4\"/><text class=\"does\" x=\"{6}\" y=\"{7}\">{8}</text>"
        "<text class=\"where\" x=\"{6}\" y=\"{9}\">{10}</text></g>\n",
        Escaped(event.thread), Escaped(event.text), at.x, at.y, kBox, kHigh, at.x + 8, at.y + 17,
        Escaped(Shortened(event.text, kMostLetters)), at.y + 34,
        Escaped(Shortened(below, kMostLetters)));
  }

  const WeakExecution& weak_;
  const std::string id_;
  std::vector<std::string> threads_;
  std::vector<size_t> columns_;  // by event
};

}  // namespace

std::string GraphSvg(const WeakExecution& weak, const std::string& id) {
  if (weak.events.empty()) return "";
  return Picture(weak, id).Draw();
}

}  // namespace heddle::report
