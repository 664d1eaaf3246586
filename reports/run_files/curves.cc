// curves.csv: the ledger's sums over time. Written one point late, because the last point's rows are written whether
// they changed or not.
#include "reports/run_files/makers.h"

namespace reports {
namespace {

class Curves final : public RunFile {
 public:
  Curves(CsvFile file, const RunContext& context) : RunFile(std::move(file)), context_(context) {}

  void curve(const sim::CurvePoint& point) override {
    if (pending_) write(*pending_, false);
    pending_ = point;
  }

  void end(const sim::RunResult&) override {
    if (pending_) write(*pending_, true);
    pending_.reset();
  }

 private:
  struct Last {
    sim::CurvePoint::Row row;
    std::uint32_t active_faults = 0;
  };

  void write(const sim::CurvePoint& point, bool is_end) {
    const bool is_start = last_.empty();
    last_.resize(point.rows.size());
    for (std::size_t i = 0; i < point.rows.size(); ++i) {
      const bool is_all_topics = i == 0;
      const bool is_told = is_all_topics || is_start || is_end || has_news(point, i);
      if (!is_told) continue;
      write_row(point, is_all_topics ? "*" : context_.topic_field(i - 1), point.rows[i]);
      last_[i] = {point.rows[i], point.active_faults};
    }
  }

  /// Whether a reader who goes on with the last row would be wrong: a value differs, or garbage came and went in
  /// between.
  bool has_news(const sim::CurvePoint& point, std::size_t index) const {
    const auto& row = point.rows[index];
    const auto& last = last_[index];
    return point.active_faults != last.active_faults || row.garbage_max > row.totals.garbage() ||
           row.totals.bytes != last.row.totals.bytes || row.totals.deleting_failed != last.row.totals.deleting_failed ||
           row.totals.garbage_count != last.row.totals.garbage_count ||
           row.totals.ghost_count != last.row.totals.ghost_count ||
           row.totals.ghost_claimed != last.row.totals.ghost_claimed || row.metric != last.row.metric ||
           row.copy_lag != last.row.copy_lag;
  }

  void write_row(const sim::CurvePoint& point, std::string_view topic, const sim::CurvePoint::Row& row) {
    using enum sim::ByteClass;
    const auto& totals = row.totals;
    out_.time(point.time).raw(topic).bytes(totals.stored());
    for (const auto byte_class :
         {live, in_flight, expired, unreferenced, dangling, deleting, stuck, orphan, upload_parts})
      out_.bytes(totals.of(byte_class));
    out_.bytes(totals.waste())
        .bytes(totals.garbage())
        .integer(totals.garbage_count)
        .integer(row.metric.count)
        .bytes(row.metric.bytes)
        .bytes(row.copy_lag)
        .integer(point.active_faults)
        .bytes(totals.deleting_failed)
        .bytes(row.garbage_max)
        .integer(totals.ghost_count)
        .bytes(totals.ghost_claimed)
        .end_row();
  }

  const RunContext& context_;
  std::optional<sim::CurvePoint> pending_;
  /// What was last written of each row.
  std::vector<Last> last_;
};

}  // namespace

std::unique_ptr<RunFile> make_curves(CsvFile file, const RunContext& context) {
  return std::make_unique<Curves>(std::move(file), context);
}

}  // namespace reports
