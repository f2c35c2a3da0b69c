// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nitinol.core.connect.ConnectorGroup;
import io.nitinol.core.kernel.ScalarKernels;
import io.nitinol.core.kernel.UnaskedKernels;
import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.transport.DelegatingNet;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.kernel.v1.ReduceFunction;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a close does that cannot end everything: says so, and frees nothing that is in use. */
class CloseTest {
  private final RecordedLog log = new RecordedLog();

  /** Remembers the memory it was given. */
  private static class RememberingNet extends DelegatingNet {
    final ConcurrentLinkedQueue<MemorySegment> registered = new ConcurrentLinkedQueue<>();

    RememberingNet() {
      super(new MemoryNet(5));
    }

    @Override
    public MemoryHandle regMr(Comm comm, Memory memory) {
      registered.add(Objects.requireNonNull(memory.segment()));
      return super.regMr(comm, memory);
    }

    long alive() {
      return registered.stream().filter(s -> s.scope().isAlive()).count();
    }
  }

  private List<Communicator> group(RememberingNet net) {
    return Communicator.initAll(
        2,
        CommConfig.standard()
            .withSettings(ConnectorGroup.NETWORK_ONLY)
            .withLogger(log)
            .withNet(net));
  }

  private static CommException closeFailure(Communicator communicator) {
    CommException failure = catchThrowableOfType(CommException.class, communicator::close);
    return Objects.requireNonNull(failure, "the close succeeded");
  }

  @Test
  void aCloseThatSucceedsFreesTheMemory() {
    RememberingNet net = new RememberingNet();
    group(net).forEach(Communicator::close);
    // Each rank: what it sends from and what it receives into.
    assertThat(net.registered).hasSize(4);
    assertThat(net.alive()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aConnectionThatCannotBeClosedKeepsItsMemory(boolean failedBefore) {
    RememberingNet net =
        new RememberingNet() {
          @Override
          public void closeRecv(RecvComm comm) {
            throw new NetException(ResultCode.SYSTEM_ERROR, "the card does not answer");
          }
        };
    List<Communicator> group = group(net);
    if (failedBefore) {
      group.get(0).abort();
    }
    for (Communicator communicator : group) {
      CommException failure = closeFailure(communicator);
      assertThat(failure.result()).isEqualTo(ResultCode.SYSTEM_ERROR);
      assertThat(failure).hasMessageContaining("the card does not answer");
      communicator.close(); // does nothing
    }
    assertThat(net.alive()).isEqualTo(4);
    assertThat(log.lines())
        .filteredOn(line -> line.startsWith("WARN") && line.contains("never freed"))
        .hasSize(2);
  }

  /** Whichever close returns: the memory is not in use then. */
  @Test
  void aSecondCloseWaitsForTheFirstAndHearsOfItsFailure() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    RememberingNet net =
        new RememberingNet() {
          @Override
          public void closeRecv(RecvComm comm) {
            inside.countDown();
            try {
              goOn.await();
            } catch (InterruptedException e) {
              throw new NetException(ResultCode.SYSTEM_ERROR, "interrupted", e);
            }
            throw new NetException(ResultCode.SYSTEM_ERROR, "the card does not answer");
          }
        };
    List<Communicator> group = group(net);
    FutureTask<CommException> first = new FutureTask<>(() -> closeFailure(group.getFirst()));
    FutureTask<CommException> second = new FutureTask<>(() -> closeFailure(group.getFirst()));
    Thread.ofPlatform().start(first);
    inside.await();
    Thread other = Thread.ofPlatform().start(second);
    while (other.getState() != Thread.State.WAITING && !second.isDone()) {
      Thread.sleep(10);
    }
    assertThat(second).isNotDone();
    goOn.countDown();
    CommException failure = first.get();
    assertThat(second.get()).hasMessage(failure.getMessage()).hasCause(failure);
    closeFailure(group.getLast());
  }

  @Test
  void aThreadThatIsStuckInThePluginIsNamedAndKeepsItsMemory() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch outside = new CountDownLatch(1);
    RememberingNet net =
        new RememberingNet() {
          @Override
          public @Nullable Request isend(
              SendComm comm,
              MemoryHandle mr,
              long offset,
              long length,
              int tag,
              long profilerHandle) {
            if (Thread.currentThread().getName().startsWith("nitinol-0-")) {
              inside.countDown();
              awaitQuietly(outside);
            }
            return super.isend(comm, mr, offset, length, tag, profilerHandle);
          }
        };
    List<Communicator> group = group(net);
    try (Arena arena = Arena.ofShared()) {
      MemorySegment buffer = arena.allocate(4096, 64);
      group.get(0).allReduce(buffer, buffer, 1024, DataType.FLOAT32, ReductionOp.SUM);
      assertThat(inside.await(240, TimeUnit.SECONDS)).isTrue();
      group.get(0).abort();
      CommException failure = closeFailure(group.get(0));
      assertThat(failure.result()).isEqualTo(ResultCode.SYSTEM_ERROR);
      assertThat(failure)
          .hasMessageContaining("nitinol-0-progress")
          .hasMessageContaining("must not be freed");
      assertThat(net.alive()).isEqualTo(4);
      group.get(1).close();
      assertThat(net.alive()).as("rank 1 has no such thread").isEqualTo(2);
      assertThat(log.lines()).anyMatch(line -> line.contains("nitinol-0-progress"));
    } finally {
      outside.countDown();
    }
  }

