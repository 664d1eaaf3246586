#include "reports/svg.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "reports/junit.h"
#include "reports/svg_layout.h"

namespace reports {
namespace {

// Sizes in user units: 1,000 across. Large type, because the picture is often shown 400 pixels wide; room for the
// widest of the fonts that css() names.
constexpr double width = 1000;
constexpr double plot_left = 104;
constexpr double plot_right = 728;
constexpr double plot_height = 372;
constexpr double title_size = 26;
constexpr double title_line = 34;
constexpr double label_size = 20;
constexpr double label_line = 23;
constexpr double axis_size = 19;
constexpr double fault_row = 27;
constexpr std::size_t title_columns = 52;
constexpr std::size_t label_columns = 15;

/// Colours that every eye tells apart, the same as the page's (reports/web/src/look.ts says how they were found); the
/// dashes tell lines apart without any colour.
struct LineStyle {
  std::string_view colour;
  std::string_view dark_colour;
  std::string_view dash;
};
constexpr std::array<LineStyle, 8> styles{{
    {"#0152DC", "#217CEE", ""},
    {"#C68900", "#B26300", "14 6"},
    {"#0CAA70", "#10DF7D", "3 5"},
    {"#AC0E85", "#EB3394", "16 5 3 5"},
    {"#632C01", "#FACC03", "22 5 3 5 3 5"},
    {"#000000", "#F2F2F2", "32 8"},
    {"#56B4E9", "#8CCBF0", "3 11"},
    {"#7A8794", "#98A4B0", "9 3"},
}};

/// A policy keeps its look from picture to picture, whoever else is in it.
constexpr std::array<std::string_view, 6> known_policies{"kip-dangling", "kafka-4.0", "kip-dangling-recovery",
                                                         "kafka-4.3",    "kafka-3.9", "kafka-3.6"};

struct Line {
  const StoredRun* run = nullptr;
  std::string name;
  std::size_t style = 0;
};

struct Plot {
  double top = 0;
  double bottom = 0;
  std::int64_t end_ms = 1;
  ByteAxis axis;
  /// Of imports alone.
  bool is_recorded = false;

