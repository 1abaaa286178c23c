#include "report/coverage_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "report/axis.h"
#include "report/coverage_share.h"
#include "report/visible.h"
#include "report/wording.h"

namespace heddle::report {
namespace {

// In pixels. The letters of the fonts that viewers have differ: kLetter is of a wide one.
constexpr double kWidth = 400;  // of a panel within its frame
constexpr double kHeight = 260;
constexpr double kInside = 12;  // what lies at the end of an axis has its whole mark in the frame
constexpr double kLetter = 7.3;
constexpr double kTitleLetter = 11;
constexpr double kToMiddle = 4;  // of a letter, from the line that it stands on
constexpr double kMargin = 24;
constexpr double kTop = 92;      // of the frames
constexpr double kBelow = 48;    // a frame: numbers and title of the axis
constexpr double kAtRight = 26;  // of a frame: "all"
constexpr double kRow = 22;      // of the legend
constexpr double kSample = 70;   // of a line, in the legend
constexpr double kMark = 11;     // needs so much
constexpr double kBetweenMarks = 40;
constexpr size_t kFewPoints = 10;
constexpr double kTickMark = 5;

// Colours that are told apart with every kind of colour vision (after Okabe and Ito), darker on
// white and lighter on black. A line differs from others in its dashes and marks, too; where two
// lie on each other, the gaps of the upper one show the lower. After six curves the colours come
// again, with the next dashes and marks.
constexpr unsigned kColors = 6;
constexpr const char* kDashes[] = {"none", "8 5", "3 5", "12 4 2 4", "18 6", "10 4 2 4 2 4"};
static_assert(std::size(kDashes) == kColors);
constexpr char kStyle[] = R"(
text { font: 12px Helvetica, Arial, "Liberation Sans", "DejaVu Sans", sans-serif; fill: #222; }
.title { font-size: 16px; font-weight: bold; }
.name { font-size: 13px; font-weight: bold; }
.numbers, .note { fill: #555; }
.paper { fill: #fff; }
.frame { fill: none; stroke: #888; }
.grid { stroke: #e4e4e4; }
.all { stroke: #888; stroke-dasharray: 1 3; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.mark { stroke-width: 1.8; }
.c0 { stroke: #00559a; } .c0 .mark { fill: #00559a; }
.c1 { stroke: #c44e00; } .c1 .mark { fill: #c44e00; }
.c2 { stroke: #0f9d6f; } .c2 .mark { fill: #0f9d6f; }
.c3 { stroke: #a83f80; } .c3 .mark { fill: #a83f80; }
.c4 { stroke: #8f6500; } .c4 .mark { fill: #8f6500; }
.c5 { stroke: #333; } .c5 .mark { fill: #333; }
.mark.open { fill: #fff; }
@media screen and (prefers-color-scheme: dark) {
text { fill: #eee; }
.numbers, .note { fill: #b5b5b5; }
.paper { fill: #16181b; }
.grid { stroke: #2c2f33; }
.c0 { stroke: #56b4e9; } .c0 .mark { fill: #56b4e9; }
.c1 { stroke: #ff8b4d; } .c1 .mark { fill: #ff8b4d; }
.c2 { stroke: #2fcb9c; } .c2 .mark { fill: #2fcb9c; }
.c3 { stroke: #eb9bcb; } .c3 .mark { fill: #eb9bcb; }
.c4 { stroke: #f0b93a; } .c4 .mark { fill: #f0b93a; }
.c5 { stroke: #ddd; } .c5 .mark { fill: #ddd; }
.mark.open { fill: #16181b; }
}
)";

// A point of a curve, in the units of its axes, and what is said of it.
struct Spot {
  double x, y;
  bool open;
  std::string tip;
};

struct Panel {
  std::string id, name, x_title, y_title;
  std::string unit;  // of the numbers at the y axis, " %"
  Axis x, y;
  double all;           // a line at so much of y; 0: none
  bool each_is_marked;  // of the points, where there is room
  std::vector<std::vector<Spot>> curves;
};

double TextWidth(const std::string& text) { return kLetter * static_cast<double>(text.size()); }

std::string Text(double x, double y, const char* attributes, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", x, y, attributes,
                     Escaped(text));
}

std::string Straight(const char* style, double x1, double y1, double x2, double y2) {
  return fmt::format(
      "<line class=\"{}\" x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\"/>\n", style, x1,
      y1, x2, y2);
}

// ---- marks and lines ----

// Which dashes and marks a curve has.
size_t Variant(size_t curve) { return (curve + curve / kColors) % kColors; }

// One of six shapes around a point.
std::string Mark(size_t curve, double x, double y, const Spot* spot) {
  static constexpr const char* kShapes[] = {
      "M-4,0a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z", "M-3.6,-3.6h7.2v7.2h-7.2z", "M0,-4.8L4.6,3.6H-4.6z",
      "M0,-5.2L5.2,0L0,5.2L-5.2,0z",         "M0,4.8L4.6,-3.6H-4.6z",    "M-4,-4L4,-4L-4,4L4,4z"};
  const char* shape = kShapes[Variant(curve)];
  const bool open = spot != nullptr && spot->open;
  const std::string tip =
      spot == nullptr || spot->tip.empty() ? "" : "<title>" + Escaped(spot->tip) + "</title>";
  return fmt::format(
      "<path class=\"mark{}\" transform=\"translate({:.2f} {:.2f})\" d=\"{}\">{}</path>\n",
      open ? " open" : "", x, y, shape, tip);
}

std::string Line(size_t curve, const std::string& points) {
  return fmt::format("<polyline class=\"line\" stroke-dasharray=\"{}\" points=\"{}\"/>\n",
                     kDashes[Variant(curve)], points);
}

// ---- a panel ----

// Where its frame begins.
struct PanelOrigin {
  double left, top;
};

double XOf(const Panel& panel, const PanelOrigin& at, double x) {
  return at.left + kInside + panel.x.At(x) * (kWidth - 2 * kInside);
}

double YOf(const Panel& panel, const PanelOrigin& at, double y) {
  return at.top + kHeight - kInside - panel.y.At(y) * (kHeight - 2 * kInside);
}

std::string AxesOf(const Panel& panel, const PanelOrigin& at) {
  const double bottom = at.top + kHeight;
  std::string svg;
  for (const uint64_t tick : panel.y.Ticks()) {
    const double y = YOf(panel, at, static_cast<double>(tick));
    svg += Straight("grid", at.left, y, at.left + kWidth, y);
    svg += Text(at.left - 8, y + kToMiddle, "class=\"numbers y\" text-anchor=\"end\"",
                Grouped(tick) + panel.unit);
  }
  svg +=
      fmt::format("<rect class=\"frame\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\"/>\n",
                  at.left, at.top, kWidth, kHeight);
  for (const uint64_t tick : panel.x.Ticks()) {
    const double x = XOf(panel, at, static_cast<double>(tick));
    svg += Straight("frame", x, bottom, x, bottom + kTickMark);
    svg += Text(x, bottom + 19, "class=\"numbers x\" text-anchor=\"middle\"", Grouped(tick));
  }
  if (panel.all != 0) {
    const double y = YOf(panel, at, panel.all);
    svg += Straight("all", at.left, y, at.left + kWidth, y);
    svg += Text(at.left + kWidth + 5, y + kToMiddle, "class=\"note\"", "all");
  }
  svg += Text(at.left + kWidth / 2, bottom + 40, "text-anchor=\"middle\"", panel.x_title);
  return svg;
}

std::string CurveOf(const Panel& panel, const PanelOrigin& at, size_t number) {
  std::string points, marks;
  const std::vector<Spot>& spots = panel.curves[number];
  const bool few = panel.each_is_marked || spots.size() <= kFewPoints;
  const double between = few ? kMark : kBetweenMarks;
  // Of many points some are marked, those of curves that lie on each other side by side.
  const double shift =
      few ? 0 : between * static_cast<double>(number) / static_cast<double>(panel.curves.size());
  double marked = XOf(panel, at, spots.front().x) + shift - between;
  for (const Spot& spot : spots) {
    const double x = XOf(panel, at, spot.x);
    const double y = YOf(panel, at, spot.y);
    points += fmt::format("{}{:.2f},{:.2f}", points.empty() ? "" : " ", x, y);
    // The last one always, and none so near that it would touch that.
    const double last = XOf(panel, at, spots.back().x);
    const bool free = x - marked >= between && last - x >= kMark;
    if (&spot != &spots.back() && !free) continue;
    marks += Mark(number, x, y, &spot);
    marked = x;
  }
  return fmt::format("<g class=\"curve c{}\" data-curve=\"{}\">\n{}{}</g>\n", number % kColors,
                     number, Line(number, points), marks);
}

// What stands beside the frame needs so much.
double LeftOf(const Panel& panel) {
  double widest = 0;
  for (const uint64_t tick : panel.y.Ticks())
    widest = std::max(widest, TextWidth(Grouped(tick) + panel.unit));
  return widest + 42;
}

double RightOf(const Panel& panel) {
  const double half = TextWidth(Grouped(panel.x.Ticks().back())) / 2;
  return std::max(kAtRight, half - kInside);
}

std::string PanelAt(const Panel& panel, const PanelOrigin& at) {
  std::string svg = fmt::format("<g id=\"{}\">\n", panel.id);
  svg +=
      Text(at.left + kWidth / 2, at.top - 14, "class=\"name\" text-anchor=\"middle\"", panel.name);
  const double x = at.left - LeftOf(panel) + 18;
  const double y = at.top + kHeight / 2;
  const std::string turned =
      fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 {:.1f} {:.1f})\"", x, y);
  svg += Text(x, y, turned.c_str(), panel.y_title) + AxesOf(panel, at);
  for (size_t i = 0; i < panel.curves.size(); ++i)
    if (!panel.curves[i].empty()) svg += CurveOf(panel, at, i);
  return svg + "</g>\n";
}

// ---- what is in the panels ----

uint64_t MostGraphs(const CoverageCurves& picture) {
  uint64_t most = 1;
  for (const CoverageCurve& curve : picture.curves)
    most = std::max({most, curve.graphs, curve.all});
  return most;
}

// What would lie within so small a part of a linear axis cannot be seen there.
constexpr uint64_t kFarBelow = 50;

// Logarithmic if one search saw so few graphs that its curve would lie on the axis.
Scale ScaleOfGraphs(const CoverageCurves& picture) {
  for (const CoverageCurve& curve : picture.curves)
    if (curve.graphs != 0 && curve.graphs < MostGraphs(picture) / kFarBelow)
      return Scale::kLogarithmic;
  return Scale::kLinear;
}

// Logarithmic if one search saw half of its graphs so early that its curve would rise with the
// axis.
Scale ScaleOfExecutions(const CoverageCurves& picture, uint64_t most) {
  for (const CoverageCurve& curve : picture.curves) {
    if (curve.graphs < 2) continue;  // it does not rise
    const auto half = std::ranges::find_if(curve.over_executions, [&](const CoveragePoint& point) {
      return point.graphs >= curve.graphs / 2;
    });
    if (half != curve.over_executions.end() && half->executions < most / kFarBelow)
      return Scale::kLogarithmic;
  }
  return Scale::kLinear;
}

// So many labels of an axis that goes on to the right have room.
unsigned RoomFor(uint64_t most) {
  const double each = TextWidth(Grouped(most)) + 2 * kLetter;
  return std::max(2u, static_cast<unsigned>((kWidth - 2 * kInside) / each) + 1);
}

constexpr unsigned kLabelsAtY = 7;

Axis GraphsAxis(const CoverageCurves& picture) {
  return {ScaleOfGraphs(picture), MostGraphs(picture), kLabelsAtY};
}

// How many graphs there are, if that is one number.
uint64_t AllOf(const CoverageCurves& picture) {
  const uint64_t all = picture.curves.front().all;
  const bool same = std::ranges::all_of(
      picture.curves, [all](const CoverageCurve& curve) { return curve.all == all; });
  return picture.one_program && same ? all : 0;
}

std::string GraphsTitle(const Axis& axis) {
  const std::string title = "distinct happens-before graphs";
  return axis.ItsScale() == Scale::kLinear ? title : title + ", logarithmic";
}

std::vector<Spot> SpotsByPreemptions(const CoverageCurve& curve, bool shares) {
  std::vector<Spot> spots;
  for (size_t i = 0; i < curve.by_preemptions.size(); ++i) {
    const uint64_t graphs = curve.by_preemptions[i];
    const auto number = static_cast<double>(graphs);
    const std::string share = curve.all == 0 ? "" : " (" + PercentText(graphs, curve.all) + ")";
    spots.push_back({static_cast<double>(i),
                     shares ? 100.0 * number / static_cast<double>(curve.all) : number,
                     i >= curve.exhausted,
                     fmt::format("{}: {}{} with at most {}", curve.label, Counted(graphs, "graph"),
                                 share, Counted(i, "preemption"))});
  }
  return spots;
}

// Figures 1 and 4 of the paper.
Panel ByPreemptions(const CoverageCurves& picture) {
  uint64_t most = 1;
  for (const CoverageCurve& curve : picture.curves)
    most = std::max<uint64_t>(most, curve.by_preemptions.size() - !curve.by_preemptions.empty());
  const Axis graphs = picture.shares ? Axis(Scale::kLinear, 100, kLabelsAtY) : GraphsAxis(picture);
  const uint64_t all = AllOf(picture);
  const std::string shares =
      "of all " + (all != 0 ? Counted(all, "happens-before graph") : "happens-before graphs");
  Panel panel = {.id = "by-preemptions",
                 .name = "By preemptions",
                 .x_title = picture.time_limits ? "preemptions and early timeouts, at most"
                                                : "preemptions, at most",
                 .y_title = picture.shares ? shares : GraphsTitle(graphs),
                 .unit = picture.shares ? " %" : "",
                 .x = Axis(Scale::kLinear, most, RoomFor(most)),
                 .y = graphs,
                 .all = picture.shares ? 0 : static_cast<double>(all),
                 .each_is_marked = true,
                 .curves = {}};
  for (const CoverageCurve& curve : picture.curves)
    panel.curves.push_back(SpotsByPreemptions(curve, picture.shares));
  return panel;
}

std::vector<Spot> SpotsOverExecutions(const CoverageCurve& curve) {
  std::vector<Spot> spots;
  for (const auto& [executions, graphs] : curve.over_executions)
    spots.push_back({static_cast<double>(executions), static_cast<double>(graphs), false,
                     fmt::format("{}: {} after {}", curve.label, Counted(graphs, "graph"),
                                 Counted(executions, "execution"))});
  return spots;
}

// Figures 2, 5 and 6.
Panel OverExecutions(const CoverageCurves& picture) {
  uint64_t most = 1;
  for (const CoverageCurve& curve : picture.curves)
    if (!curve.over_executions.empty())
      most = std::max(most, curve.over_executions.back().executions);
  const Scale scale = ScaleOfExecutions(picture, most);
  const Axis graphs = GraphsAxis(picture);
  Panel panel = {.id = "over-executions",
                 .name = "Over executions",
                 .x_title = scale == Scale::kLinear ? "executions" : "executions, logarithmic",
                 .y_title = GraphsTitle(graphs),
                 .unit = "",
                 .x = Axis(scale, most, RoomFor(most)),
                 .y = graphs,
                 .all = static_cast<double>(AllOf(picture)),
                 .each_is_marked = false,
                 .curves = {}};
  for (const CoverageCurve& curve : picture.curves)
    panel.curves.push_back(SpotsOverExecutions(curve));
  return panel;
}

// ---- the whole ----

std::string FoundText(const CoverageCurve& curve) {
  return fmt::format("{}{} in {}", curve.all != 0 && curve.graphs == curve.all ? "all " : "",
                     Counted(curve.graphs, "graph"), Counted(curve.executions, "execution"));
}

std::string LegendAt(const CoverageCurves& picture, double left, double width, double top) {
  std::string svg = "<g id=\"legend\">\n";
  for (size_t i = 0; i < picture.curves.size(); ++i) {
    const CoverageCurve& curve = picture.curves[i];
    const double y = top + kRow * static_cast<double>(i);
    const double middle = y - kToMiddle;
    const std::string found = FoundText(curve);
    const double room = width - kSample - 3 * kLetter - TextWidth(found);
    svg += fmt::format("<g class=\"c{}\">\n", i % kColors);
    svg += Line(
        i, fmt::format("{:.1f},{:.1f} {:.1f},{:.1f}", left, middle, left + kSample - 10, middle));
    svg += Mark(i, left + (kSample - 10) / 2, middle, nullptr) + "</g>\n";
    svg += Text(left + kSample, y, "class=\"label\"",
                Shortened(curve.label, static_cast<size_t>(std::max(room, 1.0) / kLetter)));
    svg += Text(left + width, y, "class=\"numbers\" text-anchor=\"end\"", found);
  }
  return svg + "</g>\n";
}

bool AnyIsOpen(const Panel& panel) {
  return std::ranges::any_of(panel.curves, [](const std::vector<Spot>& spots) {
    return std::ranges::any_of(spots, &Spot::open);
  });
}

}  // namespace

std::string ToSvg(const CoverageCurves& picture) {
  const Panel left = ByPreemptions(picture);
  const Panel right = OverExecutions(picture);
  const double left_at = kMargin + LeftOf(left);
  const double right_at = left_at + kWidth + RightOf(left) + LeftOf(right);
  const double width = right_at + kWidth + RightOf(right) + kMargin;
  const double legend = kTop + kHeight + kBelow + kRow + 6;
  const double note = legend + kRow * static_cast<double>(picture.curves.size());
  const bool noted = AnyIsOpen(left);
  const double height = note + (noted ? kRow : 0) - kRow / 2 + 4;

  const std::string title = Shortened("Coverage of " + picture.programs,
                                      static_cast<size_t>((width - 2 * kMargin) / kTitleLetter));
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\" aria-labelledby=\"title\">\n"
      "<title id=\"title\">{2}</title>\n<style>{3}</style>\n"
      "<rect class=\"paper\" width=\"{0:.0f}\" height=\"{1:.0f}\"/>\n",
      width, height, Escaped(title), kStyle);
  svg += Text(width / 2, 36, "class=\"title\" text-anchor=\"middle\"", title);
  svg += PanelAt(left, {left_at, kTop}) + PanelAt(right, {right_at, kTop});
  svg += LegendAt(picture, left_at, right_at + kWidth - left_at, legend);
  if (noted)
    svg += Text(
        left_at, note + 2, "class=\"note\"",
        std::string("An open mark: the search did not run every schedule with at most so many ") +
            (picture.time_limits ? "of these." : "preemptions."));
  return svg + "</svg>\n";
}

}  // namespace heddle::report
