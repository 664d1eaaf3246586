#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/options.h"
#include "model/policy.h"
#include "sim/scenario/fault_plan.h"
#include "sim/scenario/initial_file.h"
#include "sim/scenario/input_error.h"
#include "sim/scenario/names.h"
#include "sim/scenario/values.h"

namespace sim {

// One options struct a section; each field has its row in option_rows.h.

/// [scenario]
struct ScenarioOptions {
  std::string title;
  std::string description;
  std::string source;
  /// ISO 8601 instant of the world's time 0; changes no trace.
  std::string start = "1970-01-01T00:00:00Z";
  Duration duration{0};
  /// Time without faults that must follow the last one; 0 means ten task intervals.
  Duration settle{0};
  /// Names joined with blanks; empty means all.
  std::string policies;
  /// Grid of curves.csv; 0 means about 2,000 points over the duration.
  Duration curve_every{0};
  /// The plan, relative to the scenario file; empty: no faults.
  std::string faults;
  bool elide = true;
};

/// [cluster]
struct ClusterOptions {
  std::int32_t brokers = 0;
  bool auto_leader_rebalance_enable = true;
  Duration leader_imbalance_check_interval = 300s;
  /// From a crash until another replica leads.
  Duration failover = 9s;
};

/// [broker] and [broker.ID]: Kafka's settings and the harness's.
struct BrokerOptions {
  RemoteLogManagerOptions manager;
  enum class First : std::uint8_t { copy, expiration };
  First first = First::copy;
  /// First tick of each task at the world's start; nothing: drawn per partition from [0, task interval).
  std::optional<Duration> phase_copy;
  std::optional<Duration> phase_expiration;
  /// Threads of the JDK's common pool, which waits for the own consumer occupy; 0: as many as wait.
  std::int32_t common_pool_threads = 0;
  /// Only in [broker.ID]: fixes this broker's policy; empty: what --policy says.
  std::string policy;
};

/// [topic.NAME]
struct TopicScenario {
  std::string name;
  TopicOptions options;
  std::int32_t partitions = 0;
  std::int32_t replication_factor = 0;  ///< 0: as many as brokers, at most 3.
  Bytes produce{0};                     ///< Bytes a second of one partition.
  Bytes record_bytes{1024};
  // Every partition's state at time 0.
  std::int64_t initial_finished = 0;  ///< Remote segments of segment.bytes.
  std::int64_t initial_local = 0;     ///< How many of the newest of them are on local disk too.
  std::int64_t initial_closed = 0;    ///< Closed segments on local disk only.
  Bytes initial_active{0};
  bool initial_seeded = true;  ///< Whether the highest remote offset is known.
  Duration initial_age{0};     ///< Now minus every initial timestamp.
  std::string initial_epochs;  ///< EPOCH=START joined with blanks; empty: epoch 0 from offset 0.
  std::string initial;         ///< The csv that says all of it instead; empty: the keys above do.
  /// What that csv holds; null without one.
  std::shared_ptr<const InitialFile> initial_file;
};

/// [network]
struct NetworkOptions {
  DurationDistribution latency = Duration{500us};  ///< One way, between any two nodes.
};

/// [store]
struct StoreOptions {
  enum class Missing : std::uint8_t { no_content, not_found };
  DurationDistribution latency = Duration{20ms};  ///< Of one request, beside the transfer.
  Bytes bandwidth{100 << 20};                     ///< Bytes a second of one transfer; 0 takes no time.
  DurationDistribution delete_latency = Duration{20ms};
  Missing missing = Missing::no_content;
  Bytes capacity{0};  ///< Of all objects and parts; what does not fit is refused whole. 0: no limit.
  // Prices for cost_usd, in millionths of a dollar.
  std::int64_t price_put_per_1000 = 5'000;
  std::int64_t price_delete_per_1000 = 0;
  std::int64_t price_list_per_1000 = 5'000;
  std::int64_t price_gib_month = 23'000;
};

/// [client]: the storage plug-in.
struct ClientOptions {
  /// Whose defaults the other keys have: those below, or those of the plug-in that most clusters run.
  enum class Plugin : std::uint8_t { plain, common };
  enum class TimeoutError : std::uint8_t { permanent, retriable };
  /// What the plug-in does when its thread is interrupted: throw a RemoteStorageException or another one; go on and
  /// leave the flag set; catch it, forget the flag and go on.
  enum class Interrupt : std::uint8_t { throws, unchecked, ignore, swallow };
  enum class DeleteMissing : std::uint8_t { done, error };
  Plugin plugin = Plugin::plain;
  std::int32_t attempts = 3;  ///< Tries of one request, the first included.
  Duration backoff = 100ms;   ///< Before the second try; doubles.
  Ratio backoff_jitter{0, 1};
  Duration timeout = 60s;  ///< Of one try; 0 waits for ever.
  TimeoutError timeout_error = TimeoutError::permanent;
  Duration deadline{0};  ///< Of a whole copy, the plug-in's own clean-up aside; 0: none.
  bool multipart = false;
  Bytes part_size{5 << 20};
  bool abort = true;     ///< Whether a failed upload's parts are aborted.
  bool cleanup = false;  ///< Whether a failed copy removes what it wrote.
  Interrupt interrupt = Interrupt::throws;
  bool delete_batch = false;  ///< Whether a copy's objects are deleted by one request, each key with its own result.
  DeleteMissing delete_missing = DeleteMissing::done;
  Bytes indexes_bytes{1 << 20};
  Bytes producer_snapshot_bytes{1024};
  Bytes leader_epoch_checkpoint_bytes{256};
};

/// [metadata]
struct MetadataOptions {
  DurationDistribution latency = Duration{2ms};  ///< Of one publish, before the poll step.
  std::int32_t partitions = 50;                  ///< remote.log.metadata.topic.num.partitions.
  std::int32_t replication_factor = 3;           ///< At most the number of brokers.
  DurationDistribution consumer_latency = Duration{5ms};
  std::int64_t consumer_rate = 0;    ///< Records a second that a consumer reads at most; 0: no limit.
  Duration poll_step = 50ms;         ///< Of the publisher's wait for its own consumer.
  Duration delivery_timeout = 120s;  ///< Of the producer.
  Bytes record_bytes{200};           ///< For metadata_bytes.
};

/// [remedies]: what operators add from outside; each is off unless its first key turns it on.
struct RemedyOptions {
  std::int32_t bucket_rule_days = 0;   ///< Unfinished uploads of that age are aborted; 0: no rule.
  Duration bucket_rule_from{0};        ///< Its first run; then once a day.
  Duration scrubber_every{0};          ///< Time between two scrubs; 0: no scrubber.
  Duration scrubber_grace = 24h;       ///< What is younger is left alone.
  std::int64_t scrubber_requests = 0;  ///< That one scrub may make; 0: no limit.
  Duration scrubber_view_age{0};       ///< How old the metadata is that it compares with.
  Duration scrubber_from{0};           ///< Its first scrub.
};

/// A key of a section that a later step reads, with its place for messages.
struct WrittenKey {
  std::string key;
  std::string value;
  KeyOrigin origin;
};

/// [expect.POLICY]
struct Expectation {
  std::vector<std::string> must_break;
  std::vector<std::string> may_break;
  /// As `garbage_bytes_end == 0`.
  std::vector<std::string> asserts;
};

/// A run as data: immutable once read, shared by all policies and seeds.
struct Scenario {
  std::string name;
  ScenarioOptions scenario;
  ClusterOptions cluster;
  /// [broker]: what holds for brokers without a section of their own.
  BrokerOptions broker_defaults;
  /// By broker id - 1, [broker] and [broker.ID] merged.
  std::vector<BrokerOptions> brokers;
  std::vector<TopicScenario> topics;
  NetworkOptions network;
  StoreOptions store;
  ClientOptions client;
  MetadataOptions metadata;
  RemedyOptions remedies;
  PolicyOptions policy_options;
  std::vector<FaultRow> faults;
  std::map<std::string, Expectation> expectations;
  /// [study], as written and in that order: for the study command to read.
  std::vector<std::pair<std::string, std::string>> study;
  /// [chaos], in the same way: chaos.h reads it. With it a seed draws the world.
  std::vector<WrittenKey> chaos;
  /// What a reader should know and no error is: Kafka keys without effect here.
  std::vector<std::string> notes;
  /// True when --set, a cluster's configuration, a grid or a draw changed a key: must-break counts as may-break and
  /// asserts are not judged.
  bool changed = false;

