// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.spi.testing.MemoryChannel;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Frames with their lengths, of the bootstrap, the switch and IB. Whole, in pieces of any size and
 * from a channel the same bytes give the same frames, which are those of a model.
 */
public final class FrameReaderTarget implements FuzzTarget {
  private static final int MOST = 1 << 20;

  @Override
  public void run(byte[] input) throws IOException {
    if (input.length == 0) {
      return;
    }
    int piece = 1 + (input[0] & 0x3f);
    byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
    List<String> expected = model(bytes);
    FuzzTarget.require(expected.equals(read(bytes, bytes.length)), "frames of all at once");
    FuzzTarget.require(expected.equals(read(bytes, piece)), "frames of pieces of " + piece);
    FuzzTarget.require(expected.equals(channel(bytes, piece)), "frames of a channel");
  }

  /** What the format says: frames, and "refused" where a length is none. */
  private static List<String> model(byte[] bytes) {
    List<String> frames = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    while (in.remaining() >= 4) {
      long length = Integer.toUnsignedLong(in.getInt());
      if (length > MOST) {
        frames.add("refused");
        break;
      }
      if (length > in.remaining()) {
        break;
      }
      byte[] frame = new byte[(int) length];
      in.get(frame);
      frames.add(Arrays.toString(frame));
    }
    return frames;
  }

  private static List<String> read(byte[] bytes, int piece) {
    List<String> frames = new ArrayList<>();
    FrameReader reader = new FrameReader(MOST);
    try {
      for (int at = 0; at < bytes.length; at += piece) {
        ByteBuffer in = ByteBuffer.wrap(bytes, at, Math.min(piece, bytes.length - at));
        while (in.hasRemaining()) {
          add(frames, reader.read(in));
        }
      }
    } catch (IOException e) {
      frames.add("refused");
    }
    return frames;
  }

  private static List<String> channel(byte[] bytes, int piece) throws IOException {
    List<String> frames = new ArrayList<>();
    FrameReader reader = new FrameReader(MOST);
    ByteBuffer through = ByteBuffer.allocate(128);
    MemoryChannel channel = new MemoryChannel(new AtomicLong());
    channel.send(bytes, bytes.length);
    channel.limitReads(piece);
    channel.arrive(bytes.length);
    channel.finish(false);
    try {
      while (true) {
        add(frames, reader.read(channel, through));
      }
    } catch (EOFException e) {
      return frames;
    } catch (IOException e) {
      frames.add("refused");
      return frames;
    }
  }

  private static void add(List<String> frames, byte[] frame) {
    if (frame != null) {
      frames.add(Arrays.toString(frame));
    }
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(FrameReader.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(new byte[] {5, 0, 0, 0, 3, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 1, 9});
  }
}
