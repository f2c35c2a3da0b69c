// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import static io.nitinol.samples.memory.Wire.await;
import static io.nitinol.samples.memory.Wire.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v6.Net;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Peers in other processes, which are killed; names of rules are SPEC.md's. */
class ProcessesTest {
  private final Wire.Log log = new Wire.Log();
  private final MemoryNet net = Wire.net(log);
  private final Arena arena = Arena.ofShared();
  private final MemorySegment memory = arena.allocate(1 << 20).fill((byte) 7);
  private final MemorySegment handle = arena.allocate(Net.HANDLE_MAXSIZE, 8);
  private final ListenComm listener = net.listen(0, handle);

  @AfterEach
  void release() {
    net.closeListen(listener);
    arena.close();
  }

  @Test
  void aSenderThatIsKilledIsRemoteErrorAndWhatItHadSentArrives() throws Exception {
    try (PeerProcess peer = PeerProcess.start("send", PeerProcess.hex(handle))) {
      RecvComm[] comm = new RecvComm[1];
      await(() -> (comm[0] = net.accept(listener)) != null);
      MemoryHandle[] mrs = {net.regMr(comm[0], Memory.ofHost(memory))};
      long[] room = {1 << 20};
      Request first = net.irecv(comm[0], 1, mrs, new long[1], room, new int[1]);
      Request second = net.irecv(comm[0], 1, mrs, new long[1], room, new int[1]);
      peer.expect("sending");
      peer.kill();
      int[] size = new int[1];
      await(() -> net.test(first, size)); // NET-ERR-09
      assertThat(size).containsExactly(1000);
      assertThat(memory.get(ValueLayout.JAVA_BYTE, 999)).isEqualTo((byte) 42);
      assertThat(failure(() -> net.test(second, null))).isEqualTo(ResultCode.REMOTE_ERROR);
      net.closeRecv(comm[0]);
    }
  }

  @Test
  void aReceiverThatIsKilledIsRemoteErrorAndItsDirectoryIsTidiedUp() throws Exception {
    try (PeerProcess peer = PeerProcess.start("receive", "")) {
      MemorySegment target = PeerProcess.unhex(peer.expect("handle"));
      Path directory = MemoryListenHandle.readFrom(target).directory();
      SendComm[] comm = new SendComm[1];
      await(() -> (comm[0] = net.connect(0, target)) != null);
      MemoryHandle mr = net.regMr(comm[0], Memory.ofHost(memory));
      Request[] request = new Request[1];
      await(() -> (request[0] = net.isend(comm[0], mr, 0, 200_000, 0)) != null);
      await(() -> net.test(request[0], null));
      assertThat(peer.expect("received")).isEqualTo("200000 7");
      await(() -> (request[0] = net.isend(comm[0], mr, 0, 200_000, 0)) != null);
      peer.kill();
      assertThat(failure(() -> net.test(request[0], null))).isEqualTo(ResultCode.REMOTE_ERROR);
      net.closeSend(comm[0]);

      assertThat(directory).exists();
      assertThat(failure(() -> net.connect(0, target) != null)) // NET-CONN-14
          .isEqualTo(ResultCode.REMOTE_ERROR);
      Wire.net(log);
      assertThat(directory).doesNotExist();
    }
  }

  @Test
  void aListenerThatIsKilledEndsTheAttempt() throws Exception {
    try (PeerProcess peer = PeerProcess.start("listen", "")) {
      MemorySegment target = PeerProcess.unhex(peer.expect("handle"));
      assertThat(net.connect(0, target)).isNull();
      peer.kill();
      assertThat(failure(() -> net.connect(0, target) != null)).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(watchesOf(peer)).isZero();
      Wire.net(log);
    }
  }

  @Test
  void aConnectorThatIsKilledHalfWayIsDropped() throws Exception {
    try (PeerProcess peer = PeerProcess.start("offer", PeerProcess.hex(handle))) {
      peer.expect("offered");
      assertThat(net.accept(listener)).isNull();
      assertThat(watchesOf(peer)).isEqualTo(1);
      peer.kill();
      await(() -> {
        assertThat(net.accept(listener)).isNull();
        return log.lines.stream().anyMatch(l -> l.contains("process " + peer.pid()));
      });
      assertThat(watchesOf(peer)).isZero();
    }
  }

  @Test
  void aMemberThatIsKilledIsRemoteError() throws Exception { // COLL-19
    MemoryCollNet coll = new MemoryCollNet();
    coll.init(log);
    MemorySegment own = arena.allocate(Net.HANDLE_MAXSIZE, 8);
    ListenComm gathering = coll.listen(0, own);
    try (PeerProcess peer = PeerProcess.start("reduce", PeerProcess.hex(own))) {
      MemorySegment[] handles = {own, PeerProcess.unhex(peer.expect("handle"))};
      CollComm comm = coll.connect(handles, 2, 0, gathering);
      MemoryHandle mr = coll.regMr(comm, Memory.ofHost(memory));
      Request first = coll.iallreduce(comm, mr, 0, mr, 0, 1000, DataType.UINT8, ReductionOp.PROD);
      Request second = coll.iallreduce(comm, mr, 0, mr, 0, 9, DataType.UINT8, ReductionOp.PROD);
      int[] size = new int[1];
      await(() -> coll.test(first, size));
      assertThat(memory.get(ValueLayout.JAVA_BYTE, 999)).isEqualTo((byte) 21);
      assertThat(memory.get(ValueLayout.JAVA_BYTE, 1000)).isEqualTo((byte) 7);
      peer.expect("reduced");
      peer.kill();
      assertThat(failure(() -> coll.test(second, null))).isEqualTo(ResultCode.REMOTE_ERROR);
      coll.closeColl(comm);
      coll.closeListen(gathering);
      Wire.net(log); // tidies up after the peer
    }
  }

  /** How many descriptors of this process watch the peer. */
  private static long watchesOf(PeerProcess peer) throws IOException {
    long count = 0;
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
      for (Path one : all) {
        if (Files.isSymbolicLink(one)
            && Files.readSymbolicLink(one).toString().contains("/" + peer.pid() + "/")) {
          count++;
        }
      }
    }
    return count;
  }
}
