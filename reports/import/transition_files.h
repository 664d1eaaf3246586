#pragma once

#include <string>

#include "reports/csv.h"
#include "reports/import/curve_fold.h"
#include "reports/import/dump_fold.h"

namespace reports {

/// Writes transitions.csv and dropped.csv with a run's columns (cause, event and leader_epoch are empty, since no
/// record tells them) and, behind them, metadata_partition and offset; keeps the curves along.
class TransitionFiles final : public TransitionSink {
 public:
  explicit TransitionFiles(const std::string& folder);

  void applied(const ImportedTransition& transition) override;
  void dropped(const ImportedTransition& transition) override;

  /// Known to the fold from its first transition on; `states` must outlive this.
  void name_states(const StateNames& states) { states_ = &states; }
  CurveFold& curves() { return curves_; }
  Result<void, Problem> close();

 private:
  void write(CsvFile& out, const ImportedTransition& transition);

  CsvFile transitions_;
  CsvFile dropped_;
  CurveFold curves_;
  const StateNames* states_ = nullptr;
};

}  // namespace reports
