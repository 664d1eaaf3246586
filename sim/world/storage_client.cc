#include "sim/world/storage_client.h"

#include <algorithm>

#include "sim/faults/row_values.h"

namespace sim {

StorageClient::StorageClient(Kernel& kernel, Trace& trace, ObjectStore& store, FaultBoard& faults,
                             const ClientOptions& options, Seed seed, const Caller& caller, Interrupt& interrupt)
    : kernel_(kernel),
      trace_(trace),
      store_(store),
      faults_(faults),
      options_(options),
      seed_(seed),
      caller_(caller),
      interrupt_(interrupt) {}

StorageCall StorageClient::begin(StoreOperation operation, const RemoteLogSegment& segment) {
  busy_since_ = kernel_.now();
  return {caller_.broker, operation, &segment, store_.copy_attempt(segment), store_.next_call(segment)};
}

void StorageClient::end(const StorageCall& call, const CallEnd& end) {
  trace_.emit(kernel_.now(), StorageCallEnded{call.segment, caller_.broker, caller_.task, call.operation, *busy_since_,
                                              end.result, end.fault});
  busy_since_.reset();
  // It has caught the interrupt and does not say so to its caller.
  if (options_.interrupt == ClientOptions::Interrupt::swallow) interrupt_.clear();
}

Task<Result<CustomMetadata, RemoteStorageError>> StorageClient::copy_log_segment_data(
    RemoteLogSegmentMetadata metadata) {
  const StorageCall call = begin(StoreOperation::put, *metadata.segment);
  if (const auto limit = copy_deadline()) deadline_ = kernel_.now() + *limit;
  CallEnd outcome = co_await put_objects(*metadata.segment, call);
  deadline_.reset();
  store_.close_upload(*metadata.segment);
  if (outcome.result != CallResult::ok && options_.cleanup) co_await clean_up(*metadata.segment, call);
  FaultBoard::CustomMetadataSize custom;
  if (outcome.result == CallResult::ok) custom = faults_.custom_metadata_size(call);
  if (custom.fault) outcome.fault = custom.fault;
  end(call, outcome);
  if (outcome.result != CallResult::ok) co_return Failed(outcome.error);
  co_return CustomMetadata{custom.size};
}

std::optional<Duration> StorageClient::copy_deadline() const {
  return options_.deadline > Duration{0} ? std::optional{options_.deadline} : std::nullopt;
}

Task<Result<void, RemoteStorageError>> StorageClient::delete_log_segment_data(RemoteLogSegmentMetadata metadata) {
  const StorageCall call = begin(StoreOperation::remove, *metadata.segment);
  const CallEnd outcome = co_await delete_objects(*metadata.segment, call);
  end(call, outcome);
  if (outcome.result != CallResult::ok) co_return Failed(outcome.error);
  co_return Result<void, RemoteStorageError>{};
}

Task<StorageClient::CallEnd> StorageClient::put_objects(const RemoteLogSegment& segment, StorageCall call) {
  const CallEffect effect = faults_.on_call(call);
  if (effect.hangs) store_.open_upload(segment, caller_.broker);
  Bytes done{0};
  bool has_stood = false;
  for (int i = 0; i < object_kind_count; ++i) {
    const auto object = static_cast<ObjectKind>(i);
    const Bytes size = object_size(segment, object, options_);
    ObjectStore::Sending sending{
        {caller_.broker, StoreOperation::put, &segment, object, call.copy_attempt, call.call, 0},
        size,
        std::nullopt,
        effect.fault};
    const bool may_stop = effect.fails || (effect.hangs && !has_stood);
    if (may_stop && effect.done_before_failure) {
      const Bytes left = std::max(Bytes{0}, *effect.done_before_failure - done);
      if (left < size || i + 1 == object_kind_count) sending.stop_after = std::min(left, size);
    }
    const Stand stand{effect.hangs && sending.stop_after.has_value(), effect.hang_time};
    CallEnd sent = co_await request(sending, stand);
    has_stood = has_stood || stand.stands;
    if (sent.result == CallResult::failed) {
      sent.error = effect.error;
      if (!effect.answer_lost) co_return sent;
      const CallEnd lost = co_await wait_in_vain(effect);
      co_return lost;
    }
    if (sent.result != CallResult::ok) co_return sent;
    done += size;
  }
  if (effect.hangs && !has_stood) {
    const Stand stand{true, effect.hang_time};
    const CallEnd stood = co_await hang(stand, effect.fault);
    co_return stood;
  }
  const CallEnd finished = co_await finish(effect);
  co_return finished;
}

Task<StorageClient::CallEnd> StorageClient::finish(CallEffect effect) {
  if (!effect.fails) co_return CallEnd{};
  if (!effect.answer_lost) co_return CallEnd{CallResult::failed, effect.error, effect.fault};
  const CallEnd lost = co_await wait_in_vain(effect);
  co_return lost;
}

Task<StorageClient::CallEnd> StorageClient::delete_objects(const RemoteLogSegment& segment, StorageCall call) {
  const CallEffect effect = faults_.on_call(call);
  if (options_.delete_batch) {
    const CallEnd batch = co_await delete_batch(segment, call, effect);
    co_return batch;
  }
  const CallEnd each = co_await delete_one_by_one(segment, call, effect);
  co_return each;
}

Task<StorageClient::CallEnd> StorageClient::delete_one_by_one(const RemoteLogSegment& segment, StorageCall call,
                                                              CallEffect effect) {
  Bytes done{0};
  bool was_missing = false;
  for (int i = 0; i < object_kind_count; ++i) {
    const auto object = static_cast<ObjectKind>(i);
    const Bytes size = object_size(segment, object, options_);
    if (effect.fails && effect.done_before_failure && *effect.done_before_failure - done < size) break;
    const ObjectStore::Sending sending{
        {caller_.broker, StoreOperation::remove, &segment, object, call.copy_attempt, call.call, 0},
        size,
        std::nullopt,
        effect.fault};
    const Stand no_stand;
    const CallEnd sent = co_await request(sending, no_stand);
    if (sent.result == CallResult::failed) {
      was_missing = true;  // Only with delete.missing=error; the other objects are tried all the same.
    } else if (sent.result != CallResult::ok) {
      co_return sent;
    }
    done += size;
  }
  const bool is_missing_alone = was_missing && !effect.fails;
  if (is_missing_alone) co_return CallEnd{CallResult::failed, RemoteStorageError::permanent, std::nullopt};
  const CallEnd finished = co_await finish(effect);
  co_return finished;
}

Task<StorageClient::CallEnd> StorageClient::delete_batch(const RemoteLogSegment& segment, StorageCall call,
                                                         CallEffect effect) {
  ObjectStore::Sending sending{
      {caller_.broker, StoreOperation::remove, &segment, ObjectKind::log, call.copy_attempt, call.call, 0},
      Bytes{0},
      std::nullopt,
      effect.fault};
  for (int i = 0; i < object_kind_count; ++i) {
    const auto object = static_cast<ObjectKind>(i);
    const Bytes size = object_size(segment, object, options_);
    if (effect.fails && effect.done_before_failure && *effect.done_before_failure - sending.size < size) break;
    sending.batch = static_cast<std::uint8_t>(sending.batch | ObjectStore::bit(object));
    sending.size += size;
  }
  if (sending.batch != 0) {
    const Stand no_stand;
    const CallEnd sent = co_await request(sending, no_stand);
    if (sent.result != CallResult::ok) co_return sent;
  }
  const CallEnd finished = co_await finish(effect);
  co_return finished;
}

Task<StorageClient::CallEnd> StorageClient::request(ObjectStore::Sending sending, Stand stand) {
  CallEnd last;
  Duration asked_to_wait{0};
  for (std::int32_t attempt = 0; attempt < options_.attempts; ++attempt) {
    sending.request.attempt = static_cast<std::uint32_t>(attempt);
    if (attempt > 0) {
      const Duration pause = until_deadline(std::max(backoff(sending.request), asked_to_wait));
      const WaitEnd slept = co_await sleep(kernel_, pause, wait_options().interrupt);
      if (slept == WaitEnd::interrupted) co_return interrupted();
    }
    if (is_overdue()) co_return timed_out(last.fault);
    const SimTime started = kernel_.now();
    Call<RequestAnswer> call{kernel_, wait_options()};
    const Transfer transfer = store_.send(sending, call.reply());
    const Answer<RequestAnswer> answer = co_await call;
    bool is_final = false;
    if (answer) {
      last = {answer->result, answer->error, answer->fault};
      is_final = answer->is_final;
      asked_to_wait = answer->retry_after;
      const bool is_missing = answer->was_missing && options_.delete_missing == ClientOptions::DeleteMissing::error;
      if (sending.request.operation == StoreOperation::remove && is_missing) last.result = CallResult::failed;
      // What is gone is not asked for again.
      if (answer->refused != 0) sending.batch = answer->refused;
    } else {
      const bool is_interrupted = answer.end == WaitEnd::interrupted;
      const FaultIndex ended_by =
          store_.abandon(transfer, is_interrupted ? caller_.interrupted_by : store_.slowed_by(transfer));
      last = is_interrupted ? interrupted() : timed_out(ended_by);
    }
    const bool stands = stand.stands && last.result == CallResult::failed;
    if (stands) {
      const CallEnd stood = co_await hang(stand, sending.call_fault);
      last = stood;
    }
    const StoreRequest& request = sending.request;
    const bool goes_on = stands && last.result == CallResult::ok;
    trace_.emit(kernel_.now(),
                StoreRequestEnded{request.segment, caller_.broker, caller_.task, request.operation, request.object,
                                  started, sending.size, goes_on ? CallResult::failed : last.result, last.fault});
    const bool is_put = request.operation == StoreOperation::put;
    if (is_put && (last.result != CallResult::ok || stands) && options_.multipart && options_.abort) {
      store_.abort_parts(request);
    }
    if (goes_on) {
      // The connection is gone, and the object is sent again from its beginning.
      stand = {};
      sending.stop_after.reset();
      --attempt;
      continue;
    }
    const bool is_worth_another = last.result == CallResult::rejected || last.result == CallResult::timed_out;
    if (!is_worth_another || is_final || stands || !is_storage_error(last.error)) co_return last;
  }
  co_return last;
}

Task<StorageClient::CallEnd> StorageClient::hang(Stand stand, FaultIndex fault) {
  const Duration time = stand.time.value_or(Duration{time_never - kernel_.now()});
  const Duration left = until_deadline(time);
  const WaitEnd waited = co_await sleep(kernel_, left, wait_options().interrupt);
  if (waited == WaitEnd::interrupted) co_return interrupted();
  if (is_overdue()) co_return timed_out(fault);
  co_return CallEnd{};
}

Task<StorageClient::CallEnd> StorageClient::wait_in_vain(CallEffect effect) {
  const Duration timeout = options_.timeout > Duration{0} ? options_.timeout : Duration{time_never - kernel_.now()};
  const Duration left = until_deadline(timeout);
  const WaitEnd waited = co_await sleep(kernel_, left, wait_options().interrupt);
  if (waited == WaitEnd::interrupted) co_return interrupted();
  co_return CallEnd{CallResult::timed_out, effect.error, effect.fault};
}

Task<void> StorageClient::clean_up(const RemoteLogSegment& segment, StorageCall call) {
  const StorageCall removal{call.broker, StoreOperation::remove, call.segment, call.copy_attempt,
                            store_.next_call(segment)};
  (void)co_await delete_objects(segment, removal);
}

StorageClient::CallEnd StorageClient::interrupted() const {
  const bool unchecked = options_.interrupt == ClientOptions::Interrupt::unchecked;
  return {CallResult::interrupted, unchecked ? RemoteStorageError::unchecked : RemoteStorageError::permanent,
          caller_.interrupted_by};
}

StorageClient::CallEnd StorageClient::timed_out(FaultIndex fault) const {
  const bool retriable = options_.timeout_error == ClientOptions::TimeoutError::retriable;
  return {CallResult::timed_out, retriable ? RemoteStorageError::retriable : RemoteStorageError::permanent, fault};
}

Duration StorageClient::until_deadline(Duration wait) const {
  return deadline_ ? std::min(wait, std::max(*deadline_ - kernel_.now(), Duration{0})) : wait;
}

WaitOptions StorageClient::wait_options() {
  WaitOptions options;
  if (options_.timeout > Duration{0}) options.timeout = options_.timeout;
  if (deadline_) options.timeout = until_deadline(options.timeout.value_or(options_.deadline));
  const bool throws = options_.interrupt == ClientOptions::Interrupt::throws;
  if (throws || options_.interrupt == ClientOptions::Interrupt::unchecked) options.interrupt = &interrupt_;
  return options;
}

Duration StorageClient::backoff(const StoreRequest& request) const {
  const Duration whole = options_.backoff * (std::int64_t{1} << std::min(request.attempt - 1, 20u));
  if (options_.backoff_jitter.numerator == 0) return whole;
  const auto spread =
      static_cast<std::int64_t>(static_cast<unsigned __int128>(whole.count()) * options_.backoff_jitter.numerator /
                                options_.backoff_jitter.denominator);
  const std::uint64_t draw =
      keyed_draw(seed_, "backoff", request.segment->partition, request.segment->start_offset, request.operation,
                 request.object, request.copy_attempt, request.call, request.attempt);
  return uniform(draw, whole - Duration{std::min(spread, whole.count())}, whole);
}

}  // namespace sim
