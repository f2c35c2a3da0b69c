// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Plugins that complete operations in a wrong way. */
class CompletionDefectsTest {

  /** What a plugin may do to the sizes and the memory when an operation is complete. */
  private interface Wrong {
    void complete(int[] sizes, MemorySegment source, MemorySegment target);
  }

  /** Passes a message of 64 bytes into 2048, with a plugin that does wrong when it is received. */
  private static ValidatedPair passed(boolean receiving, Wrong wrong) {
    class Wronging extends RightNet {
      @Nullable ValidatedPair pair;
      @Nullable Request mine;

      @Override
      public @Nullable Request isend(
          SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
        Request request = super.isend(comm, mr, offset, length, tag, profilerHandle);
        mine = receiving || request == null ? mine : request;
        return request;
      }

      @Override
      public @Nullable Request irecv(
          RecvComm comm,
          int n,
          MemoryHandle[] mrs,
          long[] offsets,
          long[] lengths,
          int[] tags,
          long @Nullable [] profilerHandles,
          int hints) {
        Request request = super.irecv(comm, n, mrs, offsets, lengths, tags, profilerHandles, hints);
        mine = receiving && request != null ? request : mine;
        return request;
      }

      @Override
      public boolean test(Request request, int @Nullable [] sizes) {
        boolean done = super.test(request, sizes);
        if (done && request.equals(mine) && pair != null && sizes != null) {
          wrong.complete(sizes, pair.source, pair.target);
        }
        return done;
      }
    }

    Wronging plugin = new Wronging();
    ValidatedPair pair = ValidatedPair.over(plugin);
    plugin.pair = pair;
    pair.fill();
    Request in = pair.irecv(0, 2048);
    Request out = pair.isend(0, 64);
    pair.finish(out, new int[3]);
    pair.finish(in, new int[3]);
    return pair;
  }

  @Test
  void rightOnesAreNotBlamed() {
    try (ValidatedPair pair = passed(true, (sizes, source, target) -> {})) {
      assertThat(pair.net.violations().total()).isZero();
      pair.pass(100, 2000);
      pair.pass(0, 0);
      pair.pass(4096, 4096);
      assertThat(pair.net.violations().total()).isZero();
    }
  }

  @Test
  void recv04SizesThatCannotBe() {
    for (int size : new int[] {-1, 2049}) {
      try (ValidatedPair pair = passed(true, (sizes, source, target) -> sizes[0] = size)) {
        pair.found(Party.PLUGIN, "NET-RECV-04");
      }
    }
  }

  @Test
  void test08TheSizeOfASend() {
    try (ValidatedPair pair = passed(false, (sizes, source, target) -> sizes[0] = 63)) {
      pair.found(Party.PLUGIN, "NET-TEST-08");
    }
  }

  @Test
  void test08ElementsThatBelongToNobody() {
    for (boolean receiving : new boolean[] {false, true}) {
      try (ValidatedPair pair = passed(receiving, (sizes, source, target) -> sizes[1] = 0)) {
        pair.found(Party.PLUGIN, "NET-TEST-08");
      }
    }
  }

  @Test
  void recv05BytesBehindTheMessage() {
    for (int position : new int[] {2047, 1024}) {
      try (ValidatedPair pair =
          passed(
              true,
              (sizes, source, target) -> target.set(ValueLayout.JAVA_BYTE, position, (byte) 1))) {
        pair.found(Party.EITHER, "NET-RECV-05");
      }
    }
  }

  @Test
  void send11MemoryThatIsSentFrom() {
    try (ValidatedPair pair =
        passed(false, (sizes, source, target) -> source.set(ValueLayout.JAVA_BYTE, 8, (byte) 99))) {
      pair.found(Party.EITHER, "NET-SEND-09");
      assertThat(pair.log.lines()).anyMatch(line -> line.contains("NET-SEND-11"));
    }
  }