  /** Kernels that wait at a gate when the background thread of rank 1 calculates. */
  private static final class GatedKernels extends UnaskedKernels {
    private final CountDownLatch inside;
    private final CountDownLatch gate;

    GatedKernels(CountDownLatch inside, CountDownLatch gate) {
      this.inside = inside;
      this.gate = gate;
    }

    @Override
    public ReduceFunction function(DataType type, ReductionOp op, int nRanks) {
      ReduceFunction scalar = ScalarKernels.instance().function(type, op, nRanks);
      return (ReduceFunction)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {ReduceFunction.class},
              (proxy, method, arguments) -> {
                if (Thread.currentThread().getName().startsWith("nitinol-1-")) {
                  inside.countDown();
                  awaitQuietly(gate);
                }
                return method.invoke(scalar, arguments);
              });
    }
  }

  private static final long COUNT = 1 << 18;

  /** Two ranks, the second of which is in the middle of calculating with the first one's buffer. */
  private List<Communicator> inTheMiddle(GatedKernels kernels, Arena arena, int kernelThreads)
      throws InterruptedException {
    List<Communicator> group =
        Communicator.initAll(
            2,
            CommConfig.standard()
                .withSettings(
                    Settings.of(
                        Map.of(
                            "NCCL_SOCKET_IFNAME",
                            "lo",
                            "NCCL_ALGO",
                            "direct",
                            "NITINOL_KERNEL_THREADS",
                            Integer.toString(kernelThreads))))
                .withLogger(log)
                .withKernels(kernels)
                .withNet(new MemoryNet(6)));
    for (Communicator rank : group) {
      MemorySegment buffer = arena.allocate(4 * COUNT, 64);
      rank.allReduce(buffer, buffer, COUNT, DataType.FLOAT32, ReductionOp.SUM);
    }
    assertThat(kernels.inside.await(240, TimeUnit.SECONDS)).isTrue();
    return group;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aCloseWaitsForOtherRanksOfTheProcessThatUseItsBuffers(int kernelThreads) throws Exception {
    GatedKernels kernels = new GatedKernels(new CountDownLatch(1), new CountDownLatch(1));
    try (Arena arena = Arena.ofShared()) {
      List<Communicator> group = inTheMiddle(kernels, arena, kernelThreads);
      FutureTask<Boolean> closing =
          new FutureTask<>(() -> {
            group.get(0).abort();
            group.get(0).close();
            return true;
          });
      Thread closer = Thread.ofPlatform().daemon().start(closing);
      while (Arrays.stream(closer.getStackTrace())
          .noneMatch(frame -> frame.getMethodName().equals("awaitRest"))) {
        assertThat(closing.isDone()).as("closed while rank 1 used the buffer").isFalse();
        Thread.onSpinWait();
      }
      kernels.gate.countDown();
      assertThat(closing.get(240, TimeUnit.SECONDS)).isTrue();
      group.get(1).close();
    } finally {
      kernels.gate.countDown();
    }
  }

  @Test
  void anotherRanksThreadThatDoesNotLeaveTheBuffersIsNamed() throws Exception {
    GatedKernels kernels = new GatedKernels(new CountDownLatch(1), new CountDownLatch(1));
    try (Arena arena = Arena.ofShared()) {
      List<Communicator> group = inTheMiddle(kernels, arena, 0);
      group.get(0).abort();
      CommException failure = closeFailure(group.get(0));
      assertThat(failure.result()).isEqualTo(ResultCode.SYSTEM_ERROR);
      assertThat(failure)
          .hasMessageContaining("nitinol-1-progress")
          .hasMessageContaining("must not be freed");
      kernels.gate.countDown();
      group.get(1).close();
    } finally {
      kernels.gate.countDown();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError("a thread inside a plugin was interrupted", e);
    }
  }
}
