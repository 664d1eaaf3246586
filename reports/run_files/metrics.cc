// metrics.csv: MBeans of each broker, with and without topic=, as a monitoring system sees them that looks at every
// point of curves.csv: a row where a value differs from the last look. (Every change would be a row for each step of a
// sweep: hundreds of megabytes in an outage of hours.) The KIP's two, or all (--metrics all), which are those of the
// broker's RemoteLogManager as well. A broker that is down has none; they read as 0 then, and begin at 0 with its new
// process. So does a throttle time that Kafka shows as NaN.
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "reports/run_files/makers.h"

namespace reports {
namespace {

class Metrics final : public RunFile {
 public:
  Metrics(CsvFile file, const RunContext& context) : RunFile(std::move(file)), world_(context.world()) {
    for (const MetricInfo& info : metrics()) {
      if (context.metrics() == MetricChoice::kip && !info.is_of_kip()) continue;
      infos_.push_back(&info);
    }
    for (const auto& topic : world_.scenario().topics) {
      for (const MetricInfo* info : infos_)
        mbeans_.push_back(csv_field(broker_topic_metrics_mbean(info->name, topic.name)));
    }
    for (const MetricInfo* info : infos_) mbeans_.push_back(csv_field(broker_topic_metrics_mbean(info->name)));
    written_.resize(world_.scenario().brokers.size() * mbeans_.size());
    if (context.metrics() == MetricChoice::all) manager_infos_ = manager_metrics();
    manager_written_.resize(world_.scenario().brokers.size() * manager_infos_.size());
  }

  void curve(const sim::CurvePoint& point) override {
    const auto topic_count = static_cast<std::uint32_t>(world_.scenario().topics.size());
    const auto broker_count = static_cast<std::int32_t>(world_.scenario().brokers.size());
    for (std::int32_t id = 1; id <= broker_count; ++id) {
      const BrokerTopicMetrics* shown = world_.metrics(BrokerId{id});
      for (std::uint32_t topic = 0; topic <= topic_count; ++topic) {
        for (std::size_t i = 0; i < infos_.size(); ++i) {
          const Metric metric = infos_[i]->metric;
          std::int64_t value = 0;
          if (shown != nullptr) value = topic < topic_count ? shown->topic(topic, metric) : shown->all_topics(metric);
          look(point.time, BrokerId{id}, topic * infos_.size() + i, *infos_[i], value);
        }
      }
      for (std::size_t i = 0; i < manager_infos_.size(); ++i) look_at_manager(point.time, BrokerId{id}, i);
    }
  }

 private:
  void look(SimTime time, BrokerId broker, std::size_t mbean, const MetricInfo& info, std::int64_t value) {
    std::int64_t& written = written_[static_cast<std::size_t>(broker.value() - 1) * mbeans_.size() + mbean];
    if (written == value) return;
    written = value;
    out_.time(time).integer(broker.value()).raw(mbeans_[mbean]).raw(info.attribute()).integer(value).end_row();
  }

  void look_at_manager(SimTime time, BrokerId broker, std::size_t index) {
    const ManagerMetricInfo& info = manager_infos_[index];
    const RemoteLogManager* const manager = world_.manager(broker);
    const double value = manager == nullptr ? 0 : manager->metric(info.metric).value_or(0);
    double& written = manager_written_[static_cast<std::size_t>(broker.value() - 1) * manager_infos_.size() + index];
    if (written == value) return;
    written = value;
    out_.time(time).integer(broker.value()).raw(csv_field(info.mbean)).raw(info.attribute);
    out_.raw(fmt::format("{}", value)).end_row();
  }

  const sim::WorldView& world_;
  std::vector<const MetricInfo*> infos_;
  /// By topic, all topics last, and metric.
  std::vector<std::string> mbeans_;
  /// By broker and MBean.
  std::vector<std::int64_t> written_;
  std::span<const ManagerMetricInfo> manager_infos_;
  std::vector<double> manager_written_;
};

}  // namespace

std::unique_ptr<RunFile> make_metrics(CsvFile file, const RunContext& context) {
  return std::make_unique<Metrics>(std::move(file), context);
}

}  // namespace reports
