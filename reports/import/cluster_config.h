#pragma once

#include <string>

#include "reports/import/import_config.h"
#include "sim/scenario/scenario.h"

namespace reports {

/// What a cluster's own configuration says of retention: of each topic that the topic files name, of all others what
/// the brokers default to. A broker file that does not say is Kafka's default, 7 days without a limit of bytes. The
/// error names file and line; of several the first.
Result<ImportConfig, std::string> read_import_config(const sim::KafkaConfigFiles& files);

}  // namespace reports
