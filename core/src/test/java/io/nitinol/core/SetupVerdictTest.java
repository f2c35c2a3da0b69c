// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.connect.ConnectorGroup;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.progress.failure.FailureReport;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.testing.Await;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A rank that still exchanges with the others when one of them reports that nothing moves: it says
 * for which rank it waits itself, and blames the one that says nothing, as all others do.
 */
class SetupVerdictTest {
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

  /** Returns whether it has met the others and waits for their terms, by one look at its stack. */
  private static boolean waits(Thread thread) {
    List<String> methods =
        Stream.of(thread.getStackTrace()).map(StackTraceElement::getMethodName).toList();
    return methods.contains("agree")
        && methods.contains("allGather")
        && methods.getFirst().startsWith("wait");
  }
}
