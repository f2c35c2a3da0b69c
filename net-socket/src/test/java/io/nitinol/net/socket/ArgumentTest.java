// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static io.nitinol.spi.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.testing.Await;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What callers may not do is INVALID_ARGUMENT, names the values and changes nothing. */
class ArgumentTest {

  @ParameterizedTest
  @CsvSource({
    "-1,1",
    "0,-1",
    "0,1001",
    "1000,1",
    "1001,0",
    "9223372036854775807,1",
    "1,9223372036854775807"
  })
  void piecesLieInsideTheirMemory(long offset, long length) {
    try (Loopback pair = new Loopback().connected()) {
      MemoryHandle out = pair.register(pair.send, pair.arena.allocate(1000));
      MemoryHandle in = pair.register(pair.recv, pair.arena.allocate(1000));
      String[] named = {String.valueOf(offset), String.valueOf(length), "1000"};
      assertFails(
          ResultCode.INVALID_ARGUMENT,
          () -> pair.net.isend(pair.send, out, offset, length, 0),
          named);
      assertFails(ResultCode.INVALID_ARGUMENT, () -> pair.irecv(in, offset, length), named);
      Request receiving = pair.irecv(in, 1000, 0);
      assertThat(pair.complete(pair.net.isend(pair.send, out, 1000, 0, 0), receiving)).isZero();
    }
  }

  @Test
  void foreignTokens() {
    try (Loopback pair = new Loopback().connected();
        Loopback other = new Loopback().connected()) {
      MemorySegment memory = pair.arena.allocate(100);
      MemoryHandle out = pair.register(pair.send, memory);
      MemoryHandle in = pair.register(pair.recv, memory);
      MemoryHandle others = other.register(other.send, memory);
      SendComm send = new SendComm() {};
      RecvComm recv = new RecvComm() {};
      for (Comm foreign : new Comm[] {send, recv, null, other.send, new Comm() {}}) {
        invalid(() -> pair.net.regMr(foreign, Memory.ofHost(memory)));
        invalid(() -> pair.net.deregMr(foreign, out));
      }
      for (SendComm foreign : new SendComm[] {send, null, other.send}) {
        invalid(() -> pair.net.isend(foreign, out, 0, 1, 0));
        invalid(() -> pair.net.closeSend(foreign));
      }
      for (RecvComm foreign : new RecvComm[] {recv, null, other.recv}) {
        invalid(() -> pair.net.iflush(foreign, 1, handles(in), new long[1], new long[1]));
        invalid(
            () -> pair.net.irecv(foreign, 1, handles(in), new long[1], new long[1], new int[1]));
        invalid(() -> pair.net.closeRecv(foreign));
      }
      for (MemoryHandle foreign : new MemoryHandle[] {new MemoryHandle() {}, null, others}) {
        invalid(() -> pair.net.isend(pair.send, foreign, 0, 1, 0));
        invalid(() -> pair.irecv(foreign, 0, 1));
        invalid(() -> pair.net.deregMr(pair.send, foreign));
      }
      for (ListenComm foreign : new ListenComm[] {new ListenComm() {}, null, other.listener}) {
        invalid(() -> pair.net.accept(foreign));
        invalid(() -> pair.net.closeListen(foreign));
      }
      Request others1 = other.net.isend(other.send, others, 0, 1, 0);
      for (Request foreign : new Request[] {new Request() {}, null, others1}) {
        invalid(() -> pair.net.test(foreign, null));
      }
      invalid(() -> pair.net.regMr(pair.send, null));
      invalid(() -> pair.net.connect(0, null));
      assertThat(pair.complete(pair.net.isend(pair.send, out, 0, 9, 0), pair.irecv(in, 0, 9)))
          .isEqualTo(9);
    }
  }

  @Test
  void aHandleIsGoodForItsOwnCommUntilItIsUndone() {
    try (Loopback pair = new Loopback().connected()) {
      MemorySegment memory = pair.arena.allocate(100);
      MemoryHandle out = pair.register(pair.send, memory);
      MemoryHandle in = pair.register(pair.recv, memory);
      invalid(() -> pair.net.isend(pair.send, in, 0, 1, 0), "another comm");
      invalid(() -> pair.irecv(out, 0, 1), "another comm");
      invalid(() -> pair.net.deregMr(pair.send, in), "another comm");
      MemoryHandle again = pair.register(pair.send, memory);
      pair.net.deregMr(pair.send, out);
      invalid(() -> pair.net.isend(pair.send, out, 0, 1, 0), "deregistered");
      invalid(() -> pair.net.deregMr(pair.send, out), "deregistered");
      assertThat(pair.complete(pair.net.isend(pair.send, again, 0, 9, 0), pair.irecv(in, 0, 9)))
          .isEqualTo(9);
    }
  }

  @Test
  void onlyHostMemoryAndMessagesUpToTheLimit() {
    try (Loopback pair = new Loopback().connected()) {
      invalid(() -> pair.net.regMr(pair.send, Memory.ofDevice(4096, 10, PointerType.CUDA)), "CUDA");
      assertFails(
          ResultCode.INVALID_USAGE,
          () -> pair.net.regMrDmaBuf(pair.send, Memory.ofDevice(4096, 10, PointerType.CUDA), 0, 3),
          "dma-buf");
      long most = 32L << 30;
      MemorySegment huge = MemorySegment.ofAddress(1 << 20).reinterpret(most + 1);
      MemoryHandle out = pair.net.regMr(pair.send, Memory.ofHost(huge));
      MemoryHandle in = pair.net.regMr(pair.recv, Memory.ofHost(huge));
      invalid(() -> pair.net.isend(pair.send, out, 0, most + 1, 0), "34359738369", "34359738368");
      invalid(() -> pair.irecv(in, 0, most + 1), "34359738369", "34359738368");
      assertThat(pair.irecv(in, 1, most)).isNotNull();
    }
  }

