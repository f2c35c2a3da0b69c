// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.connect.ConnectorGroup;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.progress.failure.FailureReport;
import io.nitinol.core.transport.DelegatingNet;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.testing.Await;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Ranks that are not set up yet agree on a failure, too. One that still exchanges with the others
 * when one of them reports that nothing moves says for which rank it waits itself, and blames the
 * one that says nothing, as all others do.
 */
class SetupVerdictTest {
  /** Which of two ranks is heard first is chance. */
  private static final int ROUNDS = 3;

  private final RecordedLog log = new RecordedLog();

  private CompletableFuture<Bootstrap> join(UniqueId id, int rank) {
    return ConnectorGroup.inThread(
        () -> Bootstrap.connect(id, rank, 3, ConnectorGroup.SETTINGS, log));
  }

  /** Rank 2 is the predecessor of rank 0 and silent. */
  @Test
  void aReportDoesNotMakeItsReporterTheCause() throws Exception {
    CommConfig config =
        CommConfig.standard()
            .withSettings(ConnectorGroup.NETWORK_ONLY)
            .withLogger(log)
            .withNet(new MemoryNet(3));
    try (UniqueId id = UniqueId.create(ConnectorGroup.SETTINGS, log)) {
      CompletableFuture<Bootstrap> one = join(id, 1);
      CompletableFuture<Bootstrap> two = join(id, 2);
      CompletableFuture<Communicator> made = new CompletableFuture<>();
      Thread zero =
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                try {
                  made.complete(Communicator.init(id, 3, 0, config));
                } catch (Throwable e) {
                  made.completeExceptionally(e);
                }
              });
      try (Bootstrap reporter = one.get();
          Bootstrap silent = two.get()) {
        List<String> heard = new CopyOnWriteArrayList<>();
        silent.onFailure((rank, reason) -> heard.add(reason));
        Await.until("rank 0 to wait for a block", () -> waits(zero));
        reporter.announceFailure(
            1, new FailureReport(1, ResultCode.TIMEOUT, 2, "rank 1 waits for rank 2").toText());
        CommException failure = ConnectorGroup.failureOf(made);
        assertThat(failure.failedRank()).as(failure.getMessage()).isEqualTo(2);
        assertThat(failure).hasMessageContaining("rank 2 has not said that it waits");
        String answer = "rank 0 is not set up yet and waits for rank 2";
        Await.until(
            "the answer of rank 0", () -> heard.stream().anyMatch(each -> each.contains(answer)));
      }
    }
  }

  /**
   * A cable that is pulled out, say, hits the connections of several ranks at once: with errors
   * that their own cards report, or with some that blame the ranks at the other ends. Ranks 0 and 2
   * of a ring fail in the same moment.
   */
  @ParameterizedTest
  @EnumSource(
      value = ResultCode.class,
      names = {"SYSTEM_ERROR", "REMOTE_ERROR"})
  void ranksThatFailAtOnceWhileTheyConnectAgreeOnOne(ResultCode result) throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      CyclicBarrier both = new CyclicBarrier(2);
      MemoryNet memory = new MemoryNet(3);
      try (UniqueId id = UniqueId.create(ConnectorGroup.SETTINGS, log)) {
        List<CompletableFuture<Communicator>> all = new ArrayList<>();
        for (int rank = 0; rank < 4; rank++) {
          int mine = rank;
          CommConfig config =
              CommConfig.standard()
                  .withSettings(ConnectorGroup.NETWORK_ONLY)
                  .withLogger(log)
                  .withNet(mine % 2 == 0 ? failing(memory, mine, result, both) : memory);
          all.add(ConnectorGroup.inThread(() -> Communicator.init(id, 4, mine, config)));
        }
        List<CommException> failures = new ArrayList<>();
        for (CompletableFuture<Communicator> each : all) {
          failures.add(ConnectorGroup.failureOf(each));
        }
        // Which of the two that is depends on whether one has heard of the other already.
        int cause = failures.getFirst().getMessage().contains("the cable of rank 0") ? 0 : 2;
        int named = result == ResultCode.REMOTE_ERROR ? cause + 1 : cause;
        for (int rank = 0; rank < 4; rank++) {
          assertThat(failures)
              .element(rank)
              .returns(named, CommException::failedRank)
              .returns(rank == cause ? result : ResultCode.REMOTE_ERROR, CommException::result)
              .asInstanceOf(InstanceOfAssertFactories.THROWABLE)
              .hasMessageContaining("the cable of rank " + cause + " is out");
        }
      }
      Await.until("all connections to be closed", () -> memory.open() == 0);
    }
  }

  /** Returns a network that {@code rank} cannot connect by, once two ranks have tried. */
  private static Net failing(MemoryNet memory, int rank, ResultCode result, CyclicBarrier both) {
    return new DelegatingNet(memory) {
      @Override
      public @Nullable SendComm connect(
          NetContext context,
          int device,
          MemorySegment handle,
          @Nullable DeviceHandle[] deviceHandle) {
        try {
          both.await();
        } catch (InterruptedException | BrokenBarrierException e) {
          throw new IllegalStateException("the other rank has not come", e);
        }
        throw new NetException(result, "the cable of rank " + rank + " is out");
      }
    };
  }

  /** Returns whether it has met the others and waits for their terms, by one look at its stack. */
  private static boolean waits(Thread thread) {
    List<String> methods =
        Stream.of(thread.getStackTrace()).map(StackTraceElement::getMethodName).toList();
    return methods.contains("agree")
        && methods.contains("allGather")
        && methods.getFirst().startsWith("wait");
  }
}
