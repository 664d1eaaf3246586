#!/usr/bin/env python3
"""Writes a dump of a metadata topic, as kafka-console-consumer prints one, of a size to measure `flotsam import` with.

usage: python3 bench/make_dump.py SIZE_MB [LIVE_COPIES] >dump.txt

Copies of 200 partitions in 50 metadata partitions go through their whole life, each deleted when LIVE_COPIES (default
20,000) younger ones are there; one in a hundred is left behind. The same arguments give the same bytes.
"""
import base64
import collections
import random
import sys

PARTITIONS = 200
METADATA_PARTITIONS = 50
STEP_MS = 3_000


def uuid(draw):
    return base64.urlsafe_b64encode(draw.getrandbits(128).to_bytes(16, "big")).decode()[:22]


def main():
    size = int(sys.argv[1]) * 1_000_000
    live = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
    draw = random.Random(1)
    topics = [f"{uuid(draw)}:orders-{topic}" for topic in range(20)]
    offsets = [0] * METADATA_PARTITIONS
    ends = [0] * PARTITIONS
    old = collections.deque()
    written, time_ms, out = 0, 1_700_000_000_000, []

    def put(place, value):
        out.append(f"partition: {place}, offset: {offsets[place]}, value: {value}\n")
        offsets[place] += 1

    def update(place, name, state, broker):
        put(place, f"RemoteLogSegmentMetadataUpdate{{remoteLogSegmentId=RemoteLogSegmentId{{topicIdPartition={name}}}, "
                   f"customMetadata=Optional[CustomMetadata{{27 bytes}}], state={state}, eventTimestampMs={time_ms}, "
                   f"brokerId={broker}}}")

    while written < size:
        number = draw.randrange(PARTITIONS)
        place, broker = number % METADATA_PARTITIONS, number % 6
        name = f"{topics[number % 20]}-{number}, id={uuid(draw)}"
        start = ends[number]
        ends[number] += draw.randrange(1_000, 900_000)
        time_ms += STEP_MS
        put(place, f"RemoteLogSegmentMetadata{{remoteLogSegmentId=RemoteLogSegmentId{{topicIdPartition={name}}}, "
                   f"startOffset={start}, endOffset={ends[number] - 1}, brokerId={broker}, "
                   f"maxTimestampMs={time_ms - 900}, eventTimestampMs={time_ms}, "
                   f"segmentLeaderEpochs={{{4 + start % 3}={start}}}, "
                   f"segmentSizeInBytes={draw.randrange(1, 1 << 30)}, customMetadata=Optional.empty, "
                   "state=COPY_SEGMENT_STARTED}")
        if draw.randrange(100) > 0:
            update(place, name, "COPY_SEGMENT_FINISHED", broker)
            old.append((place, name, broker))
        if len(old) > live:
            gone = old.popleft()
            update(gone[0], gone[1], "DELETE_SEGMENT_STARTED", gone[2])
            update(gone[0], gone[1], "DELETE_SEGMENT_FINISHED", gone[2])
        if len(out) > 10_000:
            text = "".join(out)
            out.clear()
            written += len(text)
            sys.stdout.write(text)


if __name__ == "__main__":
    main()