  @Test
  void readOnlyMemoryIsSentFromAndNotReceivedInto() {
    try (Loopback pair = new Loopback().connected()) {
      MemorySegment memory = pair.random(100, 3);
      MemorySegment room = pair.arena.allocate(100);
      MemoryHandle out = pair.register(pair.send, memory.asReadOnly());
      MemoryHandle in = pair.register(pair.recv, memory.asReadOnly());
      invalid(() -> pair.irecv(in, 0, 100), "read-only");
      Request receiving = pair.irecv(pair.register(pair.recv, room), 0, 100);
      assertThat(pair.complete(pair.net.isend(pair.send, out, 0, 100, 0), receiving))
          .isEqualTo(100);
      assertThat(room.mismatch(memory)).isEqualTo(-1);
    }
  }

  @Test
  void onePieceInAReceive() {
    try (Loopback pair = new Loopback().connected()) {
      MemoryHandle in = pair.register(pair.recv, pair.arena.allocate(100));
      MemoryHandle[] mrs = {in, in};
      for (int n : new int[] {-1, 0, 2}) {
        invalid(() -> pair.net.irecv(pair.recv, n, mrs, new long[2], new long[2], new int[2]));
      }
      for (int n : new int[] {-1, 2}) {
        invalid(() -> pair.net.iflush(pair.recv, n, mrs, new long[2], new long[2]));
      }
      RecvComm recv = pair.recv;
      long[] one = new long[1];
      long[] none = new long[0];
      invalid(() -> pair.net.irecv(recv, 1, handles(), one, one, new int[1]), "memory handles");
      invalid(() -> pair.net.irecv(recv, 1, mrs, none, one, new int[1]), "offsets");
      invalid(() -> pair.net.irecv(recv, 1, mrs, one, none, new int[1]), "lengths");
      invalid(() -> pair.net.irecv(recv, 1, mrs, one, one, new int[0]), "tags");
      invalid(() -> pair.net.irecv(recv, 1, null, one, one, new int[1]), "memory handles");
    }
  }

  @Test
  void flushOfHostMemoryIsNothingToDo() {
    try (Loopback pair = new Loopback().connected()) {
      MemoryHandle in = pair.register(pair.recv, pair.arena.allocate(100));
      assertThat(pair.net.iflush(pair.recv, 1, handles(in), new long[1], new long[] {100}))
          .isNull();
      assertThat(pair.net.iflush(pair.recv, 0, handles(), new long[0], new long[0])).isNull();
      invalid(
          () -> pair.net.iflush(pair.recv, 1, handles(in), new long[1], new long[] {101}), "101");
    }
  }

  @Test
  void deadRequestsAndShortArrays() {
    try (Loopback pair = new Loopback().connected()) {
      MemoryHandle out = pair.register(pair.send, pair.arena.allocate(100));
      MemoryHandle in = pair.register(pair.recv, pair.arena.allocate(100));
      Request receiving = pair.irecv(in, 0, 100);
      Request sending = pair.net.isend(pair.send, out, 0, 100, 0);
      invalid(() -> pair.net.test(sending, new int[0]), "sizes");
      int[] sizes = {-1, -1};
      Await.until("send", () -> pair.net.test(sending, sizes));
      assertThat(sizes).containsExactly(100, -1);
      Await.until("receive", () -> pair.net.test(receiving, null));
      invalid(() -> pair.net.test(sending, sizes), "dead");
      invalid(() -> pair.net.test(receiving, null), "dead");
    }
  }

  @Test
  void aClosedThingIsClosed() {
    Loopback pair = new Loopback().connected();
    MemoryHandle out = pair.register(pair.send, pair.arena.allocate(100));
    Request sending = pair.net.isend(pair.send, out, 0, 100, 0);
    SendComm send = pair.send;
    ListenComm listener = pair.listener;
    RecvComm recv = pair.recv;
    pair.close();
    invalid(() -> pair.net.isend(send, out, 0, 1, 0), "closed");
    invalid(() -> pair.net.test(sending, null), "closed");
    invalid(() -> pair.net.deregMr(send, out), "closed");
    invalid(() -> pair.net.closeSend(send), "closed");
    invalid(() -> pair.net.closeRecv(recv), "closed");
    invalid(() -> pair.net.accept(listener), "closed");
    invalid(() -> pair.net.closeListen(listener), "closed");
  }

  @Test
  void devicesOutOfRange() {
    try (Loopback pair = new Loopback()) {
      for (int device : new int[] {-1, 1, Integer.MAX_VALUE}) {
        invalid(() -> pair.net.getProperties(device), String.valueOf(device));
        invalid(() -> pair.net.listen(device, pair.handle()), String.valueOf(device));
        invalid(() -> pair.net.connect(device, pair.handle()), String.valueOf(device));
      }
    }
  }

  private static MemoryHandle[] handles(MemoryHandle... handles) {
    return handles;
  }

  private static void invalid(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String... named) {
    assertFails(ResultCode.INVALID_ARGUMENT, call, named);
  }
}
