package flotsam.judge;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * One record batch of an exact size, written by hand because its classes moved between Kafka's versions. Offsets may be
 * sparse: two records, or one, stand for all of them. Format: Kafka's message format version 2.
 */
final class Batch {
    private static final int HEADER = 61;
    private static final int CRC_AT = 17;
    private static final int AFTER_CRC = 21;

    private Batch() {
    }

    /** Null when no padding gives that size. */
    static ByteBuffer of(long first, long last, int size, int epoch, long timestamp) {
        int delta = Math.toIntExact(last - first);
        int rest = size - HEADER - (delta > 0 ? record(0, -1, 0).length : 0);
        for (int key = -1; key < 16; ++key) {
            for (int value = Math.max(0, rest - 40); value <= rest; ++value) {
                byte[] padded = record(delta, key, value);
                if (padded.length == rest) {
                    return write(first, delta, size, epoch, timestamp, padded);
                }
            }
        }
        return null;
    }

    private static ByteBuffer write(long first, int delta, int size, int epoch, long timestamp, byte[] padded) {
        ByteBuffer batch = ByteBuffer.allocate(size);
        batch.putLong(first).putInt(size - 12).putInt(epoch).put((byte) 2).putInt(0).putShort((short) 0).putInt(delta);
        batch.putLong(timestamp).putLong(timestamp).putLong(-1).putShort((short) -1).putInt(-1);
        batch.putInt(delta > 0 ? 2 : 1);
        if (delta > 0) {
            batch.put(record(0, -1, 0));
        }
        batch.put(padded);
        CRC32C crc = new CRC32C();
        crc.update(batch.array(), AFTER_CRC, size - AFTER_CRC);
        batch.putInt(CRC_AT, (int) crc.getValue());
        batch.flip();
        return batch;
    }

    /** A record with key and value of so many zero bytes; a key of -1 is none. */
    private static byte[] record(int offsetDelta, int key, int value) {
        ByteBuffer body = ByteBuffer.allocate(64 + Math.max(0, key) + value);
        body.put((byte) 0);
        varint(body, 0);
        varint(body, offsetDelta);
        varint(body, key);
        body.put(new byte[Math.max(0, key)]);
        varint(body, value);
        body.put(new byte[value]);
        varint(body, 0);
        ByteBuffer whole = ByteBuffer.allocate(body.position() + 8);
        varint(whole, body.position());
        whole.put(body.array(), 0, body.position());
        byte[] bytes = new byte[whole.position()];
        System.arraycopy(whole.array(), 0, bytes, 0, bytes.length);
        return bytes;
    }

    private static void varint(ByteBuffer out, int number) {
        int rest = number << 1 ^ number >> 31;
        while ((rest & ~0x7f) != 0) {
            out.put((byte) (rest & 0x7f | 0x80));
            rest >>>= 7;
        }
        out.put((byte) rest);
    }
}
