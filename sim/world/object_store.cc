#include "sim/world/object_store.h"

#include <algorithm>

#include "sim/faults/row_values.h"

namespace sim {

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

Transfer ObjectStore::send(const Sending& sending, Reply<RequestAnswer> reply) {
  const StoreRequest& request = sending.request;
  count_requests(sending);
  const std::uint32_t index = take_record();
  Record& record = records_[index];
  record.sending = sending;
  record.reply = reply;
  record.arrived_before = Bytes{0};
  const Transfer transfer{index, record.generation};

  const Node broker = Node::broker(request.broker);
  if (!network_.is_open(broker, Node::store())) {
    record.answer.fault = network_.cutter(broker, Node::store());
    faults_.hit(record.answer.fault);
    record.phase = Phase::silent;
    return transfer;
  }
  const std::uint64_t key = key_of(request);
  const bool is_put = request.operation == StoreOperation::put;
  const Ratio slowness = faults_.slow_down();
  const Duration latency = scaled((is_put ? options_.latency : options_.delete_latency).draw(key), slowness);
  const Duration there_and_back = 2 * network_.latency(key);
  const RequestEffect effect = faults_.on_request(request);
  if (effect.kind == RequestEffect::Kind::hang) {
    record.phase = Phase::silent;
    record.answer.fault = effect.fault;
    return transfer;
  }
  if (effect.kind == RequestEffect::Kind::reject) {
    answer_after(index, latency + there_and_back, {CallResult::rejected, effect.error, false, effect.fault});
    return transfer;
  }
  Duration flow{0};
  if (is_put && options_.bandwidth > Bytes{0}) {
    const auto microseconds = static_cast<__int128>(sending.size.value()) * 1'000'000 / options_.bandwidth.value();
    flow = scaled(Duration{static_cast<std::int64_t>(microseconds)}, slowness);
  }
  record.phase = Phase::flowing;
  record.flow_start = kernel_.now() + latency + there_and_back;
  record.flow_end = record.flow_start + flow;
  record.timer = kernel_.schedule_at<&ObjectStore::land>(landing_time(record), this, index);
  return transfer;
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
  RequestAnswer outcome;
  if (request.operation == StoreOperation::put) {
    if (record.sending.stop_after) {
      store_cut_bytes(record, *record.sending.stop_after, record.sending.call_fault);
      outcome = {CallResult::failed, RemoteStorageError::permanent, false, record.sending.call_fault};
    } else {
      put_bytes_ += record.sending.size;
      set_object(*request.segment, request.object, record.sending.size, std::nullopt);
    }
  } else {
    // A store that answers 204 to every delete tells nobody.
    outcome.was_missing = options_.missing == StoreOptions::Missing::not_found &&
                          copies_[request.segment->number].objects[at(request.object)] == Bytes{0};
    set_object(*request.segment, request.object, Bytes{0}, std::nullopt);
  }
  const Node broker = Node::broker(request.broker);
  if (!network_.is_open(Node::store(), broker)) {
    // It happened, and the caller believes that it failed.
    faults_.hit(network_.cutter(Node::store(), broker));
    record.answer.fault = network_.cutter(Node::store(), broker);
    record.phase = Phase::silent;
    return;
  }
  record.reply.answer(kernel_, outcome);
  free_record(index);
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
  const Node broker = Node::broker(record.sending.request.broker);
  if (!network_.is_open(Node::store(), broker)) {
    faults_.hit(network_.cutter(Node::store(), broker));
    record.phase = Phase::silent;
    return;
  }
  record.reply.answer(kernel_, record.answer);
  free_record(index);
}

Bytes ObjectStore::arrived(const Record& record) const {
  const SimTime now = std::clamp(kernel_.now(), record.flow_start, record.flow_end);
  const Bytes rest = record.sending.size - record.arrived_before;
  if (kernel_.now() < record.flow_start) return record.arrived_before;
  return record.arrived_before + share(rest, now - record.flow_start, record.flow_end - record.flow_start);
}

void ObjectStore::cut(std::uint32_t index, FaultIndex fault) {
  Record& record = records_[index];
  CHECK(record.phase == Phase::flowing);
  kernel_.cancel(record.timer);
  record.phase = Phase::silent;
  record.answer.fault = fault;
  if (record.sending.request.operation == StoreOperation::put) store_cut_bytes(record, arrived(record), fault);
}

void ObjectStore::store_cut_bytes(const Record& record, Bytes arrived, FaultIndex fault) {
  if (arrived <= Bytes{0}) return;
  put_bytes_ += arrived;
  const StoreRequest& request = record.sending.request;
  if (!client_.multipart) {
    set_object(*request.segment, request.object, arrived, fault);
    return;
  }
  copies_[request.segment->number].parts[at(request.object)] += arrived;
  trace_.emit(kernel_.now(), BytesChanged{request.segment, request.object, StoredAs::parts, arrived, fault});
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
  const Node broker = Node::broker(request.broker);
  if (!network_.is_open(broker, Node::store())) return;
  if (faults_.on_request(request).kind != RequestEffect::Kind::pass) return;
  trace_.emit(kernel_.now(), BytesChanged{request.segment, request.object, StoredAs::parts, -parts, std::nullopt});
  parts = Bytes{0};
}

void ObjectStore::set_object(const RemoteLogSegment& segment, ObjectKind object, Bytes size, FaultIndex fault) {
  Bytes& stored = copies_[segment.number].objects[at(object)];
  const Bytes delta = size - stored;
  stored = size;
  if (delta == Bytes{0}) return;
  trace_.emit(kernel_.now(), BytesChanged{&segment, object, StoredAs::object, delta, fault});
}

FaultIndex ObjectStore::abandon(Transfer transfer) {
  Record& record = records_[transfer.index];
  if (record.generation != transfer.generation || record.phase == Phase::free) return std::nullopt;
  if (record.phase == Phase::flowing) {
    // A delete is one small message: it has left, and goes on without its sender.
    if (record.sending.request.operation != StoreOperation::put) return std::nullopt;
    cut(transfer.index, std::nullopt);
  }
  const FaultIndex fault = record.answer.fault;
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

int ObjectStore::slow_transfers(Ratio factor) {
  int slowed = 0;
  for (std::uint32_t index = 0; index < records_.size(); ++index) {
    Record& record = records_[index];
    if (record.phase != Phase::flowing) continue;
    ++slowed;
    const SimTime now = kernel_.now();
    if (now >= record.flow_start) {
      record.arrived_before = arrived(record);
      record.flow_start = now;
      record.flow_end = now + scaled(record.flow_end - now, factor);
    } else {
      const Duration flow = scaled(record.flow_end - record.flow_start, factor);
      record.flow_start = now + scaled(record.flow_start - now, factor);
      record.flow_end = record.flow_start + flow;
    }
    kernel_.cancel(record.timer);
    record.timer = kernel_.schedule_at<&ObjectStore::land>(landing_time(record), this, index);
  }
  return slowed;
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
    if (record.phase == Phase::free || record.sending.request.broker != broker) continue;
    abandon({index, record.generation});
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
  record.timer = {};
  record.answer = {};
  free_records_.push_back(index);
}

}  // namespace sim
