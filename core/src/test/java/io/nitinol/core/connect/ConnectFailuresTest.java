// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.CommException;
import io.nitinol.core.shm.ShmDirectory;
import io.nitinol.core.team.AreaShape;
import io.nitinol.core.transport.Connectors.Use;
import io.nitinol.core.transport.DelegatingNet;
import io.nitinol.core.transport.MemoryNet;
import io.nitinol.core.transport.PeerInfo;
import io.nitinol.core.transport.memory.MemoryTransport;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.tuner.Protocol;
import java.io.File;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong while a connection is made, who is blamed, and that nothing is left open. */
class ConnectFailuresTest {
  private final MemoryNet memory = new MemoryNet(7);

  /** Opens both ranks and asks for the connection from rank 0 to rank 1, at both ends. */
  private static void zeroToOne(ConnectorGroup group, Net zero, Net one, int seconds) {
    group.open(0, zero, seconds).sender(1, 0, Use.COLLECTIVE);
    group.open(1, one, seconds).receiver(0, 0, Use.COLLECTIVE);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void oneRefusedConnectionIsNotTheEnd(boolean mayWait) throws Exception {
    AtomicInteger refusals = new AtomicInteger(5);
    Net net =
        new DelegatingNet(memory) {
          @Override
          public @Nullable RecvComm accept(
              ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
            if (refusals.getAndDecrement() > 0) {
              throw new NetException(ResultCode.REMOTE_ERROR, "somebody greeted by half");
            }
            return super.accept(listenComm, deviceHandle);
          }
        };
    try (ConnectorGroup group = new ConnectorGroup(2)) {
      group.open(0, net, mayWait, 20).sender(1, 0, Use.COLLECTIVE);
      group.open(1, net, mayWait, 20);
      group.receiver(1, 0);
      group.sender(0, 1);
      assertThat(group.log.lines())
          .filteredOn(line -> line.startsWith("WARN") && line.contains("greeted by half"))
          .hasSize(1);
    }
    assertThat(memory.open()).isZero();
  }

  @Test
  void theLastRefusalIsToldWhenNobodyElseComes() throws Exception {
    Net net =
        new DelegatingNet(memory) {
          @Override
          public @Nullable RecvComm accept(
              ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
            throw new NetException(ResultCode.REMOTE_ERROR, "wrong greeting");
          }
        };
    try (ConnectorGroup group = new ConnectorGroup(2)) {
      zeroToOne(group, memory, net, 1);
      CommException failure = group.failure(1);
      assertThat(failure.result()).isEqualTo(ResultCode.TIMEOUT);
      assertThat(failure.failedRank()).isZero();
      assertThat(failure)
          .hasMessageContaining("by rank 0")
          .hasMessageContaining("within 1 s")
          .hasMessageContaining("Memory device 0 (mem0)")
          .hasMessageContaining("NITINOL_BOOTSTRAP_TIMEOUT")
          .hasMessageContaining("wrong greeting");
      assertThat(group.failure(0).failedRank()).isZero();
    }
    assertThat(memory.open()).isZero();
  }

  @Test
  void aReceiverThatNeverAcceptsIsTheSendersTimeout() throws Exception {
    Net deaf =
        new DelegatingNet(memory) {
          @Override
          public @Nullable SendComm connect(
              NetContext context,
              int device,
              MemorySegment handle,
              @Nullable DeviceHandle[] deviceHandle) {
            return null;
          }
        };
    try (ConnectorGroup group = new ConnectorGroup(2)) {
      group.open(0, deaf, 1).sender(1, 0, Use.COLLECTIVE);
      group.open(1, memory, 20).receiver(0, 0, Use.COLLECTIVE);
      CommException failure = group.failure(0);
      assertThat(failure.result()).isEqualTo(ResultCode.TIMEOUT);
      assertThat(failure.failedRank()).isEqualTo(1);
      assertThat(failure).hasMessageContaining("could not connect to rank 1");
    }
    assertThat(memory.open()).isZero();
  }

  @ParameterizedTest
  @EnumSource(
      value = ResultCode.class,
      names = {"SYSTEM_ERROR", "INTERNAL_ERROR", "INVALID_ARGUMENT", "REMOTE_ERROR", "TIMEOUT"})
  void onlyWhatThePeerCanHaveCausedIsBlamedOnIt(ResultCode code) throws Exception {
    Net net =
        new DelegatingNet(memory) {
          @Override
          public @Nullable SendComm connect(
              NetContext context,
              int device,
              MemorySegment handle,
              @Nullable DeviceHandle[] deviceHandle) {
            throw new NetException(code, "no descriptor left");
          }
        };
    try (ConnectorGroup group = new ConnectorGroup(2)) {
      zeroToOne(group, net, memory, 20);
      CommException failure = group.failure(0);
      assertThat(failure.result()).isEqualTo(code);
      assertThat(failure).hasMessageContaining("no descriptor left");
      boolean remote = code == ResultCode.REMOTE_ERROR || code == ResultCode.TIMEOUT;
      assertThat(failure.failedRank()).isEqualTo(remote ? 1 : 0);
      assertThat(group.failure(1).failedRank()).isEqualTo(remote ? 1 : 0);
    }
    assertThat(memory.open()).isZero();
  }

  @Test
  void aListenerThatIsLostIsThisRanksOwn() throws Exception {
    Net lost =
        new DelegatingNet(memory) {
          @Override
          public @Nullable RecvComm accept(
              ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
            throw new NetException(ResultCode.SYSTEM_ERROR, "no descriptor left");
          }
        };
    try (ConnectorGroup group = new ConnectorGroup(2)) {
      zeroToOne(group, memory, lost, 20);
      assertThat(group.failure(1).failedRank()).isEqualTo(1);
      assertThat(group.failure(1)).hasMessageContaining("no descriptor left");
    }
    assertThat(memory.open()).isZero();
  }

  @Test
  void anErrorOfAPluginFailsTheCommunicatorAtOnce() throws Exception {
    Net broken =
        new DelegatingNet(memory) {
          @Override
          public ListenComm listen(NetContext context, int device, MemorySegment handle) {
            throw new NoClassDefFoundError("com/example/Missing");
          }
        };
    try (ConnectorGroup group = new ConnectorGroup(2)) {
      zeroToOne(group, memory, broken, 20);
      for (int r = 0; r < 2; r++) {
        assertThat(group.failure(r).failedRank()).isEqualTo(1);
        assertThat(group.failure(r)).hasMessageContaining("com/example/Missing");
      }
    }
    assertThat(memory.open()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void buffersThatCannotBeRegisteredAreThisRanksOwn(boolean sending) throws Exception {
    AtomicBoolean refuse = new AtomicBoolean();
    Net unregistered =
        new DelegatingNet(memory) {
          @Override
          public MemoryHandle regMr(Comm comm, Memory what) {
            if (comm instanceof SendComm == sending) {
              refuse.set(true);
              throw new NetException(ResultCode.REMOTE_ERROR, "nothing can be locked");
            }
            return super.regMr(comm, what);
          }
        };
    try (ConnectorGroup group = new ConnectorGroup(2)) {
      zeroToOne(group, unregistered, unregistered, 20);
      int guilty = sending ? 0 : 1;
      assertThat(group.failure(guilty).failedRank()).isEqualTo(guilty);
      assertThat(group.failure(guilty)).hasMessageContaining("nothing can be locked");
      assertThat(refuse).isTrue();
    }
    assertThat(memory.open()).isZero();
  }

  @Test
  void aListenerThatCannotBeClosedKeepsNothingElseOpen() throws Exception {
    Net net =
        new DelegatingNet(memory) {
          @Override
          public void closeListen(ListenComm comm) {
            super.closeListen(comm);
            throw new NoClassDefFoundError("at the worst moment");
          }
        };
    try (ConnectorGroup group = new ConnectorGroup(2)) {
      zeroToOne(group, memory, net, 20);
      group.receiver(1, 0);
      group.sender(0, 1);
      assertThat(group.log.lines()).anyMatch(line -> line.contains("at the worst moment"));
    }
    assertThat(memory.open()).isZero();
  }

  @Test
  void memoryOfAConnectionThatDoesNotCloseIsReported() throws Exception {
    Net net =
        new DelegatingNet(memory) {
          @Override
          public void closeSend(SendComm comm) {
            super.closeSend(comm);
            throw new NetException(ResultCode.SYSTEM_ERROR, "the card does not answer");
          }
        };
    try (ConnectorGroup group = new ConnectorGroup(2)) {
      zeroToOne(group, net, memory, 20);
      group.sender(0, 1);
      group.receiver(1, 0);
      List<Throwable> errors = group.closeLinks(0);
      assertThat(errors).hasSize(1);
      assertThat(errors.getFirst()).hasMessageContaining("the card does not answer");
    }
    assertThat(memory.open()).isZero();
  }

  /**
   * A rank that fails takes back the memory it offers: it is to blame, and not the one that joins.
   */
  @Test
  void memoryOfATeamThatIsTakenBackIsItsCreatorsFailure(@TempDir Path directory) throws Exception {
    try (ConnectorGroup group = new ConnectorGroup(3)) {
      ShmDirectory shm = new ShmDirectory(directory, group.log);
      group.better.add(MemoryTransport.shm(shm));
      group.team = new HostTeam(shm, List.of(new AreaShape(Protocol.SIMPLE, 4096, 8)));
      for (int rank = 0; rank < 3; rank++) {
        group.peers[rank] = new PeerInfo(rank, 1, rank);
      }
      group.open(0, memory, 20).team(0, Protocol.SIMPLE);
      File[] offered = new File[0];
      while (offered.length == 0) {
        offered = ConnectorGroup.notNull(directory.toFile().listFiles());
        LockSupport.parkNanos(1_000_000);
      }
      for (File each : offered) {
        assertThat(each.delete()).isTrue();
      }
      for (int rank = 1; rank < 3; rank++) {
        group.open(rank, memory, 20).team(0, Protocol.SIMPLE);
      }
      CommException failure = group.failure(1);
      assertThat(failure.failedRank()).isZero();
      assertThat(failure).hasMessageContaining("it is not there, so that rank has given up");
      assertThat(group.failure(2).failedRank()).isZero();
    }
  }
}
