// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.plugin.ValidationMode;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is made of violations: lines in the log, and calls that fail. */
class ViolationsTest {

  private static List<String> warnings(ValidatedPair pair) {
    return pair.log.lines().stream().filter(line -> line.startsWith("WARN ")).toList();
  }

  @Test
  void aLogIsNotFlooded() {
    try (ValidatedPair pair = new ValidatedPair()) {
      for (int i = 0; i < 100; i++) {
        assertThatThrownBy(() -> pair.net.getProperties(7)).isInstanceOf(NetException.class);
      }
      List<String> lines = warnings(pair);
      // Ten in full, then 16, 32 and 64.
      assertThat(lines).hasSize(13);
      assertThat(lines.subList(0, 10)).allMatch(line -> line.contains("the last calls there"));
      assertThat(lines.get(12))
          .startsWith("WARN NITINOL_VALIDATE: the caller broke NET-DEV-03 64 times so far")
          .doesNotContain("the last calls");
      assertThat(pair.counts()).containsEntry("NET-DEV-03", 100L);
      assertThat(pair.net.violations()).hasToString("NET-DEV-03 100 times");
    }
  }

  @Test
  void aLineSaysWhereAndWhatWasCalledBefore() {
    try (ValidatedPair pair = new ValidatedPair()) {
      pair.isend(16, 32);
      ValidatedPair.whateverHappens(() -> pair.net.isend(pair.send, pair.sourceMr, 4000, 97, 3, 0));
      assertThat(warnings(pair)).hasSize(1);
      assertThat(warnings(pair).getFirst().lines())
          .anyMatch(line ->
              line.endsWith(
                  "broke NET-SEND-05: offset 4000, length 97 in 4096 bytes; in isend on send comm 2"
                      + " of Memory device 0"))
          .anyMatch(line -> line.contains("isend(offset 16, length 32, tag 0) -> request 1"))
          .anyMatch(line -> line.contains("isend(offset 4000, length 97, tag 3) -> (under way)"));
    }
  }

  @Test
  void theLastCloseSumsUp() {
    try (ValidatedPair pair = new ValidatedPair()) {
      pair.net.closeListen(pair.listener);
      pair.net.closeSend(pair.send);
      assertThat(pair.log.lines()).noneMatch(line -> line.contains("no violations"));
      pair.net.closeRecv(pair.receive);
      assertThat(pair.log.lines())
          .contains(
              "INFO NITINOL_VALIDATE: Memory: the 3 listeners and comms so far are closed: no"
                  + " violations");
    }
    try (ValidatedPair pair = new ValidatedPair()) {
      pair.isend(0, 1);
      ValidatedPair.whateverHappens(() -> pair.net.finalizeContext(pair.context));
      pair.net.closeListen(pair.listener);
      pair.net.closeSend(pair.send);
      pair.net.closeRecv(pair.receive);
      assertThat(pair.log.lines())
          .contains(
              "WARN NITINOL_VALIDATE: Memory: the 3 listeners and comms so far are closed:"
                  + " NET-INIT-10 once");
    }
  }

  /** Counts what reaches the plugin. */
  private static final class Counting extends RightNet {
    int sends;

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
      sends++;
      return super.isend(comm, mr, offset, length, tag, profilerHandle);
    }
  }

  @Test
  void inFailModeACallersMistakeDoesNotReachThePlugin() {
    Counting plugin = new Counting();
    try (ValidatedPair pair = new ValidatedPair(plugin, ValidationMode.FAIL)) {
      NetException e =
          catchThrowableOfType(
              NetException.class, () -> pair.net.isend(pair.send, pair.sourceMr, 4096, 1, 0, 0));
      assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE);
      assertThat(e)
          .hasMessageContaining("NET-SEND-05")
          .hasMessageContaining("isend on send comm 2 of Memory device 0");
      assertThat(plugin.sends).isZero();
      pair.found(Party.CALLER, "NET-SEND-05");
      pair.pass(100, 200); // the comm works on, and so does what watches it
      assertThat(plugin.sends).isPositive();
    }
  }

  @Test
  void inFailModeADefectOfThePluginIsAnInternalError() {
    RightNet plugin =
        new RightNet() {
          @Override
          public @Nullable Request isend(
              SendComm comm,
              MemoryHandle mr,
              long offset,
              long length,
              int tag,
              long profilerHandle) {
            throw new IllegalStateException("oops");
          }
        };
    try (ValidatedPair pair = new ValidatedPair(plugin, ValidationMode.FAIL)) {
      NetException e =
          catchThrowableOfType(
              NetException.class, () -> pair.net.isend(pair.send, pair.sourceMr, 0, 1, 0, 0));
      assertThat(e.result()).isEqualTo(ResultCode.INTERNAL_ERROR);
      assertThat(e).hasMessageContaining("NET-ERR-01").hasRootCauseMessage("oops");
    }
  }

  @Test
  void inFailModeWhatTheCallerDoesNotGetIsClosed() {
    class Overflowing extends RightNet {
      int closed;

      @Override
      public ListenComm listen(NetContext context, int device, MemorySegment handle) {
        return new ListenComm() {};
      }

      @Override
      public void closeListen(ListenComm listenComm) {
        closed++;
      }
    }

    Overflowing plugin = new Overflowing();
    ValidatingNet net = new ValidatingNet(plugin, 6, ValidationMode.FAIL, new RecordedLog());
    NetContext context = ValidatedPair.init(net, new RecordedLog());
    try (Arena arena = Arena.ofConfined()) {
      assertThatThrownBy(() -> net.listen(context, 0, arena.allocate(128, 8)))
          .hasMessageContaining("NET-CONN-01");
    }
    assertThat(plugin.closed).isEqualTo(1);
  }

  @Test
  void inFailModeTheCallerCanAlwaysGiveBack() {
    try (ValidatedPair pair = new ValidatedPair(new RightNet(), ValidationMode.FAIL)) {
      Thread.currentThread().interrupt();
      try {
        pair.net.deregMr(pair.send, pair.sourceMr);
        pair.net.closeSend(pair.send);
      } finally {
        assertThat(Thread.interrupted()).isTrue();
      }
      pair.found(Party.CALLER, "NET-THREAD-06");
      assertThatThrownBy(() -> pair.net.closeSend(pair.send)).hasMessageContaining("NET-CLOSE-01");
    }
  }
}
