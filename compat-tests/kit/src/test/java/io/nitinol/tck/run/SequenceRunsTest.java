// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.samples.memory.MemoryNet;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.ForwardingNet;
import io.nitinol.tck.plugin.PluginUnderTest;
import io.nitinol.tck.result.CaseResult;
import io.nitinol.tck.rules.SequenceRules;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What random sequences report of plugins that do not fail each time, or start once only. */
class SequenceRunsTest {
  private static CaseResult run(Class<?> wrong) {
    PluginUnderTest plugin = PluginUnderTest.of(wrong);
    LaneRun lane = new LaneRun(plugin, plugin.lanes().getFirst(), false, Duration.ofSeconds(3));
    return RuleCatalog.find(List.of(SequenceRules.class)).stream()
        .filter(test -> test.rule().equals("NET-TEST-02"))
        .map(test -> CaseRunner.run(test, lane, 1))
        .findFirst()
        .orElseThrow();
  }

  /** Refuses one send in its whole life. */
  public static final class RefusesOneSend extends ForwardingNet {
    private static final AtomicInteger SENDS = new AtomicInteger();

    /** Over the reference. */
    public RefusesOneSend() {
      super(new MemoryNet());
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      if (SENDS.incrementAndGet() == 20) {
        throw new NetException(ResultCode.SYSTEM_ERROR, "only once");
      }
      return super.isend(comm, mr, offset, length, tag);
    }
  }

  @Test
  void aFailureThatDoesNotRepeatIsShownWithItsOwnCalls() {
    CaseResult result = run(RefusesOneSend.class);
    assertThat(result.why()).contains("only once", "it fails here, not when it was played again");
    assertThat(result.trace())
        .anyMatch(line -> line.startsWith("step 1 of "))
        .last()
        .asString()
        .contains("only once");
  }

  /** Refuses each send from the twentieth on, and starts no second instance. */
  public static final class StartsOnce extends ForwardingNet {
    private static final AtomicInteger STARTS = new AtomicInteger();
    private static final AtomicInteger SENDS = new AtomicInteger();

    /** Over the reference. */
    public StartsOnce() {
      super(new MemoryNet());
    }

    @Override
    public void init(DebugLogger logger) {
      if (STARTS.incrementAndGet() > 1) {
        throw new NetException(ResultCode.SYSTEM_ERROR, "one is enough");
      }
      super.init(logger);
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      if (SENDS.incrementAndGet() >= 20) {
        throw new NetException(ResultCode.SYSTEM_ERROR, "no more");
      }
      return super.isend(comm, mr, offset, length, tag);
    }
  }

  @Test
  void theFailureIsReportedWhereNoOtherInstanceStarts() {
    CaseResult result = run(StartsOnce.class);
    assertThat(result.why()).contains("no more", "it fails here, and no new instance starts");
    assertThat(result.notes()).singleElement().asString().contains("does not start");
  }

  /** Two of three instances refuse to send once a listener was closed, until the next one opens. */
  public static final class ForgetsWithItsListenerMostly extends ForwardingNet {
    private static final AtomicInteger STARTS = new AtomicInteger();
    private int number;
    private volatile boolean spoilt;

    /** Over the reference. */
    public ForgetsWithItsListenerMostly() {
      super(new MemoryNet());
    }

    @Override
    public void init(DebugLogger logger) {
      number = STARTS.incrementAndGet();
      super.init(logger);
    }

    @Override
    public void closeListen(ListenComm comm) {
      super.closeListen(comm);
      spoilt = number % 3 != 0;
    }

    @Override
    public ListenComm listen(int device, MemorySegment handle) {
      spoilt = false;
      return super.listen(device, handle);
    }

    @Override
    public @Nullable Request isend(
        SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
      if (spoilt) {
        throw new NetException(ResultCode.REMOTE_ERROR, "the listener is gone");
      }
      return super.isend(comm, mr, offset, length, tag);
    }
  }

  @Test
  void aStepIsNotTheReasonWhereTheSequenceDoesNotFailEachTime() {
    CaseResult result = run(ForgetsWithItsListenerMostly.class);
    assertThat(result.why()).contains("the listener is gone").contains("found in");
    assertThat(result.trace())
        .filteredOn(line -> line.startsWith("step "))
        .anyMatch(line -> line.contains("closeListen"));
    assertThat(result.broken()).isNotEqualTo("NET-CLOSE-07");
  }
}