  @Test
  void test08SizesWrittenTooEarly() {
    try (ValidatedPair pair =
        ValidatedPair.over(
            new RightNet() {
              @Override
              public boolean test(Request request, int @Nullable [] sizes) {
                boolean done = super.test(request, sizes);
                if (sizes != null && !done) {
                  sizes[0] = 64;
                }
                return done;
              }
            })) {
      int[] sizes = {-7};
      pair.finish(pair.isend(0, 64));
      Request in = pair.irecv(0, 64);
      for (int i = 0; i < 1000 && pair.counts().isEmpty(); i++) {
        if (pair.net.test(in, sizes)) {
          pair.finish(pair.isend(0, 64));
          in = pair.irecv(0, 64);
        }
      }
      pair.found(Party.PLUGIN, "NET-TEST-08");
      assertThat(sizes[0]).as("the caller sees what it would see unwatched").isEqualTo(64);
    }
  }

  @Test
  void recv04NoSizeAtAll() {
    try (ValidatedPair pair =
        ValidatedPair.over(
            new RightNet() {
              @Override
              public boolean test(Request request, int @Nullable [] sizes) {
                return super.test(request, null);
              }
            })) {
      pair.finish(pair.isend(0, 64), new int[1]);
      pair.found(Party.PLUGIN, "NET-TEST-08");
      int[] sizes = {-7};
      pair.finish(pair.irecv(0, 64), sizes);
      pair.found(Party.PLUGIN, "NET-TEST-08", "NET-RECV-04");
      assertThat(sizes).containsExactly(-7);
    }
  }

  @Test
  void test05ARequestThatIsStillInFlight() {
    Request one = new Request() {};
    try (ValidatedPair pair =
        ValidatedPair.over(
            new RightNet() {
              @Override
              public Request isend(
                  SendComm comm,
                  MemoryHandle mr,
                  long offset,
                  long length,
                  int tag,
                  long profilerHandle) {
                return one;
              }

              @Override
              public boolean test(Request request, int @Nullable [] sizes) {
                return true;
              }
            })) {
      pair.finish(pair.isend(0, 64));
      pair.isend(0, 64); // again, and that is fine
      pair.found(Party.PLUGIN);
      pair.isend(0, 64);
      pair.found(Party.PLUGIN, "NET-TEST-05");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ResultCode.class,
      names = {"SYSTEM_ERROR", "REMOTE_ERROR", "INVALID_USAGE"})
  void err05AFailedCommGoesOn(ResultCode code) {
    try (ValidatedPair pair =
        ValidatedPair.over(
            new RightNet() {
              private int tests;

              @Override
              public boolean test(Request request, int @Nullable [] sizes) {
                if (tests++ == 0) {
                  throw new NetException(code, "broken");
                }
                return true;
              }
            })) {
      Request first = pair.isend(0, 64);
      Request second = pair.isend(0, 64);
      assertThatThrownBy(() -> pair.net.test(first, null)).hasMessage("broken");
      assertThat(pair.net.test(second, null)).isTrue();
      if (code == ResultCode.REMOTE_ERROR) {
        pair.found(Party.PLUGIN); // it may have been complete before the peer ended
      } else {
        pair.found(Party.PLUGIN, "NET-ERR-05");
      }
      pair.isend(0, 64);
      pair.found(Party.PLUGIN, "NET-ERR-05");
    }
  }

  @Test
  void err03InvalidArgumentLeavesTheRequestAlive() {
    try (ValidatedPair pair =
        ValidatedPair.over(
            new RightNet() {
              private int tests;

              @Override
              public boolean test(Request request, int @Nullable [] sizes) {
                if (tests++ == 0) {
                  throw refusal("try again");
                }
                return super.test(request, sizes);
              }
            })) {
      Request request = pair.isend(0, 64);
      assertThatThrownBy(() -> pair.net.test(request, null)).hasMessage("try again");
      pair.finish(request);
      pair.isend(0, 64);
      pair.found(Party.PLUGIN);
    }
  }
}
