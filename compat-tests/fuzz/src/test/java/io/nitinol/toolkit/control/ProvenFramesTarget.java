// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.control;

import io.nitinol.fuzz.Choices;
import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.spi.testing.MemoryChannel;
import io.nitinol.spi.testing.Mutations;
import io.nitinol.toolkit.PeerProof;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Frames with their codes: as they were said, or changed, left out, repeated or put in on the way.
 * What is heard is what was said, up to the first change.
 */
public final class ProvenFramesTarget implements FuzzTarget {
  /** What the frames are about; as many as IB has. */
  private enum Kind {
    INFO,
    FAILURE,
    READY,
    STOP,
    STANDING
  }

  private static final ProvenFrames.Format<Kind> FORMAT =
      new ProvenFrames.Format<>(5, List.of(Kind.values()), 4096, "fuzz");
  private static final byte[] ONE = {1};
  private static final byte[] OTHER = {2};

  @Override
  public void run(byte[] input) throws IOException {
    Choices choices = new Choices(input);
    if (choices.nextInt(4) == 0) {
      insider(Arrays.copyOfRange(input, Math.min(1, input.length), input.length), choices);
      return;
    }
    List<byte[]> said = new ArrayList<>();
    MemoryChannel out = new MemoryChannel(new AtomicLong());
    boolean knowsKey = choices.nextInt(16) > 0;
    ProvenFrames<Kind> speaker = new ProvenFrames<>(FORMAT, out, knowsKey ? ONE : OTHER, OTHER);
    List<String> expected = new ArrayList<>();
    for (int i = choices.nextInt(4); i >= 0; i--) {
      Kind kind = Kind.values()[choices.nextInt(Kind.values().length)];
      byte[] body = new byte[choices.nextInt(300)];
      choices.nextBytes(body);
      speaker.say(kind, ByteBuffer.wrap(body));
      FuzzTarget.require(speaker.said(), "not said");
      expected.add(kind + Arrays.toString(body));
      said.add(out.heard());
    }
    byte[] right = out.heard();
    Mutations bytes = new Mutations(choices);
    bytes.append(right);
    for (int i = choices.nextInt(3); i > 0; i--) {
      if (choices.nextBoolean()) {
        bytes.spoilAnywhere();
      } else {
        bytes.spoilField(choices.nextInt(bytes.length + 1), 1 << choices.nextInt(3));
      }
    }
    byte[] passed = Arrays.copyOf(bytes.bytes, bytes.length);
    int same = Arrays.mismatch(right, passed);
    List<String> heard = hear(passed, choices);
    for (int i = 0; i < expected.size(); i++) {
      boolean whole = same < 0 || said.get(i).length <= same;
      FuzzTarget.require(
          knowsKey && whole
              ? i < heard.size() && heard.get(i).equals(expected.get(i))
              : i >= heard.size(),
          "frame " + i + " of " + expected.size() + ", " + heard.size() + " were heard");
    }
    FuzzTarget.require(heard.size() <= expected.size(), "a frame that was not said");
  }

  /** A frame of any version, kind and length from a peer that has the key. */
  private static void insider(byte[] frame, Choices choices) throws IOException {
    byte[] code = PeerProof.hmac(ONE, new byte[Long.BYTES], frame);
    byte[] bytes =
        ByteBuffer.allocate(Integer.BYTES + frame.length + code.length)
            .putInt(frame.length + code.length)
            .put(frame)
            .put(code)
            .array();
    List<String> heard = hear(bytes, choices);
    boolean known = frame.length >= 4 && frame[0] == 0 && frame[1] == 5 && frame[2] == 0;
    boolean isFrame = known && frame[3] >= 0 && frame[3] < Kind.values().length;
    FuzzTarget.require(heard.size() == (isFrame ? 1 : 0), heard.size() + " frames of an insider");
  }

  private static List<String> hear(byte[] bytes, Choices choices) throws IOException {
    MemoryChannel in = new MemoryChannel(new AtomicLong());
    in.send(bytes, bytes.length);
    in.limitReads(1 + choices.nextInt(400));
    in.arrive(bytes.length);
    in.finish(false);
    ProvenFrames<Kind> hearer = new ProvenFrames<>(FORMAT, in, OTHER, ONE);
    List<String> heard = new ArrayList<>();
    try {
      while (true) {
        ProvenFrames.Frame<Kind> frame = hearer.hear();
        if (frame != null) {
          byte[] body = new byte[frame.body().remaining()];
          frame.body().get(body);
          heard.add(frame.kind() + Arrays.toString(body));
        }
      }
    } catch (EOFException e) {
      return heard;
    } catch (FrameException e) {
      try {
        hearer.hear();
        throw new AssertionError("a connection that is out of step goes on");
      } catch (FrameException again) {
        return heard;
      }
    }
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(ProvenFrames.class);
  }

  @Override
  public List<byte[]> seeds() {
    return List.of(
        new byte[] {0, 0, 5, 0, 1, 8, 8},
        new byte[] {1, 1, 2, 0, 0, 4, 9, 9, 1, 0, 3, 9, 9, 0, 0, 99});
  }

  @Override
  public long mostAllocated() {
    return 2 << 20;
  }
}