  double x(std::int64_t ms) const {
    return plot_left +
           (plot_right - plot_left) * std::clamp(static_cast<double>(ms) / static_cast<double>(end_ms), 0.0, 1.0);
  }
  double y(std::int64_t bytes) const {
    return bottom - (bottom - top) * static_cast<double>(bytes) / static_cast<double>(axis.top);
  }
};

/// The policy, and as much more as tells the lines apart.
std::string line_name(const StoredRun& run, std::span<const StoredRun> runs) {
  const auto& own = run.overview.summary;
  bool has_other_scenario = false;
  bool has_other_seed = false;
  bool has_twin = false;
  for (const auto& other : runs) {
    const auto& summary = other.overview.summary;
    if (&other == &run || other.curve.empty()) continue;
    has_other_scenario |= summary.scenario != own.scenario;
    if (summary.policy != own.policy || summary.scenario != own.scenario) continue;
    has_other_seed |= summary.seed != own.seed;
    has_twin |= summary.seed == own.seed;
  }
  auto name = own.policy;
  if (has_other_seed) name += fmt::format(" seed {}", own.seed);
  if (has_other_scenario) name += " " + own.scenario;
  if (has_twin) name += " " + run.folder;
  return name;
}

std::vector<Line> lines_of(std::span<const StoredRun> runs) {
  std::vector<Line> lines;
  std::array<bool, styles.size()> taken{};
  for (const auto& run : runs) {
    if (run.curve.empty()) continue;
    const auto& summary = run.overview.summary;
    lines.push_back({&run, line_name(run, runs), styles.size()});
    const auto known = std::find(known_policies.begin(), known_policies.end(), summary.policy);
    const auto style = static_cast<std::size_t>(known - known_policies.begin());
    if (known != known_policies.end() && !taken[style]) {
      taken[style] = true;
      lines.back().style = style;
    }
  }
  std::size_t next = 0;
  for (auto& line : lines) {
    if (line.style != styles.size()) continue;
    const auto free = std::find(taken.begin(), taken.end(), false);
    line.style = free != taken.end() ? static_cast<std::size_t>(free - taken.begin()) : next++ % styles.size();
    taken[line.style] = true;
  }
  return lines;
}

std::string css(const std::vector<Line>& lines) {
  // Held together by names, so that a page may style the picture again.
  std::string text =
      "text{font-family:system-ui,-apple-system,'Segoe UI','Noto Sans','DejaVu Sans',Arial,sans-serif;fill:#1b1f24}"
      ".page{fill:#fff}.grid{stroke:#d9dde2}.axis{stroke:#57606a}.quiet{fill:#57606a}.bold{font-weight:600}"
      ".fault{fill:#8c95a0;fill-opacity:.2}.bar{fill:#8c95a0}.line{fill:none;stroke-width:4;stroke-linejoin:round}"
      ".lead{fill:none;stroke:#8c95a0;stroke-width:1.5}";
  std::string dark =
      "text{fill:#e6e9ec}.page{fill:#14171a}.grid{stroke:#343a41}.axis{stroke:#9aa4af}.quiet{fill:#aab3bd}"
      ".fault{fill-opacity:.28}";
  for (const auto& line : lines) {
    text += fmt::format(".s{}{{stroke:{}}}", line.style, styles[line.style].colour);
    dark += fmt::format(".s{}{{stroke:{}}}", line.style, styles[line.style].dark_colour);
  }
  return fmt::format("<style>{}@media(prefers-color-scheme:dark){{{}}}</style>\n", text, dark);
}

std::string text_at(double x, double y, double size, std::string_view attributes, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\"{}{}>{}</text>\n", x, y, size,
                     attributes.empty() ? "" : " ", attributes, xml_escape(text));
}

std::string dash_attribute(std::size_t style) {
  return styles[style].dash.empty() ? std::string{} : fmt::format(" stroke-dasharray=\"{}\"", styles[style].dash);
}

std::string axes(const Plot& plot) {
  std::string svg = text_at(plot_left - 10, plot.top - 20, axis_size, "text-anchor=\"end\" class=\"quiet\"", "garbage");
  for (const auto& tick : plot.axis.ticks) {
    const auto y = plot.y(tick.value);
    svg += fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                       tick.value == 0 ? "axis" : "grid", plot_left, y, plot_right, y);
    svg += text_at(plot_left - 10, y + 6.5, axis_size, "text-anchor=\"end\" class=\"quiet\"", tick.label);
  }
  for (const auto& tick : time_ticks(plot.end_ms)) {
    const auto x = plot.x(tick.value);
    svg += fmt::format("<line class=\"axis\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>\n", x,
                       plot.bottom, plot.bottom + 7);
    svg += text_at(x, plot.bottom + 29, axis_size, "text-anchor=\"middle\" class=\"quiet\"", tick.label);
  }
  return svg + text_at((plot_left + plot_right) / 2, plot.bottom + 57, axis_size,
                       "text-anchor=\"middle\" class=\"quiet\"",
                       plot.is_recorded ? "time since the first record" : "time since the world's start");
}

std::string fault_marks(const Plot& plot, const std::vector<FaultBand>& bands, std::size_t row_count) {
  std::string svg;
  for (const auto& band : bands) {
    const auto row_top = plot.top - fault_row * static_cast<double>(row_count - band.row);
    for (const auto& [start, end] : band.windows) {
      // What takes no time is a hair-line all the same.
      const auto x = plot.x(start);
      const auto wide = std::max(plot.x(end) - x, 2.0);
      svg += fmt::format("<rect class=\"fault\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"/>\n", x,
                         row_top + fault_row - 5, wide, plot.bottom - row_top - fault_row + 5);
      svg += fmt::format("<rect class=\"bar\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"4\"/>\n", x,
                         row_top + fault_row - 6, wide);
    }
    svg += text_at(band.text_x, row_top + fault_row - 10, axis_size, band.text_at_end ? "text-anchor=\"end\"" : "",
                   band.text);
  }
  return svg;
}

std::string label_value(const StoredRun& run) {
  if (run.recorded) return human_bytes(Bytes{run.curve.back().garbage_bytes});
  const auto& summary = run.overview.summary;
  auto text = human_bytes(summary.garbage_bytes_end);
  if (summary.garbage_bytes_never > Bytes{0}) text += ", never";
  return text;
}

