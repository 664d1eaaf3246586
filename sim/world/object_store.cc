#include "sim/world/object_store.h"

#include <algorithm>
#include <limits>

#include "sim/faults/row_values.h"

namespace sim {

#ifdef FLOTSAM_PLANT_NONDETERMINISM
/// How many requests the process has made, in microseconds, so that a run depends on those before it: the defect of
/// flotsam_planted, which whoever compares traces must find (tests/planted_delay.cc).
Duration planted_delay();
#else
static constexpr Duration planted_delay() { return Duration{0}; }
#endif

namespace {

std::size_t at(ObjectKind object) { return static_cast<std::size_t>(object); }

Duration scaled(Duration duration, Ratio ratio) {
  const auto scaled = static_cast<unsigned __int128>(duration.count()) * ratio.numerator / ratio.denominator;
  return Duration{static_cast<std::int64_t>(scaled)};
}

/// The share of `whole` that `part` of `total` time moves, rounded down.
Bytes share(Bytes whole, Duration part, Duration total) {
  if (total <= Duration{0}) return whole;
  return Bytes{static_cast<std::int64_t>(static_cast<__int128>(whole.value()) * part.count() / total.count())};
}

Bytes saturated_sum(Bytes room, Bytes more) {
  return room > Bytes{std::numeric_limits<std::int64_t>::max()} - more ? room : room + more;
}

}  // namespace

ObjectStore::ObjectStore(Kernel& kernel, Trace& trace, Network& network, FaultBoard& faults,
                         const StoreOptions& options, const ClientOptions& client, Seed seed)
    : kernel_(kernel),
      trace_(trace),
      network_(network),
      faults_(faults),
      options_(options),
      client_(client),
      seed_(seed) {}

void ObjectStore::add_copy(const RemoteLogSegment& segment, std::uint32_t copy_attempt) {
  CHECK(segment.number == copies_.size());
  copies_.add({&segment, {}, {}, copy_attempt, 0});
}

void ObjectStore::place(const RemoteLogSegment& segment, ObjectKind object, Bytes size) {
  set_object(segment, object, size, std::nullopt);
}

std::uint64_t ObjectStore::key_of(const StoreRequest& request) const {
  return keyed_draw(seed_, "request", request.segment->partition, request.segment->start_offset, request.operation,
                    request.object, request.copy_attempt, request.call, request.attempt);
}

Transfer ObjectStore::send(const Sending& given, Reply<RequestAnswer> reply) {
  Sending sending = given;
  sending.request.sent = kernel_.now();
  const StoreRequest& request = sending.request;
  count_requests(sending);
  const std::uint32_t index = take_record();
  records_[index].sending = sending;
  records_[index].reply = reply;
  records_[index].arrived_before = Bytes{0};
  const Transfer transfer{index, records_[index].generation};
  const auto stay_silent = [&](FaultIndex fault) {
    records_[index].answer.fault = fault;
    records_[index].phase = Phase::silent;
    return transfer;
  };

  const Node broker = Node::broker(request.broker);
  if (!network_.is_open(broker, Node::store())) {
    faults_.hit(network_.cutter(broker, Node::store()));
    return stay_silent(network_.cutter(broker, Node::store()));
  }
  const std::uint64_t key = key_of(request);
  if (const FaultIndex loser = faults_.loses({broker, Node::store()}, key)) return stay_silent(loser);
  const bool is_put = request.operation == StoreOperation::put;
  const auto [slowness, slower] = faults_.slow_down();
  records_[index].slowed_by = slower ? slower : delayer(broker);
  const Duration latency =
      scaled((is_put ? options_.latency : options_.delete_latency).draw(key), slowness) + planted_delay();
  const Duration answer_time = latency + 2 * network_.latency(key) + network_.extra_delay(broker, Node::store()) +
                               network_.extra_delay(Node::store(), broker);
  std::uint8_t refused = 0;
  const RequestEffect effect = effect_of(sending, records_[index].removed, refused);
  const RequestAnswer refusal{CallResult::rejected, effect.error, false,  effect.fault,
                              effect.is_final,      effect.delay, refused};
  switch (effect.kind) {
    case RequestEffect::Kind::pass:
      break;
    case RequestEffect::Kind::hang:
      return stay_silent(effect.fault);
    case RequestEffect::Kind::reject:
      answer_after(index, answer_time, refusal);
      return transfer;
    case RequestEffect::Kind::no_effect:
      answer_after(index, answer_time, {CallResult::ok, effect.error, false, effect.fault});
      return transfer;
    case RequestEffect::Kind::late:
      land_after(effect.delay, sending, effect.fault);
      answer_after(index, answer_time, {CallResult::rejected, effect.error, false, effect.fault});
      return transfer;
    case RequestEffect::Kind::late_unheard:
      land_after(effect.delay, sending, effect.fault);
      return stay_silent(effect.fault);
  }
  // A batch lands as a whole and says of each key what became of it.
  Record& record = records_[index];
  record.answer = refused != 0 ? refusal : RequestAnswer{CallResult::ok, effect.error, false, effect.fault};
  Duration flow{0};
  if (is_put && options_.bandwidth > Bytes{0}) {
    const auto microseconds = static_cast<__int128>(sending.size.value()) * 1'000'000 / options_.bandwidth.value();
    flow = scaled(Duration{static_cast<std::int64_t>(microseconds)}, slowness);
  }
  record.phase = Phase::flowing;
  record.flow_start = kernel_.now() + answer_time;
  record.flow_end = record.flow_start + flow;
  record.timer = kernel_.schedule_at<&ObjectStore::land>(landing_time(record), this, index);
  return transfer;
}

/// What becomes of the request. Of a batch: what becomes of all its keys where they meet one end, else `pass` with what
/// is `removed` and what is `refused`; error and fault are those of the first refusal, or lie.
RequestEffect ObjectStore::effect_of(const Sending& sending, std::uint8_t& removed, std::uint8_t& refused) {
  removed = sending.batch;
  if (sending.batch == 0) return faults_.on_request(sending.request);
  RequestEffect result;
  for (int i = 0; i < object_kind_count; ++i) {
    StoreRequest key = sending.request;
    key.object = static_cast<ObjectKind>(i);
    if ((sending.batch & bit(key.object)) == 0) continue;
    const RequestEffect effect = faults_.on_request(key);
    if (effect.kind == RequestEffect::Kind::pass) continue;
    if (effect.kind == RequestEffect::Kind::hang) return effect;
    removed = static_cast<std::uint8_t>(removed & ~bit(key.object));
    if (effect.kind != RequestEffect::Kind::reject) {
      if (refused == 0) result = effect;
      continue;
    }
    // One key that may be let go at another try is worth that try.
    const bool is_final = effect.is_final && (refused == 0 || result.is_final);
    if (refused == 0) result = effect;
    result.is_final = is_final;
    refused = static_cast<std::uint8_t>(refused | bit(key.object));
  }
  if (removed != 0) result.kind = RequestEffect::Kind::pass;
  return result;
}

SimTime ObjectStore::landing_time(const Record& record) const {
  const Sending& sending = record.sending;
  if (!sending.stop_after) return record.flow_end;
  // The put fails at the byte at which it is told to.
  const Bytes rest = sending.size - record.arrived_before;
  if (rest <= Bytes{0}) return record.flow_start;
  const Bytes until_stop = std::max(Bytes{0}, *sending.stop_after - record.arrived_before);
  const auto flow = static_cast<__int128>((record.flow_end - record.flow_start).count());
  return record.flow_start + Duration{static_cast<std::int64_t>(flow * until_stop.value() / rest.value())};
}

void ObjectStore::land(std::uint64_t argument) {
  const auto index = static_cast<std::uint32_t>(argument);
  Record& record = records_[index];
  record.timer = {};
  const StoreRequest& request = record.sending.request;
  const RequestAnswer outcome = request.operation == StoreOperation::put ? put_lands(record) : delete_lands(record);
  if (outcome.result == CallResult::ok) repeat_later(record);
  if (const FaultIndex silencer = silencer_of_answer(record)) {
    // It happened, and the caller believes that it failed.
    record.answer.fault = silencer;
    record.phase = Phase::silent;
    return;
  }
  record.reply.answer(kernel_, outcome);
  free_record(index);
}

RequestAnswer ObjectStore::put_lands(const Record& record) {
  const Sending& sending = record.sending;
  const StoreRequest& request = sending.request;
  if (sending.stop_after) {
    store_cut_bytes(record, *sending.stop_after, sending.call_fault);
    return {CallResult::failed, RemoteStorageError::permanent, false, sending.call_fault};
  }
  const Bytes there = copies_[request.segment->number].objects[at(request.object)];
  if (sending.size - there > room()) return {CallResult::rejected, RemoteStorageError::permanent, false, std::nullopt};
  put_bytes_ += sending.size;
  set_object(*request.segment, request.object, sending.size, std::nullopt);
  return {};
}

RequestAnswer ObjectStore::delete_lands(const Record& record) {
  const StoreRequest& request = record.sending.request;
  const auto remove = [&](ObjectKind object) { set_object(*request.segment, object, Bytes{0}, std::nullopt); };
  if (record.sending.batch != 0) {
    // A batch never says that a key was missing.
    for (int i = 0; i < object_kind_count; ++i) {
      const auto object = static_cast<ObjectKind>(i);
      if ((record.removed & bit(object)) != 0) remove(object);
    }
    return record.answer;
  }
  // A store that answers 204 to every delete tells nobody.
  RequestAnswer outcome;
  outcome.was_missing = options_.missing == StoreOptions::Missing::not_found &&
                        copies_[request.segment->number].objects[at(request.object)] == Bytes{0};
  remove(request.object);
  return outcome;
}

void ObjectStore::land_after(Duration delay, const Sending& sending, FaultIndex fault) {
  const std::uint32_t index = take_record();
  Record& record = records_[index];
  record.sending = sending;
  record.reply = {};
  record.answer.fault = fault;
  record.phase = Phase::late;
  record.timer = kernel_.schedule_after<&ObjectStore::land_late>(delay, this, index);
}

void ObjectStore::land_late(std::uint64_t argument) {
  const auto index = static_cast<std::uint32_t>(argument);
  const Sending sending = records_[index].sending;
  const FaultIndex fault = records_[index].answer.fault;
  free_record(index);
  const RemoteLogSegment& segment = *sending.request.segment;
  const Bytes there = copies_[segment.number].objects[at(sending.request.object)];
  if (sending.size - there > room()) return;
  put_bytes_ += sending.size;
  set_object(segment, sending.request.object, sending.size, fault);
}

/// The fault that keeps an answer from its caller, which that counts as a hit.
FaultIndex ObjectStore::silencer_of_answer(const Record& record) {
  const Node broker = Node::broker(record.sending.request.broker);
  if (network_.is_open(Node::store(), broker)) {
    return faults_.loses({Node::store(), broker}, key_of(record.sending.request));
  }
  faults_.hit(network_.cutter(Node::store(), broker));
  return network_.cutter(Node::store(), broker);
}

void ObjectStore::repeat_later(const Record& record) {
  const StoreRequest& request = record.sending.request;
  const auto again = faults_.repeats({Node::broker(request.broker), Node::store()}, key_of(request));
  if (!again) return;
  repeats_.push_back({record.sending, record.removed, again->fault});
  kernel_.schedule_after<&ObjectStore::repeat>(again->delay, this, repeats_.size() - 1);
}

/// A request that has come twice.
void ObjectStore::repeat(std::uint64_t index) {
  const Repeat repeat = repeats_[index];
  const StoreRequest& request = repeat.sending.request;
  count_requests(repeat.sending);
  if (request.operation == StoreOperation::put) {
    const Bytes there = copies_[request.segment->number].objects[at(request.object)];
    if (repeat.sending.size - there > room()) return;
    put_bytes_ += repeat.sending.size;
    set_object(*request.segment, request.object, repeat.sending.size, repeat.fault);
    return;
  }
  const std::uint8_t removed = repeat.sending.batch != 0 ? repeat.removed : bit(request.object);
  for (int i = 0; i < object_kind_count; ++i) {
    const auto object = static_cast<ObjectKind>(i);
    if ((removed & bit(object)) != 0) set_object(*request.segment, object, Bytes{0}, repeat.fault);
  }
}

void ObjectStore::answer_after(std::uint32_t index, Duration delay, RequestAnswer answer) {
  records_[index].phase = Phase::answering;
  records_[index].answer = answer;
  records_[index].timer = kernel_.schedule_after<&ObjectStore::answer>(delay, this, index);
}

void ObjectStore::answer(std::uint64_t argument) {
  const auto index = static_cast<std::uint32_t>(argument);
  Record& record = records_[index];
  record.timer = {};
  if (silencer_of_answer(record)) {
    record.phase = Phase::silent;
    return;
  }
  record.reply.answer(kernel_, record.answer);
  free_record(index);
}

Bytes ObjectStore::arrived(const Record& record) const {
  const SimTime until = record.is_stalled ? record.stalled_since : kernel_.now();
  const SimTime now = std::clamp(until, record.flow_start, record.flow_end);
  const Bytes rest = record.sending.size - record.arrived_before;
  if (until < record.flow_start) return record.arrived_before;
  return record.arrived_before + share(rest, now - record.flow_start, record.flow_end - record.flow_start);
}

void ObjectStore::cut(std::uint32_t index, FaultIndex fault) {
  Record& record = records_[index];
  CHECK(record.phase == Phase::flowing);
  kernel_.cancel(record.timer);
  record.phase = Phase::silent;
  record.answer.fault = fault;
  if (record.sending.request.operation == StoreOperation::put) store_cut_bytes(record, arrived(record), fault);
  record.is_stalled = false;
}

void ObjectStore::store_cut_bytes(const Record& record, Bytes arrived, FaultIndex fault) {
  const StoreRequest& request = record.sending.request;
  const Bytes there = copies_[request.segment->number].objects[at(request.object)];
  arrived = std::min(arrived, client_.multipart ? room() : saturated_sum(room(), there));
  // The store keeps a part when all of it has come; the last one is what is left of the object.
  if (client_.multipart && arrived < record.sending.size) arrived -= Bytes{arrived.value() % client_.part_size.value()};
  if (arrived <= Bytes{0}) return;
  put_bytes_ += arrived;
  if (!client_.multipart) return set_object(*request.segment, request.object, arrived, fault);
  change_parts(*request.segment, request.object, arrived, fault);
}

/// What the store can still take.
Bytes ObjectStore::room() const {
  return options_.capacity > Bytes{0} ? options_.capacity - stored_ : Bytes{std::numeric_limits<std::int64_t>::max()};
}

void ObjectStore::count_requests(const Sending& sending) {
  if (sending.request.operation != StoreOperation::put) {
    ++request_count_;
    ++delete_count_;
    return;
  }
  std::int64_t requests = 1;
  if (client_.multipart) {
    // One to begin the upload, one a part, one to complete it.
    const std::int64_t part = client_.part_size.value();
    requests = 2 + std::max<std::int64_t>(1, (sending.size.value() + part - 1) / part);
  }
  request_count_ += requests;
  put_count_ += requests;
}

void ObjectStore::abort_parts(StoreRequest request) {
  Bytes& parts = copies_[request.segment->number].parts[at(request.object)];
  if (parts == Bytes{0}) return;
  request.operation = StoreOperation::remove;
  ++request_count_;
  ++delete_count_;
  request.sent = kernel_.now();
  const Node broker = Node::broker(request.broker);
  if (!network_.is_open(broker, Node::store())) return;
  if (faults_.on_request(request).kind != RequestEffect::Kind::pass) return;
  change_parts(*request.segment, request.object, -parts, std::nullopt);
}

void ObjectStore::close_upload(const RemoteLogSegment& segment) {
  std::erase_if(open_uploads_, [&](const OpenUpload& open) { return open.segment == segment.number; });
}

void ObjectStore::close_uploads(BrokerId broker) {
  std::erase_if(open_uploads_, [&](const OpenUpload& open) { return open.broker == broker; });
}

bool ObjectStore::upload_is_live(const RemoteLogSegment& segment) const {
  return std::any_of(open_uploads_.begin(), open_uploads_.end(),
                     [&](const OpenUpload& open) { return open.segment == segment.number; });
}

bool ObjectStore::list(std::uint32_t listing, std::uint32_t page) {
  ++request_count_;
  ++list_count_;
  const StoreRequest request{BrokerId{0}, StoreOperation::list, nullptr, ObjectKind::log, 0, listing,
                             page,        kernel_.now()};
  return faults_.on_request(request).kind == RequestEffect::Kind::pass;
}

ObjectStore::Removal ObjectStore::ask_to_remove(const RemoteLogSegment& segment, ObjectKind object) {
  ++request_count_;
  ++delete_count_;
  const StoreRequest request{BrokerId{0},           StoreOperation::remove, &segment, object,
                             copy_attempt(segment), next_call(segment),     0,        kernel_.now()};
  switch (faults_.on_request(request).kind) {
    case RequestEffect::Kind::pass:
      return Removal::done;
    case RequestEffect::Kind::no_effect:
      return Removal::believed;
    default:
      return Removal::refused;
  }
}

void ObjectStore::remove(const RemoteLogSegment& segment, ObjectKind object) {
  set_object(segment, object, Bytes{0}, std::nullopt);
}

void ObjectStore::expire_parts(const RemoteLogSegment& segment, ObjectKind object, Bytes size) {
  change_parts(segment, object, -size, std::nullopt);
}

void ObjectStore::change_parts(const RemoteLogSegment& segment, ObjectKind object, Bytes delta, FaultIndex fault) {
  copies_[segment.number].parts[at(object)] += delta;
  stored_ += delta;
  trace_.emit(kernel_.now(), BytesChanged{&segment, object, StoredAs::parts, delta, fault});
}

void ObjectStore::set_object(const RemoteLogSegment& segment, ObjectKind object, Bytes size, FaultIndex fault) {
  Bytes& stored = copies_[segment.number].objects[at(object)];
  const Bytes delta = size - stored;
  stored = size;
  if (delta == Bytes{0}) return;
  stored_ += delta;
  trace_.emit(kernel_.now(), BytesChanged{&segment, object, StoredAs::object, delta, fault});
}

FaultIndex ObjectStore::slowed_by(Transfer transfer) const {
  const Record& record = records_[transfer.index];
  return record.generation == transfer.generation ? record.slowed_by : std::nullopt;
}

/// A fault that makes the ways between this broker and the store longer.
FaultIndex ObjectStore::delayer(Node broker) const {
  const FaultIndex there = network_.delayer(broker, Node::store());
  return there ? there : network_.delayer(Node::store(), broker);
}

FaultIndex ObjectStore::abandon(Transfer transfer, FaultIndex because) {
  Record& record = records_[transfer.index];
  if (record.generation != transfer.generation || record.phase == Phase::free) return because;
  if (record.phase == Phase::flowing) {
    // A delete is one small message: it has left, and goes on without its sender.
    if (record.sending.request.operation != StoreOperation::put) return because;
    cut(transfer.index, because);
  }
  const FaultIndex fault = record.answer.fault ? record.answer.fault : because;
  kernel_.cancel(record.timer);
  free_record(transfer.index);
  return fault;
}

void ObjectStore::interrupt_transfers(std::uint32_t operations, const RequestEffect& effect) {
  for (std::uint32_t index = 0; index < records_.size(); ++index) {
    Record& record = records_[index];
    if (record.phase != Phase::flowing) continue;
    if ((operations & operation_bit(record.sending.request.operation)) == 0) continue;
    faults_.hit(effect.fault);
    cut(index, effect.fault);
    if (effect.kind == RequestEffect::Kind::reject) {
      answer_after(index, Duration{0}, {CallResult::rejected, effect.error, false, effect.fault});
    }
  }
}

int ObjectStore::slow_transfers(Ratio factor, std::uint32_t fault) {
  int slowed = 0;
  for (std::uint32_t index = 0; index < records_.size(); ++index) {
    Record& record = records_[index];
    if (record.phase != Phase::flowing) continue;
    ++slowed;
    if (factor.numerator > factor.denominator) record.slowed_by = fault;
    const SimTime now = record.is_stalled ? record.stalled_since : kernel_.now();
    if (now >= record.flow_start) {
      record.arrived_before = arrived(record);
      record.flow_start = now;
      record.flow_end = now + scaled(record.flow_end - now, factor);
    } else {
      const Duration flow = scaled(record.flow_end - record.flow_start, factor);
      record.flow_start = now + scaled(record.flow_start - now, factor);
      record.flow_end = record.flow_start + flow;
    }
    schedule_landing(index);
  }
  return slowed;
}

void ObjectStore::schedule_landing(std::uint32_t index) {
  Record& record = records_[index];
  kernel_.cancel(record.timer);
  if (record.is_stalled) return;
  record.timer = kernel_.schedule_at<&ObjectStore::land>(landing_time(record), this, index);
}

void ObjectStore::stall(BrokerId broker) {
  for (std::uint32_t index = 0; index < records_.size(); ++index) {
    Record& record = records_[index];
    if (record.phase != Phase::flowing || record.sending.request.broker != broker) continue;
    if (record.sending.request.operation != StoreOperation::put) continue;
    record.is_stalled = true;
    record.stalled_since = kernel_.now();
    kernel_.cancel(record.timer);
  }
}

void ObjectStore::go_on(BrokerId broker) {
  for (std::uint32_t index = 0; index < records_.size(); ++index) {
    Record& record = records_[index];
    if (!record.is_stalled || record.sending.request.broker != broker) continue;
    const Duration stood = kernel_.now() - record.stalled_since;
    record.is_stalled = false;
    record.flow_start += stood;
    record.flow_end += stood;
    schedule_landing(index);
  }
}

void ObjectStore::link_was_cut(BrokerId broker) {
  const Node node = Node::broker(broker);
  if (network_.is_open(node, Node::store())) return;
  for (std::uint32_t index = 0; index < records_.size(); ++index) {
    const Record& record = records_[index];
    if (record.phase != Phase::flowing || record.sending.request.broker != broker) continue;
    if (record.sending.request.operation != StoreOperation::put) continue;
    faults_.hit(network_.cutter(node, Node::store()));
    cut(index, network_.cutter(node, Node::store()));
  }
}

void ObjectStore::broker_died(BrokerId broker) {
  for (std::uint32_t index = 0; index < records_.size(); ++index) {
    Record& record = records_[index];
    if (record.phase == Phase::free || record.phase == Phase::late) continue;
    if (record.sending.request.broker != broker) continue;
    abandon({index, record.generation}, std::nullopt);
  }
}

Bytes ObjectStore::stored(const RemoteLogSegment& segment, ObjectKind object, StoredAs stored_as) const {
  const Copy& copy = copies_[segment.number];
  return (stored_as == StoredAs::object ? copy.objects : copy.parts)[at(object)];
}

std::uint32_t ObjectStore::take_record() {
  if (free_records_.empty()) {
    free_records_.push_back(static_cast<std::uint32_t>(records_.size()));
    records_.emplace_back();
  }
  const std::uint32_t index = free_records_.back();
  free_records_.pop_back();
  return index;
}

void ObjectStore::free_record(std::uint32_t index) {
  Record& record = records_[index];
  ++record.generation;
  record.phase = Phase::free;
  record.is_stalled = false;
  record.timer = {};
  record.answer = {};
  record.removed = 0;
  record.slowed_by.reset();
  free_records_.push_back(index);
}

}  // namespace sim
