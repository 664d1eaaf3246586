#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/kernel/kernel.h"
#include "sim/kernel/wait.h"
#include "sim/trace/trace.h"
#include "sim/world/chunked.h"
#include "sim/world/fault_board.h"
#include "sim/world/network.h"

namespace sim {

/// The answer to one request. Trivially copyable, so that it can travel to a frame that may be gone.
struct RequestAnswer {
  CallResult result = CallResult::ok;
  RemoteStorageError error = RemoteStorageError::permanent;
  /// A delete found nothing to delete.
  bool was_missing = false;
  FaultIndex fault;
  /// No other try changes it.
  bool is_final = false;
  /// How long the store asks its client to wait before the next try.
  Duration retry_after{0};
  /// Of a batch of deletes: the objects that the store did not let go, one bit each. The others are gone.
  std::uint8_t refused = 0;
};

/// Names a request on its way, so that the client can give it up.
struct Transfer {
  std::uint32_t index = 0;
  std::uint32_t generation = 0;
};

/// Ground truth of every stored byte, and the requests that change it.
///
/// A request is one event: its bytes are computed when a fault, the client or a crash cuts it, and exactly those that
/// had arrived stay: under the key, or as the whole parts of an unfinished upload when the client uploads in parts,
/// which come one after the other.
class ObjectStore {
 public:
  ObjectStore(Kernel& kernel, Trace& trace, Network& network, FaultBoard& faults, const StoreOptions& options,
              const ClientOptions& client, Seed seed);

  /// Every copy attempt, in the order of numbers, `copy_attempt` as in StoreRequest.
  void add_copy(const RemoteLogSegment& segment, std::uint32_t copy_attempt);
  /// Which call of the plug-in for this copy comes next, from 0.
  std::uint32_t next_call(const RemoteLogSegment& segment) { return copies_[segment.number].call_count++; }
  std::uint32_t copy_attempt(const RemoteLogSegment& segment) const { return copies_[segment.number].copy_attempt; }
  /// Puts an object there without a request (initial states).
  void place(const RemoteLogSegment& segment, ObjectKind object, Bytes size);

  /// Sends one request. `size` bytes flow for a put; `stop_after` lets the put fail after that many by `call_fault`.
  struct Sending {
    StoreRequest request;
    Bytes size;
    std::optional<Bytes> stop_after;
    FaultIndex call_fault;
    /// Of a batch of deletes: its objects, one bit each; 0: the request's object alone.
    std::uint8_t batch = 0;
  };
  static constexpr std::uint8_t bit(ObjectKind object) {
    return static_cast<std::uint8_t>(1u << static_cast<unsigned>(object));
  }
  Transfer send(const Sending& sending, Reply<RequestAnswer> reply);
  /// Aborts the unfinished uploads of one object, unless the store or the link fails deletes just then. Takes no time.
  void abort_parts(StoreRequest request);
  /// A call that stands may still complete the upload of this copy's parts, until it is closed or the broker dies.
  void open_upload(const RemoteLogSegment& segment, BrokerId broker) {
    open_uploads_.push_back({segment.number, broker});
  }
  void close_upload(const RemoteLogSegment& segment);
  bool upload_is_live(const RemoteLogSegment& segment) const;

  // What remedies do.
  /// One page of a listing. False when it fails.
  bool list(std::uint32_t listing, std::uint32_t page);
  /// What becomes of a request to remove an object, which takes no time: refused or unheard; acknowledged for nothing;
  /// or to be carried out by `remove`.
  enum class Removal : std::uint8_t { refused, believed, done };
  Removal ask_to_remove(const RemoteLogSegment& segment, ObjectKind object);
  void remove(const RemoteLogSegment& segment, ObjectKind object);
  /// The store's own rule removes parts.
  void expire_parts(const RemoteLogSegment& segment, ObjectKind object, Bytes size);
  /// The client hangs up by the doing of `because`: a put's stream ends here, a delete goes on. Returns the fault that
  /// kept the answer away, if one did, else `because`.
  FaultIndex abandon(Transfer transfer, FaultIndex because);
  /// The fault that makes the request take longer, if one does.
  FaultIndex slowed_by(Transfer transfer) const;

