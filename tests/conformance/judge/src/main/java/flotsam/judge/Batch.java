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

    /** Null when no padding gives that size: the length of a record's length jumps, so some lengths miss. */
    static ByteBuffer of(long first, long last, int size, int epoch, long timestamp) {
        int delta = Math.toIntExact(last - first);
        if (delta == 0) {
            byte[] padded = padded(0, size - HEADER);
            return padded == null ? null : write(first, delta, size, epoch, timestamp, new byte[][] {padded});
        }
        for (int value = 0; value < 3; ++value) {
            byte[] begin = record(0, value);
            byte[] padded = padded(delta, size - HEADER - begin.length);
            if (padded != null) {
                return write(first, delta, size, epoch, timestamp, new byte[][] {begin, padded});
            }
        }
        return null;
    }

    /** A record of that length; null when there is none. */
    private static byte[] padded(int offsetDelta, int length) {
        for (int value = Math.max(0, length - 24); value <= length; ++value) {
            byte[] record = record(offsetDelta, value);
            if (record.length == length) {
                return record;
            }
        }
        return null;
    }

    private static ByteBuffer write(long first, int delta, int size, int epoch, long timestamp, byte[][] records) {
        ByteBuffer batch = ByteBuffer.allocate(size);
        batch.putLong(first).putInt(size - 12).putInt(epoch).put((byte) 2).putInt(0).putShort((short) 0).putInt(delta);
        batch.putLong(timestamp).putLong(timestamp).putLong(-1).putShort((short) -1).putInt(-1);
        batch.putInt(records.length);
        for (byte[] record : records) {
            batch.put(record);
        }
        CRC32C crc = new CRC32C();
        crc.update(batch.array(), AFTER_CRC, size - AFTER_CRC);
        batch.putInt(CRC_AT, (int) crc.getValue());
        batch.flip();
        return batch;
    }

    /** A record without key and with a value of so many zero bytes. */
    private static byte[] record(int offsetDelta, int value) {
        ByteBuffer body = ByteBuffer.allocate(64 + value);
        body.put((byte) 0);
        varint(body, 0);
        varint(body, offsetDelta);
        varint(body, -1);
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