  Duration settle() const;
  /// What the brokers' configurations say of how long a copy of any of them can go on.
  CopyBounds copy_bounds() const;
  /// Where faults without an end end: the duration less the settling time.
  SimTime faults_end() const;
  /// The whole scenario with every default, as `check --print` shows it; valid as input. The plan goes to `plan`.
  std::string text;
  std::string plan_text;
};

/// Files of a cluster's own configuration, by path (kafka_config.h says which texts they may hold). Their settings
/// stand above the scenario's and below --set.
struct KafkaConfigFiles {
  std::vector<std::string> broker = {};
  std::vector<std::string> topic = {};
  bool empty() const { return broker.empty() && topic.empty(); }
};

/// What to read and what to change in it.
struct ScenarioSource {
  /// A path (with '/' or ending in .ini), or a name looked up in ./scenarios, then in the catalogue in the binary.
  std::string scenario;
  /// `SECTION.KEY=VALUE`, in order.
  std::vector<std::string> sets;
  KafkaConfigFiles configs = {};
};

/// Names that higher layers know and a scenario may use. An empty list is not checked against.
struct KnownNames {
  /// For must-break and may-break.
  std::span<const std::string> invariants;
  /// Columns of summary.csv, for assert.
  std::span<const std::string> summary_columns;
};

/// Where scenarios and plans come from. Tests and fuzz targets read from memory.
class ScenarioFiles {
 public:
  virtual ~ScenarioFiles() = default;
  /// The text of a file, or why there is none.
  virtual Result<std::string, std::string> read(const std::string& path) const = 0;
  /// Names of scenarios that need no path.
  virtual std::vector<std::string> names() const = 0;
  /// The path for `read` of a scenario by name; nothing when there is none.
  virtual std::optional<std::string> find(std::string_view name) const = 0;
};

/// Reads, merges bases, substitutes ${vars}, applies sets, reads the plan and checks everything. All errors found, at
/// least one.
Result<Scenario, std::vector<InputError>> read_scenario(const ScenarioSource& source,
                                                        std::span<const FaultKindInfo> fault_kinds,
                                                        const KnownNames& known = {});
/// The same for a scenario's text, which messages call `file` and from which paths are relative.
Result<Scenario, std::vector<InputError>> read_scenario_text(const std::string& file, std::string_view text,
                                                             const std::vector<std::string>& sets,
                                                             std::span<const FaultKindInfo> fault_kinds,
                                                             const ScenarioFiles& files, const KnownNames& known = {},
                                                             const KafkaConfigFiles& configs = {});

/// Where a printed scenario has its plan: in faults.plan.csv beside it, or in a section of its own. Files of initial
/// states stand beside it as well (`initial_file_name`), or are named by where they were read.
enum class PlanPlace : std::uint8_t { file, section };
/// `initial.1.csv`: what a run's folder calls the initial state of the scenario's topic of this index.
std::string initial_file_name(std::size_t topic);

/// The scenario with every default, unit and a comment a key; reading it gives the same scenario.
std::string print_scenario(const Scenario& scenario, PlanPlace place = PlanPlace::file);

/// `kip-dangling:sweep=after-success`: the policy's name, its options on top of the scenario's, and the label of its
/// row.
struct PolicyChoice {
  std::string label;
  std::string name;
  PolicyOptions options;
};
Result<PolicyChoice, std::string> read_policy_choice(std::string_view text, const Scenario& scenario);
/// The scenario's own list, or all, or what --policy says.
Result<std::vector<PolicyChoice>, std::string> read_policy_choices(const std::vector<std::string>& texts,
                                                                   const Scenario& scenario);

/// Every key of every section, for `list keys`.
struct KeyInfo {
  std::string section;
  std::string name;
  std::string default_text;
  std::string unit;
  std::string help;
};
std::vector<KeyInfo> all_keys();

/// The names in the catalogue: ./scenarios and the binary's, sorted.
std::vector<std::string> catalogue_names();

}  // namespace sim
