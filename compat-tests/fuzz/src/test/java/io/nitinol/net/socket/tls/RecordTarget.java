// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket.tls;

import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.spi.testing.MemoryChannel;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;

/**
 * TLS records as far as Nitinol parses them, which is up to their length: in reads of any size the
 * records of a model come out. What is in them is the JDK's to read.
 */
public final class RecordTarget implements FuzzTarget {
  private static final int OWN = 512;

  private final ByteBuffer own = ByteBuffer.allocateDirect(OWN);
  private final ByteBuffer large = ByteBuffer.allocateDirect(2 * RecordBuffer.LARGEST_RECORD);
  private int lent;

  @Override
  public void run(byte[] input) throws IOException {
    if (input.length < 2) {
      return;
    }
    int piece = 1 + (input[0] & 0xff) * 8;
    int times = 1 + (input[1] & 0x1f); // long streams of short inputs
    byte[] part = Arrays.copyOfRange(input, 2, input.length);
    byte[] bytes = new byte[part.length * times];
    for (int i = 0; i < times; i++) {
      System.arraycopy(part, 0, bytes, i * part.length, part.length);
    }
    lent = 0;
    FuzzTarget.require(model(bytes).equals(read(bytes, piece)), "other records");
    FuzzTarget.require(lent == 0, "a buffer was not given back");
  }

  private static List<String> model(byte[] bytes) {
    List<String> records = new ArrayList<>();
    int at = 0;
    while (bytes.length - at >= 5) {
      int length = 5 + ((bytes[at + 3] & 0xff) << 8 | bytes[at + 4] & 0xff);
      if (length > RecordBuffer.LARGEST_RECORD) {
        records.add("refused");
        break;
      }
      if (length > bytes.length - at) {
        break;
      }
      records.add(length + " " + Arrays.hashCode(Arrays.copyOfRange(bytes, at, at + length)));
      at += length;
    }
    return records;
  }

  private List<String> read(byte[] bytes, int piece) throws IOException {
    List<String> records = new ArrayList<>();
    RecordBuffer buffer =
        new RecordBuffer(
            own.clear(),
            new LargeBuffers() {
              @Override
              public ByteBuffer take() {
                lent++;
                return large.clear();
              }

              @Override
              public void give(ByteBuffer given) {
                lent--;
              }
            });
    MemoryChannel channel = new MemoryChannel(new AtomicLong());
    channel.send(bytes, bytes.length);
    channel.limitReads(piece);
    channel.arrive(bytes.length);
    channel.finish(false);
    ByteBuffer record = ByteBuffer.allocate(RecordBuffer.LARGEST_RECORD);
    boolean open = true;
    try {
      while (open) {
        open = buffer.fillFrom(channel) >= 0;
        for (int length = buffer.firstRecord(); length > 0; length = buffer.firstRecord()) {
          buffer.takeFirst(length, record);
          byte[] taken = new byte[record.remaining()];
          record.get(taken);
          records.add(length + " " + Arrays.hashCode(taken));
        }
      }
    } catch (SSLException e) {
      records.add("refused");
    } finally {
      buffer.clear();
    }
    return records;
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(RecordBuffer.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(new byte[] {3, 1, 23, 3, 3, 0, 2, 7, 8, 22, 3, 3, 0, 0});
  }

  @Override
  public long mostAllocated() {
    return 2 << 20; // what this model makes of 32 times the input
  }
}
