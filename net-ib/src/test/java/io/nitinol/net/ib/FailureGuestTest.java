// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What breaks on real devices, and the error it ends in. */
@Tag("rdma")
class FailureGuestTest {
  private static final String[] QUICK = {
    "NCCL_SOCKET_IFNAME", "veth0,lo", "NCCL_IB_TIMEOUT", "14", "NCCL_IB_RETRY_CNT", "3"
  };

  @BeforeEach
  void devicesAreHere() {
    assumeTrue(Cable.hasDevices(), "no two RDMA devices here");
  }

  @Test
  void memoryThatIsNotRegisteredAnyMoreIsAnErrorOfTheSender() {
    try (Cable cable = new Cable(QUICK).connect(0, 1)) {
      MemorySegment source = cable.memory(1 << 16);
      MemorySegment target = cable.memory(1 << 16);
      MemoryHandle sendMr = cable.register(cable.send, source);
      MemoryHandle recvMr = cable.register(cable.recv, target);
      cable.irecv(recvMr, 0, 1 << 16, 0);
      cable.far.deregMr(cable.recv, recvMr);
      Request send = cable.isend(sendMr, 0, 1 << 16, 0);
      NetException failure = cable.failure(send);
      assertThat(failure.result()).as(failure.getMessage()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure)
          .hasMessageContainingAll(
              "REM_ACCESS_ERR", "RDMA_WRITE", "vendor error", "rxe0:1", "not registered any more");
    }
  }

  @Test
  void aLinkThatGoesDownIsAnErrorWithinTheTimeout() throws Exception {
    try (Cable cable = new Cable(QUICK).connect(0, 1)) {
      MemorySegment memory = cable.memory(1 << 16);
      MemoryHandle sendMr = cable.register(cable.send, memory);
      MemoryHandle recvMr = cable.register(cable.recv, cable.memory(1 << 16));
      Request receive = cable.irecv(recvMr, 0, 1 << 16, 0);
      int[] sizes = new int[1];
      Request first = cable.isend(sendMr, 0, 64, 0);
      Cable.until("first message", () -> cable.test(first, null));
      Cable.until("first receive", () -> cable.test(receive, sizes));
      cable.irecv(recvMr, 0, 1 << 16, 0);
      Request send = cable.isend(sendMr, 0, 64, 0);
      Cable.until("second message", () -> cable.test(send, null));
      Request waiting = cable.irecv(recvMr, 0, 1 << 16, 0);
      Request[] cut = new Request[1];
      run("ip", "link", "set", "veth1", "down");
      try {
        long start = System.nanoTime();
        NetException failure =
            Cable.failure(() -> {
              if (cut[0] == null) {
                cut[0] = cable.net.isend(cable.send, sendMr, 0, 1 << 16, 0);
                return false;
              }
              return cable.test(cut[0], null);
            });
        assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start)).isLessThan(20);
        assertThat(failure.result()).as(failure.getMessage()).isEqualTo(ResultCode.REMOTE_ERROR);
        // Soft-RoCE cannot even send, and flushes at once; a card retries in vain.
        assertThat(failure).hasMessageContaining("rxe0:1");
        assertThat(failure.getMessage())
            .containsAnyOf("the port has gone down", "RETRY_EXC_ERR", "WR_FLUSH_ERR");
        assertThat(cable.failure(waiting).result()).isEqualTo(ResultCode.REMOTE_ERROR);
      } finally {
        restore();
      }
    }
  }

  private static void restore() throws Exception {
    run("ip", "link", "set", "veth1", "up");
    String near = Files.readString(Path.of("/sys/class/net/veth0/address")).strip();
    String far = Files.readString(Path.of("/sys/class/net/veth1/address")).strip();
    run("ip", "neigh", "replace", "10.77.0.2", "lladdr", far, "dev", "veth0");
    run("ip", "neigh", "replace", "10.77.0.1", "lladdr", near, "dev", "veth1");
    Path state = Path.of("/sys/class/infiniband/rxe1/ports/1/state");
    long start = System.nanoTime();
    while (!Files.readString(state).contains("ACTIVE")) {
      assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
      Thread.yield();
    }
  }

  private static void run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).inheritIO().start();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
  }
}