struct LabelLine {
  std::string name;
  std::string value;
};

/// A policy's name on as many lines as it needs, its value at the end behind it or below.
std::vector<LabelLine> label_lines(const Line& line) {
  std::vector<LabelLine> lines;
  for (auto& name : wrap_name(line.name, label_columns)) lines.push_back({std::move(name), {}});
  const auto value = label_value(*line.run);
  const bool fits = lines.back().name.size() + 1 + value.size() <= label_columns;
  if (fits) {
    lines.back().value = value;
  } else {
    lines.push_back({{}, value});
  }
  return lines;
}

std::string label_text(double x, double y, const LabelLine& line) {
  if (line.name.empty()) return text_at(x, y, label_size, "", line.value);
  if (line.value.empty()) return text_at(x, y, label_size, "class=\"bold\"", line.name);
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\"><tspan class=\"bold\">{}</tspan><tspan "
      "dx=\"10\">{}</tspan></text>\n",
      x, y, label_size, xml_escape(line.name), xml_escape(line.value));
}

double labels_height(const std::vector<Line>& lines) {
  double sum = 0;
  for (const auto& line : lines) sum += label_line * static_cast<double>(label_lines(line).size()) + 7;
  return sum;
}

std::string labels(const Plot& plot, const std::vector<Line>& lines) {
  // From top to bottom as the lines end; where they end alike, the higher peak first.
  auto order = lines;
  const auto end_of = [](const Line& line) { return line.run->curve.back().garbage_bytes; };
  std::stable_sort(order.begin(), order.end(), [&](const Line& a, const Line& b) {
    return std::pair{end_of(a), a.run->overview.summary.peak_garbage_bytes} >
           std::pair{end_of(b), b.run->overview.summary.peak_garbage_bytes};
  });
  std::vector<std::vector<LabelLine>> texts;
  std::vector<LabelBlock> blocks;
  for (const auto& line : order) {
    texts.push_back(label_lines(line));
    blocks.push_back({plot.y(end_of(line)), label_line * static_cast<double>(texts.back().size()) + 7});
  }
  const auto tops = push_apart(blocks, plot.top - 12, plot.bottom + 14);

  std::string svg;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto middle = tops[i] + blocks[i].height / 2;
    const auto end_y = plot.y(end_of(order[i]));
    svg += fmt::format(
        "<polyline class=\"lead\" points=\"{0:.1f},{1:.1f} {2:.1f},{1:.1f} {3:.1f},{4:.1f} {5:.1f},{4:.1f}\"/>\n",
        plot.x(order[i].run->curve.back().time_ms) + 2, end_y, plot_right + 2, plot_right + 14, middle,
        plot_right + 18);
    svg += fmt::format("<line class=\"line s{0}\" x1=\"{1:.1f}\" y1=\"{2:.1f}\" x2=\"{3:.1f}\" y2=\"{2:.1f}\"{4}/>\n",
                       order[i].style, plot_right + 20, middle, plot_right + 56, dash_attribute(order[i].style));
    for (std::size_t k = 0; k < texts[i].size(); ++k) {
      const auto baseline = tops[i] + 3.5 + label_line * static_cast<double>(k) + label_size * 0.8;
      svg += label_text(plot_right + 64, baseline, texts[i][k]);
    }
  }
  return svg;
}

/// What all lines share is said once; runs that share neither scenario nor seed have no sentence in common.
struct Heading {
  std::string title;
  std::string subtitle = "Garbage in the remote store";
};

Heading heading(const std::vector<Line>& lines, const std::string& title) {
  Heading heading{.title = title};
  const auto& first = lines.front().run->overview.summary;
  const auto all = [&](auto&& is_shared) {
    return std::all_of(lines.begin(), lines.end(),
                       [&](const Line& line) { return is_shared(line.run->overview.summary); });
  };
  const bool is_one_scenario = all([&](const sim::Summary& summary) { return summary.scenario == first.scenario; });
  const bool is_one_seed = all([&](const sim::Summary& summary) { return summary.seed == first.seed; });
  const bool is_recorded =
      std::any_of(lines.begin(), lines.end(), [](const Line& line) { return line.run->recorded.has_value(); });
  if (is_one_scenario) heading.subtitle += (is_recorded ? ", " : ", scenario ") + first.scenario;
  if (is_one_seed && !is_recorded) heading.subtitle += fmt::format(", seed {}", first.seed);
  if (!title.empty()) return heading;
  if (is_recorded) {
    for (const auto& line : lines) {
      const auto sentence = recorded_sentence(*line.run);
      if (!heading.title.empty() && !sentence.empty()) heading.title += ' ';
      heading.title += sentence;
    }
    return heading;
  }
  std::vector<RunOverview> overviews;
  for (const auto& line : lines) overviews.push_back(line.run->overview);
  heading.title =
      is_one_scenario && is_one_seed ? headline(overviews) : fmt::format("Garbage of {} runs over time", lines.size());
  return heading;
}