  // What faults and crashes do to requests on their way.
  void interrupt_transfers(std::uint32_t operations, const RequestEffect& effect);
  /// Returns how many there were.
  int slow_transfers(Ratio factor, std::uint32_t fault);
  void link_was_cut(BrokerId broker);
  void broker_died(BrokerId broker);
  /// Nobody of this broker's process completes an upload any more.
  void close_uploads(BrokerId broker);
  /// A process that stands still sends nothing: its puts stand where they are until it goes on.
  void stall(BrokerId broker);
  void go_on(BrokerId broker);

  Bytes stored(const RemoteLogSegment& segment, ObjectKind object, StoredAs stored_as) const;
  std::int64_t request_count() const { return request_count_; }
  std::int64_t put_count() const { return put_count_; }
  std::int64_t delete_count() const { return delete_count_; }
  std::int64_t list_count() const { return list_count_; }
  Bytes put_bytes() const { return put_bytes_; }

 private:
  struct Copy {
    const RemoteLogSegment* segment = nullptr;
    std::array<Bytes, object_kind_count> objects{};
    std::array<Bytes, object_kind_count> parts{};
    std::uint32_t copy_attempt = 0;
    std::uint32_t call_count = 0;
  };
  /// `late` belongs to no client any more: what it does is under way at the store.
  enum class Phase : std::uint8_t { free, flowing, silent, answering, late };
  struct Record {
    Sending sending;
    Reply<RequestAnswer> reply;
    RequestAnswer answer;
    SimTime flow_start;
    SimTime flow_end;
    Bytes arrived_before;      // Of this put, before flow_start.
    std::uint8_t removed = 0;  // Of a batch: what will be gone.
    FaultIndex slowed_by;
    Timer timer;
    std::uint32_t generation = 1;
    Phase phase = Phase::free;
    bool is_stalled = false;
    SimTime stalled_since;  // Then: what had flowed by then has.
  };

  /// A request that is carried out once more.
  struct Repeat {
    Sending sending;
    std::uint8_t removed;
    FaultIndex fault;
  };
  FaultIndex silencer_of_answer(const Record& record);
  void repeat_later(const Record& record);
  void repeat(std::uint64_t index);
  void count_requests(const Sending& sending);
  std::uint32_t take_record();
  void free_record(std::uint32_t index);
  SimTime landing_time(const Record& record) const;
  RequestEffect effect_of(const Sending& sending, std::uint8_t& removed, std::uint8_t& refused);
  void land(std::uint64_t index);
  RequestAnswer put_lands(const Record& record);
  RequestAnswer delete_lands(const Record& record);
  void land_after(Duration delay, const Sending& sending, FaultIndex fault);
  void land_late(std::uint64_t index);
  void answer(std::uint64_t index);
  void answer_after(std::uint32_t index, Duration delay, RequestAnswer answer);
  void cut(std::uint32_t index, FaultIndex fault);
  Bytes arrived(const Record& record) const;
  Bytes room() const;
  void schedule_landing(std::uint32_t index);
  void set_object(const RemoteLogSegment& segment, ObjectKind object, Bytes size, FaultIndex fault);
  void change_parts(const RemoteLogSegment& segment, ObjectKind object, Bytes delta, FaultIndex fault);
  void store_cut_bytes(const Record& record, Bytes arrived, FaultIndex fault);
  std::uint64_t key_of(const StoreRequest& request) const;
  FaultIndex delayer(Node broker) const;

  Kernel& kernel_;
  Trace& trace_;
  Network& network_;
  FaultBoard& faults_;
  const StoreOptions& options_;
  const ClientOptions& client_;
  Seed seed_;
  Chunked<Copy> copies_;
  std::vector<Record> records_;
  std::vector<std::uint32_t> free_records_;
  struct OpenUpload {
    std::uint32_t segment;
    BrokerId broker;
  };
  std::vector<OpenUpload> open_uploads_;  // Few: of calls that stand.
  Bytes stored_;
  std::vector<Repeat> repeats_;
  std::int64_t request_count_ = 0;
  std::int64_t put_count_ = 0;
  std::int64_t delete_count_ = 0;
  std::int64_t list_count_ = 0;
  Bytes put_bytes_;
};

}  // namespace sim
