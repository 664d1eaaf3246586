#pragma once

namespace bench {

/// Prints what a seed of the catalogue's chaos costs in steps of `step_seconds`, and how much faster two threads are.
void print_campaign_ratios(double step_seconds);

}  // namespace bench
