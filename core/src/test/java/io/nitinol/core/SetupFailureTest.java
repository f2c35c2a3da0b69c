// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static io.nitinol.core.connect.ConnectorGroup.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.connect.ConnectorGroup;
import io.nitinol.core.kernel.UnaskedKernels;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.transport.DelegatingNet;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.testing.Await;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whatever a plugin throws while a communicator is made, every rank hears of it at once. */
class SetupFailureTest {
  private final MemoryNet memory = new MemoryNet(3);
  private final RecordedLog log = new RecordedLog();

  private CompletableFuture<Communicator> init(UniqueId id, int rank, CommConfig config) {
    return ConnectorGroup.inThread(() -> Communicator.init(id, 2, rank, config));
  }

  private CommConfig config(Net net) {
    return CommConfig.standard()
        .withSettings(ConnectorGroup.NETWORK_ONLY)
        .withLogger(log)
        .withNet(net);
  }

  @Test
  void anErrorOfAPluginReachesTheOtherRanksAtOnce() throws Exception {
    Net broken =
        new DelegatingNet(memory) {
          @Override
          public ListenComm listen(NetContext context, int device, MemorySegment handle) {
            throw new NoClassDefFoundError("com/example/Missing");
          }
        };
    expectFailureOfRankOne(config(broken), "com/example/Missing");
  }

  @Test
  void anErrorAfterTheConnectionsWereMadeClosesThem() throws Exception {
    KernelProvider broken =
        new UnaskedKernels() {
          @Override
          public String name() {
            throw new UnsatisfiedLinkError("no kernels here");
          }
        };
    expectFailureOfRankOne(config(memory).withKernels(broken), "no kernels here");
  }

  private void expectFailureOfRankOne(CommConfig one, String text) throws Exception {
    UniqueId id = UniqueId.create(ConnectorGroup.SETTINGS, log);
    long start = System.nanoTime();
    CompletableFuture<Communicator> healthy = init(id, 0, config(memory));
    CompletableFuture<Communicator> failing = init(id, 1, one);
    CommException failure = failureOf(failing);
    assertThat(failure.result()).isEqualTo(ResultCode.INTERNAL_ERROR);
    assertThat(failure.failedRank()).isEqualTo(1);
    assertThat(failure).hasMessageContaining(text);
    expectToldOf(healthy, text);
    assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start))
        .as("seconds, far from the time limit of the bootstrap")
        .isLessThan(20);
    assertThat(memory.open()).isZero();
    awaitNoThreads();
  }

  /** The healthy rank may have been ready before the other failed; it hears of it all the same. */
  private static void expectToldOf(CompletableFuture<Communicator> healthy, String text)
      throws Exception {
    CommException failure;
    try (Communicator ready = healthy.handle((c, e) -> c).get(240, TimeUnit.SECONDS)) {
      if (ready == null) {
        failure = failureOf(healthy);
      } else {
        failure = Await.nonNull("the failure", ready::asyncError);
      }
    }
    assertThat(failure).isNotNull().hasMessageContaining(text);
    assertThat(failure.failedRank()).isEqualTo(1);
  }

  private static void awaitNoThreads() {
    Await.until("the end of the communicators' threads", () -> ownThreads() == 0);
  }

  private static long ownThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().matches("nitinol-[01]-.*"))
        .count();
  }
}
