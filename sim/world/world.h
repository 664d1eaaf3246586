#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "sim/observers/world_view.h"
#include "sim/world/broker.h"
#include "sim/world/bucket_rule.h"
#include "sim/world/cluster.h"
#include "sim/world/fault_board.h"
#include "sim/world/feature_level.h"
#include "sim/world/metadata_topic.h"
#include "sim/world/network.h"
#include "sim/world/object_store.h"
#include "sim/world/scrubber.h"

namespace sim {

/// Everything of one run: built from a scenario, a policy and a seed; broken by the plan; seen through WorldView.
class World final : public WorldView,
                    private Breakable,
                    private ClusterHost,
                    private MetadataTopicHost,
                    private RemoteLogSegmentFactory {
 public:
  World(const Scenario& scenario, const PolicyChoice& policy, std::uint64_t seed);
  ~World() override;

  Trace& trace() { return trace_; }
  Kernel& kernel() { return kernel_; }
  const FaultBoard& faults() const { return *faults_; }
  const ObjectStore& store() const { return *store_; }
  const MetadataTopic& metadata() const { return *metadata_; }
  bool metadata_is_ready(BrokerId broker, PartitionNumber partition) const {
    return metadata_->is_ready(broker, partition);
  }

  /// Puts the initial state there and lets everything begin; call it once the observers are added.
  void begin();
  /// Runs up to and including `time`.
  void run_until(SimTime time) { kernel_.run_until(time); }
  /// The instant by which liveness must hold: the plan's last end plus the scenario's settle time.
  SimTime judgement() const;
  /// The KIP's gauges summed over the brokers that are up; for one topic or for all.
  DanglingGauges gauges(std::optional<std::uint32_t> topic) const;

  // WorldView
  const Scenario& scenario() const override { return scenario_; }
  const Policy& policy_of(BrokerId broker) const override;
  SimTime now() const override { return kernel_.now(); }
  SimTime end() const override { return time_start + scenario_.scenario.duration; }
  std::uint32_t partition_count() const override { return cluster_->partition_count(); }
  std::uint32_t topic_of(PartitionNumber partition) const override;
  std::int32_t index_in_topic(PartitionNumber partition) const override;
  Uuid topic_id(std::uint32_t topic) const override;
  std::vector<BrokerId> replicas(PartitionNumber partition) const override;
  bool is_up(BrokerId broker) const override;
  BrokerId leader(PartitionNumber partition) const override { return cluster_->last_leader(partition); }
  const UnifiedLog& log(BrokerId broker, PartitionNumber partition) const override {
    return cluster_->log(broker, partition);
  }
  const RemoteLogMetadataCache& cache(BrokerId broker, PartitionNumber partition) const override;
  bool has_consumed_all(BrokerId broker, PartitionNumber partition) const override {
    return metadata_->has_consumed_all(broker, partition);
  }
  const RemoteLogMetadataCache& folded(PartitionNumber partition) const override {
    return metadata_->folded(partition);
  }
  std::vector<RemoteLogSegmentMetadata> records(PartitionNumber partition) const override {
    return metadata_->records(partition);
  }
  const TopicOptions& topic_options(std::uint32_t topic) const override { return cluster_->topic_options(topic); }
  Bytes stored(const RemoteLogSegment& segment, ObjectKind object, StoredAs stored_as) const override;
  std::uint32_t segment_count() const override { return static_cast<std::uint32_t>(segments_.size()); }
  const RemoteLogSegment& segment(std::uint32_t number) const override { return segments_[number]; }
  bool upload_is_live(const RemoteLogSegment& segment) const override { return store_->upload_is_live(segment); }
  std::optional<SimTime> upload_aborted_at(const RemoteLogSegment& segment) const override {
    return bucket_rule_ ? bucket_rule_->aborts(segment) : std::nullopt;
  }
  std::optional<SimTime> scrubbed_at(const RemoteLogSegment& segment) const override {
    return scrubber_ ? scrubber_->removes(segment) : std::nullopt;
  }
  Bytes copy_lag(PartitionNumber partition) const override;
  std::vector<std::string> runs_waiting_since(SimTime since) const override;
  std::uint32_t active_fault_count() const override { return faults_->active_count(); }
  const BrokerTopicMetrics* metrics(BrokerId id) const override { return broker(id).shown_metrics(); }
  const RemoteLogManager* manager(BrokerId id) const override { return broker(id).shown_manager(); }

 private:
  // Breakable
  void cut(std::span<const Link> links) override;
  void restore(std::span<const Link> links) override;
  void delay(std::span<const Link> links, Duration by) override;
  void crash(BrokerId broker) override;
  void restart(BrokerId broker) override;
  void shut_down(BrokerId id, Duration handover) override;
  void install(BrokerId id, std::string_view policy) override;
  void pause(BrokerId id) override;
  void resume(BrokerId id) override;
  void shift_clock(BrokerId id, Duration by) override;
  void limit_copies(BrokerId id, std::optional<Bytes> bytes_per_second) override;
  void create_topic(std::string_view topic) override;
  void move_leader(PartitionNumber partition, BrokerId to) override;
  void elect_uncleanly(PartitionNumber partition, BrokerId to, Bytes missing) override;
  void elect_preferred_leader(PartitionNumber partition) override;
  void delete_records(PartitionNumber partition, std::optional<Offset> before) override;
  std::vector<std::string_view> topic_names() const override;
  std::int32_t partition_count_of(std::string_view topic) const override;
  PartitionNumber partition(std::string_view topic, std::int32_t index) const override;
  std::vector<PartitionNumber> all_partitions() const override;
  void take_metadata(MetadataPartition partition) override;
  void give_metadata_back(MetadataPartition partition) override;
  void lag_consumer(BrokerId id, MetadataPartition partition, Duration lag) override;
  void change_topic(std::string_view topic, std::string_view key, std::string_view value) override;
  void lose_metadata_records(MetadataPartition partition, Duration age) override;
  void retain_metadata(MetadataPartition partition, std::optional<Duration> retention) override;
  void slow_consumer_start(BrokerId id, Duration delay) override;
  std::uint32_t metadata_partition_count() const override { return metadata_->partition_count(); }
  void delete_topic(std::string_view topic) override;
  void interrupt_transfers(std::uint32_t operations, RequestEffect effect) override;
  void slow_transfers(Ratio factor) override;
  std::vector<BrokerId> metadata_leaders(std::optional<MetadataPartition> only) const override;
  MetadataPartition metadata_partition_of(std::string_view topic, std::int32_t partition) const override;
  std::int32_t broker_count() const override { return static_cast<std::int32_t>(scenario_.brokers.size()); }
  // ClusterHost
  void leader_moved(PartitionNumber partition, BrokerId old_leader, BrokerId new_leader, LeaderEpoch epoch) override;
  void log_changed(BrokerId broker, PartitionNumber partition) override;
  void partition_deleted(PartitionNumber partition, BrokerId leader) override;
  // MetadataTopicHost
  void cache_changed(BrokerId broker, PartitionNumber partition) override;
  void initialization_failed(BrokerId broker) override;
  bool is_running(BrokerId id) const override { return is_up(id) && !standing(id).is_paused; }
  bool is_heard(BrokerId id) const override {
    return is_running(id) && !standing(id).is_isolated && !standing(id).is_leaving;
  }
  std::uint64_t& publish_number(PartitionNumber partition) override { return publish_numbers_[partition.value()]; }
  std::uint32_t copy_attempt(const RemoteLogSegment& segment) const override { return store_->copy_attempt(segment); }
  // RemoteLogSegmentFactory
  const RemoteLogSegment& new_segment(PartitionNumber partition, const LogSegment& segment,
                                      EpochEntries epochs) override;
  /// The next copy attempt of these offsets, whose id is given or else drawn.
  const RemoteLogSegment& add_segment(PartitionNumber partition, const LogSegment& segment, EpochEntries epochs,
                                      std::optional<Uuid> id);

  Broker& broker(BrokerId id) { return *brokers_[static_cast<std::size_t>(id.value() - 1)]; }
  const Broker& broker(BrokerId id) const { return *brokers_[static_cast<std::size_t>(id.value() - 1)]; }
  std::vector<Cluster::PartitionSettings> lay_out_partitions() const;
  MetadataConsumers::Settings metadata_settings(const std::vector<Cluster::PartitionSettings>& partitions) const;
  void link_changed(Node from, Node to);
  /// What faults have made of one broker that is up.
  struct Standing {
    bool is_isolated = false;  ///< It reaches only a minority of the brokers, and not the controller.
    bool is_paused = false;
    bool is_leaving = false;  ///< Its process is about to end.
    FaultIndex leaving_by;
    bool is_silent = false;  ///< The cluster has been told that nothing is heard of it.
    Duration consumer_delay{0};
    FaultIndex slow_starter;
  };
  Standing& standing(BrokerId id) { return standings_[static_cast<std::size_t>(id.value() - 1)]; }
  const Standing& standing(BrokerId id) const { return standings_[static_cast<std::size_t>(id.value() - 1)]; }
  bool is_in_minority(BrokerId id) const;
  bool note_isolation();
  void note_silence(BrokerId id);
  void register_version(BrokerId id);
  void end_process(std::uint64_t id);
  void die(BrokerId id, FaultIndex fault);
  void place_log(PartitionNumber partition);
  void place_copies(PartitionNumber partition);
  void place_finished_copy(PartitionNumber partition, const LogSegment& segment, const EpochEntries& epochs);
  void place_file_copies(PartitionNumber partition, const InitialFile& file);
  void place_objects(const RemoteLogSegment& copy, std::optional<Bytes> stored);
  Duration first_delay(PartitionNumber partition, const BrokerOptions& options, TaskKind kind) const;
  std::uint32_t next_copy_attempt(PartitionNumber partition, Offset start_offset);
  std::uint32_t topic_number(std::string_view topic) const;
  void hit_if(bool has_changed_something) const;
  void elect_metadata_leaders() { metadata_->elect_leaders(); }

  const Scenario& scenario_;
  PolicyChoice choice_;
  Seed seed_;
  FeatureLevel feature_level_;
  std::vector<std::unique_ptr<Policy>> policies_;  // By broker id - 1.
  Kernel kernel_;
  Trace trace_;
  Network network_;
  std::unique_ptr<FaultBoard> faults_;
  std::unique_ptr<ObjectStore> store_;
  std::unique_ptr<BucketRule> bucket_rule_;  // Null without one, as the scrubber.
  std::unique_ptr<Scrubber> scrubber_;
  std::unique_ptr<Cluster> cluster_;
  std::unique_ptr<MetadataTopic> metadata_;
  std::deque<RemoteLogSegment> segments_;
  /// By partition, ascending by start offset: how often it was tried.
  struct CopyAttempts {
    Offset start_offset;
    std::uint32_t count = 0;
  };
  std::vector<std::vector<CopyAttempts>> copy_attempts_;
  std::vector<std::uint64_t> publish_numbers_;
  std::vector<std::unique_ptr<Broker>> brokers_;
  std::vector<Standing> standings_;  // By broker id - 1.
  /// A delayed link and what is read over it.
  struct LinkLag {
    Link link;
    MetadataPartition partition;
    Duration by;
  };
  std::vector<LinkLag> link_lags_;
};

}  // namespace sim