/// The greatest garbage and the latest instant of all lines decide the axes.
Plot plot_of(const std::vector<Line>& lines, double top) {
  Plot plot;
  std::int64_t most = 0;
  for (const auto& line : lines) {
    plot.end_ms =
        std::max({plot.end_ms, to_milliseconds(line.run->overview.world_end), line.run->curve.back().time_ms});
    for (const auto& point : line.run->curve) most = std::max({most, point.garbage_bytes, point.garbage_bytes_max});
  }
  plot.axis = byte_axis(most);
  plot.is_recorded =
      std::all_of(lines.begin(), lines.end(), [](const Line& line) { return line.run->recorded.has_value(); });
  plot.top = top;
  plot.bottom = top + std::max(plot_height, labels_height(lines) - 26);
  return plot;
}

std::string curve_paths(const Plot& plot, std::vector<Line> lines) {
  // Unbroken lines first: where two run together, the dashes of the other stay visible on top.
  std::stable_partition(lines.begin(), lines.end(), [](const Line& line) { return styles[line.style].dash.empty(); });
  std::string svg;
  for (const auto& line : lines) {
    const auto path = step_path(
        line.run->curve, [&](std::int64_t ms) { return plot.x(ms); },
        [&](std::int64_t bytes) { return plot.y(bytes); });
    svg += fmt::format("<path class=\"line s{}\"{} d=\"{}\"/>\n", line.style, dash_attribute(line.style), path);
  }
  return svg;
}

}  // namespace

Result<std::string, Problem> garbage_svg(std::span<const StoredRun> runs, const std::string& title) {
  const auto lines = lines_of(runs);
  if (lines.empty()) return Failed{Problem{"no curves to draw: the runs kept none (--keep curves or all keeps them)"}};

  const auto head = heading(lines, title);
  const auto title_lines = wrap_evenly(head.title, title_columns);
  const double subtitle_y = 24 + title_line * static_cast<double>(title_lines.size()) + 22;
  std::vector<FaultSpan> faults;
  for (const auto& line : lines)
    faults.insert(faults.end(), line.run->overview.faults.begin(), line.run->overview.faults.end());
  auto plot = plot_of(lines, subtitle_y + 26);
  const auto bands = fault_bands(
      faults, [&](std::int64_t ms) { return plot.x(ms); }, plot_left, plot_right);
  std::size_t row_count = 0;
  for (const auto& band : bands) row_count = std::max(row_count, band.row + 1);
  plot.top += fault_row * static_cast<double>(row_count);
  plot.bottom += fault_row * static_cast<double>(row_count);

  const double height = plot.bottom + 76;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" height=\"{1:g}\" "
      "role=\"img\">\n"
      "<title>{2}</title>\n<desc>{3} over time, one line a policy.</desc>\n",
      width, height, xml_escape(head.title), xml_escape(head.subtitle));
  svg += css(lines);
  svg += fmt::format("<rect class=\"page\" width=\"{:g}\" height=\"{:g}\"/>\n", width, height);
  for (std::size_t i = 0; i < title_lines.size(); ++i) {
    const auto baseline = 24 + title_line * static_cast<double>(i) + title_size * 0.8;
    svg += text_at(24, baseline, title_size, "class=\"bold\"", title_lines[i]);
  }
  svg += text_at(24, subtitle_y, axis_size, "class=\"quiet\"", head.subtitle);
  svg += fault_marks(plot, bands, row_count);
  svg += axes(plot) + curve_paths(plot, lines) + labels(plot, lines);
  return svg + "</svg>\n";
}

}  // namespace reports
