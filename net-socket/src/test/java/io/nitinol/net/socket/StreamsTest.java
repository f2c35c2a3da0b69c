// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.net.Request;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Comms of several connections: how these find together, and which do not. */
class StreamsTest {
  private static final StreamCount THREE = new StreamCount(2, 2);

  @ParameterizedTest
  @CsvSource({"1,1,0,0", "0,4,0,0", "2,1,2,2", "4,4,16,4", "16,4,64,16"})
  void aCommHasAsManyStreamsAsItsListenerAsksFor(
      String threads, String perThread, int data, int used) {
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
      for (CommEnd end : List.of((CommEnd) other.send, (CommEnd) pair.recv)) {
        assertThat(end.data).hasSize(data);
        assertThat(end.streams().threads()).isEqualTo(used);
      }
    }
  }

  @Test
  void streamsComeInAnyOrderAndBetweenThoseOfOtherComms() throws IOException {
    Random random = new Random(7);
    try (Loopback pair = three()) {
      int comms = 10;
      List<Hello> hellos = new ArrayList<>();
      for (int i = 0; i < comms; i++) {
        CommId comm = CommId.random();
        for (int index = 0; index < THREE.total(); index++) {
          hellos.add(Hello.of(key(pair), comm, index, THREE, 0));
        }
      }
      Collections.shuffle(hellos, random);
      List<RawStream> streams = new ArrayList<>();
      List<byte[]> proofs = new ArrayList<>();
      for (Hello hello : hellos) {
        RawStream stream = RawStream.saying(pair, hello.bytes());
        streams.add(stream);
        proofs.add(stream.hear(hello).proofOfConnector());
      }
      List<RecvEnd> accepted = new ArrayList<>();
      for (int i = 0; i < streams.size(); i++) {
        streams.get(i).say(proofs.get(i));
        if (pair.net.accept(pair.listener) instanceof RecvEnd comm) {
          accepted.add(comm);
        }
      }
      while (accepted.size() < comms) {
        accepted.add((RecvEnd) Await.nonNull("accept", () -> pair.net.accept(pair.listener)));
      }
      for (RecvEnd comm : accepted) {
        // Each stream is the one that its label says, and all of one comm belong together.
        CommId id = hellos.get(indexOf(streams, comm.wire)).comm();
        assertIs(hellos.get(indexOf(streams, comm.wire)), id, 0);
        assertIs(hellos.get(indexOf(streams, comm.data[0])), id, 1);
        assertIs(hellos.get(indexOf(streams, comm.data[1])), id, 2);
        pair.net.closeRecv(comm);
      }
      for (RawStream stream : streams) {
        stream.close();
      }
    }
  }

  private static void assertIs(Hello hello, CommId comm, int index) {
    assertThat(hello.comm()).isEqualTo(comm);
    assertThat(hello.index()).isEqualTo(index);
  }

  private static int indexOf(List<RawStream> streams, Wire wire) throws IOException {
    for (int i = 0; i < streams.size(); i++) {
      InetSocketAddress own = (InetSocketAddress) streams.get(i).channel.getLocalAddress();
      if (wire.label().contains("127.0.0.1:" + own.getPort() + " ")) {
        return i;
      }
    }
    throw new AssertionError("no stream is " + wire.label());
  }

  @Test
  void aStreamThatCameBeforeIsRefusedAndItsCommComesAbout() throws IOException {
    try (Loopback pair = three()) {
      CommId comm = CommId.random();
      List<RawStream> streams = new ArrayList<>();
      for (int index = 0; index < 2; index++) {
        Hello hello = Hello.of(key(pair), comm, index, THREE, 0);
        RawStream stream = RawStream.saying(pair, hello.bytes());
        stream.say(stream.hear(hello).proofOfConnector());
        streams.add(stream);
      }
      refused(pair, Hello.of(key(pair), comm, 1, THREE, 0), "stream 1 of its comm");
      Hello last = Hello.of(key(pair), comm, 2, THREE, 0);
      RawStream stream = RawStream.saying(pair, last.bytes());
      stream.say(stream.hear(last).proofOfConnector());
      streams.add(stream);
      pair.recv = Await.nonNull("accept", () -> pair.net.accept(pair.listener));
      for (RawStream each : streams) {
        each.close();
      }
    }
  }

  @Test
  void streamsThatFitNoCommOfTheListenerAreRefused() throws IOException {
    try (Loopback pair = three()) {
      CommId comm = CommId.random();
      StreamCount four = new StreamCount(3, 2);
      refused(pair, Hello.of(key(pair), comm, 3, THREE, 0), "stream 3 of 3");
      refused(pair, Hello.of(key(pair), comm, 0xffff, THREE, 0), "stream 65535 of 3");
      refused(pair, Hello.of(key(pair), comm, 0, four, 0), "comm of 4 streams and 2 threads");
      refused(
          pair, Hello.of(key(pair), comm, 0, new StreamCount(2, 1), 0), "3 streams and 1 threads");
    }
  }

  @Test
  void aCommOfWhichAStreamIsMissingIsGivenUp() throws IOException {
    try (Loopback pair = three("NITINOL_SOCKET_HANDSHAKE_MSEC", "100")) {
      CommId comm = CommId.random();
      Hello hello = Hello.of(key(pair), comm, 0, THREE, 0);
      try (RawStream stream = RawStream.saying(pair, hello.bytes())) {
        stream.say(stream.hear(hello).proofOfConnector());
        stream.awaitEnd();
        assertThat(pair.log.warnings)
            .anyMatch(w ->
                w.contains(
                    "100 ms after the last of them had come, only 1 of the 3 streams of "
                        + comm.label()));
      }
      pair.connect();
    }
  }

  /** Its other streams have long been at the door when the listener is next asked. */
  @Test
  void aCommWhoseStreamsAreThereComesAboutHoweverLateAcceptIs() throws IOException {
    try (Loopback pair = three("NITINOL_SOCKET_HANDSHAKE_MSEC", "100")) {
      CommId comm = CommId.random();
      List<Hello> hellos = new ArrayList<>();
      List<RawStream> streams = new ArrayList<>();
      for (int index = 0; index < THREE.total(); index++) {
        Hello hello = Hello.of(key(pair), comm, index, THREE, 0);
        RawStream stream = RawStream.saying(pair, hello.bytes());
        if (index == 0) {
          stream.say(stream.hear(hello).proofOfConnector());
          assertThat(pair.net.accept(pair.listener)).isNull();
        }
        hellos.add(hello);
        streams.add(stream);
      }
      Await.pause("time limit", 150_000_000);
      byte[][] proofs = new byte[THREE.total()][];
      for (int index = 1; index < THREE.total(); index++) {
        proofs[index] = streams.get(index).hear(hellos.get(index)).proofOfConnector();
      }
      for (int index = 1; index < THREE.total(); index++) {
        streams.get(index).say(proofs[index]);
      }
      pair.recv = Await.nonNull("accept", () -> pair.net.accept(pair.listener));
      assertThat(pair.log.warnings).isEmpty();
      for (RawStream each : streams) {
        each.close();
      }
    }
  }

  /** A peer that is one of very many waits for its turn, and none is lost. */
  @Test
  void moreCommsAtOnceThanMayProveThemselvesAtOnce() {
    try (Loopback pair =
        three("NITINOL_SOCKET_HALF_OPEN", "4", "NCCL_SOCKET_RETRY_SLEEP_MSEC", "1")) {
      int count = 60;
      List<MemorySegment> handles = new ArrayList<>();
      List<CommEnd> ends = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        handles.add(pair.handle().copyFrom(pair.handle));
      }
      Await.until(
          "all comms",
          () -> {
            handles.removeIf(
                handle -> pair.net.connect(0, handle) instanceof SendEnd made && ends.add(made));
            if (pair.net.accept(pair.listener) instanceof RecvEnd made) {
              ends.add(made);
            }
            return ends.size() == 2 * count;
          });
      ends.forEach(CommEnd::close);
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

  private static void refused(Loopback pair, Hello hello, String why) throws IOException {
    try (RawStream stream = RawStream.saying(pair, hello.bytes())) {
      stream.awaitEnd();
      assertThat(pair.log.warnings).anyMatch(w -> w.contains(why));
    }
  }

  private static Loopback three(String... more) {
    List<String> values = new ArrayList<>(List.of(more));
    values.addAll(List.of("NCCL_SOCKET_NTHREADS", "2", "NCCL_NSOCKS_PERTHREAD", "1"));
    return new Loopback(values.toArray(String[]::new)).listening();
  }

  private static byte[] key(Loopback pair) {
    return ListenHandle.read(pair.handle).key();
  }
}
