// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.net.Request;
import io.nitinol.spi.testing.Await;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Comms of several connections. */
class StreamsTest {
  @ParameterizedTest
  @CsvSource({"1,1,0,0", "0,4,0,0", "1,4,4,0", "2,1,2,2", "4,4,16,16", "16,4,64,64"})
  void aCommHasAsManyStreamsAsItsListenerAsksFor(
      String threads, String perThread, int data, int helped) {
    // The connecting side's own wish does not count.
    try (Loopback pair =
            new Loopback("NCCL_SOCKET_NTHREADS", threads, "NCCL_NSOCKS_PERTHREAD", perThread)
                .listening();
        Loopback other = new Loopback("NCCL_SOCKET_NTHREADS", "3")) {
      Await.until(
          "both ends",
          () -> {
            other.send = other.send == null ? other.net.connect(0, pair.handle) : other.send;
            pair.recv = pair.recv == null ? pair.net.accept(pair.listener) : pair.recv;
            return other.send != null && pair.recv != null;
          });
      for (SocketComm end : List.of((SocketComm) other.send, (SocketComm) pair.recv)) {
        assertThat(end.data).hasSize(data);
        assertThat(end.streams().helped()).isEqualTo(helped);
      }
    }
  }

  /** Threads are a process's, so they do not grow with its comms; with the last comm they go. */
  @Test
  void manyCommsShareTheThreads() {
    List<Loopback> pairs = new ArrayList<>();
    try {
      for (int i = 0; i < 10; i++) {
        pairs.add(new Loopback("NCCL_SOCKET_NTHREADS", "6").connected());
      }
      assertThat(helpers()).isEqualTo(6);
    } finally {
      pairs.forEach(Loopback::close);
    }
    assertThat(helpers()).isZero();
  }

  private static long helpers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("Socket-\\d+"))
        .count();
  }

  /** A peer that is one of very many waits for its turn, and none is lost. */
  @Test
  void moreCommsAtOnceThanMayProveThemselvesAtOnce() {
    try (Loopback pair =
        three("NITINOL_SOCKET_HALF_OPEN", "4", "NCCL_SOCKET_RETRY_SLEEP_MSEC", "1")) {
      int count = 60;
      List<MemorySegment> handles = new ArrayList<>();
      List<SocketComm> ends = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        handles.add(pair.handle().copyFrom(pair.handle));
      }
      Await.until(
          "all comms",
          () -> {
            handles.removeIf(handle ->
                pair.net.connect(0, handle) instanceof SocketSendComm made && ends.add(made));
            if (pair.net.accept(pair.listener) instanceof SocketRecvComm made) {
              ends.add(made);
            }
            return ends.size() == 2 * count;
          });
      ends.forEach(SocketComm::close);
    }
  }

  @Test
  void aMessageThroughAComm() {
    try (Loopback pair = three()) {
      pair.connect();
      MemorySegment out = pair.random(3 << 20, 1);
      MemorySegment in = pair.arena.allocate(3 << 20);
      Request receiving = pair.irecv(pair.register(pair.recv, in), 0, 3 << 20);
      Request sending = pair.net.isend(pair.send, pair.register(pair.send, out), 0, 3 << 20, 0);
      assertThat(pair.complete(sending, receiving)).isEqualTo(3 << 20);
      assertThat(in.mismatch(out)).isEqualTo(-1);
    }
  }

  private static Loopback three(String... more) {
    List<String> values = new ArrayList<>(List.of(more));
    values.addAll(List.of("NCCL_SOCKET_NTHREADS", "2", "NCCL_NSOCKS_PERTHREAD", "1"));
    return new Loopback(values.toArray(String[]::new)).listening();
  }
}
