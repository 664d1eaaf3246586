// metrics.csv: the KIP's two MBeans of each broker, with and without topic=, as a monitoring system sees them that
// looks at every point of curves.csv: a row where a value differs from the last look. (Every change would be a row for
// each step of a sweep: hundreds of megabytes in an outage of hours.) A broker that crashes takes its MBeans with it;
// they read as 0 then.
#include <array>
#include <map>

#include "reports/run_files/makers.h"

namespace reports {
namespace {

class Metrics final : public RunFile {
 public:
  Metrics(CsvFile file, const RunContext& context) : RunFile(std::move(file)), context_(context) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      all_topics_mbeans_[i] = csv_field(broker_topic_metrics_mbean(names[i]));
      for (const auto& topic : context.scenario().topics)
        topic_mbeans_[i].push_back(csv_field(broker_topic_metrics_mbean(names[i], topic.name)));
    }
  }

  void record(const sim::TraceRecord& record) override {
    if (const auto* set = std::get_if<sim::GaugesSet>(&record.event)) {
      const auto topic = context_.topic_of(set->partition);
      auto& broker = brokers_.try_emplace(set->broker, context_.topic_count()).first->second;
      auto& partition = broker.partitions[set->partition];
      for (auto* value : {&broker.topics[topic].now, &broker.all_topics.now}) {
        value->count += set->gauges.count - partition.count;
        value->bytes += set->gauges.bytes - partition.bytes;
      }
      partition = set->gauges;
    } else if (const auto* crashed = std::get_if<sim::BrokerCrashed>(&record.event)) {
      const auto found = brokers_.find(crashed->broker);
      if (found == brokers_.end()) return;
      found->second.partitions.clear();
      for (auto& topic : found->second.topics) topic.now = {};
      found->second.all_topics.now = {};
    }
  }

  void curve(const sim::CurvePoint& point) override {
    for (auto& [id, broker] : brokers_) {
      for (std::size_t topic = 0; topic < broker.topics.size(); ++topic) {
        look(point.time, id, broker.topics[topic], topic_mbeans_[0][topic], topic_mbeans_[1][topic]);
      }
      look(point.time, id, broker.all_topics, all_topics_mbeans_[0], all_topics_mbeans_[1]);
    }
  }

 private:
  static constexpr std::array names{dangling_remote_log_count, dangling_remote_log_bytes};
  struct Gauges {
    DanglingGauges now;
    DanglingGauges written;
  };
  struct Broker {
    explicit Broker(std::size_t topic_count) : topics(topic_count) {}
    std::map<PartitionNumber, DanglingGauges> partitions;
    std::vector<Gauges> topics;
    Gauges all_topics;
  };

  void look(SimTime time, BrokerId id, Gauges& gauges, std::string_view count_mbean, std::string_view bytes_mbean) {
    if (gauges.now.count != gauges.written.count) write(time, id, count_mbean, gauges.now.count);
    if (gauges.now.bytes != gauges.written.bytes) write(time, id, bytes_mbean, gauges.now.bytes.value());
    gauges.written = gauges.now;
  }

  void write(SimTime time, BrokerId broker, std::string_view mbean, std::int64_t value) {
    out_.time(time).integer(broker.value()).raw(mbean).raw("Value").integer(value).end_row();
  }

  const RunContext& context_;
  std::array<std::string, 2> all_topics_mbeans_;
  std::array<std::vector<std::string>, 2> topic_mbeans_;
  std::map<BrokerId, Broker> brokers_;
};

}  // namespace

std::unique_ptr<RunFile> make_metrics(CsvFile file, const RunContext& context) {
  return std::make_unique<Metrics>(std::move(file), context);
}

}  // namespace reports
