// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.Await;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Comms of several connections: how these find together, and which do not. */
class GatheringTest {
  private static final Agreement THREE = new Agreement(3, 2);

  @Test
  void streamsComeInAnyOrderAndBetweenThoseOfOtherComms() throws IOException {
    Random random = new Random(7);
    try (Pair pair = three()) {
      int comms = 10;
      List<Hello> hellos = new ArrayList<>();
      for (int i = 0; i < comms; i++) {
        CommId comm = CommId.random();
        for (int index = 0; index < THREE.streams(); index++) {
          hellos.add(Hello.of(Pair.PLUGIN, pair.key(), comm, index, THREE, 0));
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
      List<Proven> accepted = new ArrayList<>();
      for (int i = 0; i < streams.size(); i++) {
        streams.get(i).say(proofs.get(i));
        if (pair.accept() instanceof Proven comm) {
          accepted.add(comm);
        }
      }
      while (accepted.size() < comms) {
        accepted.add(Await.nonNull("accept", () -> pair.accept()));
      }
      for (Proven comm : accepted) {
        // Each stream is the one that its label says, and all of one comm belong together.
        CommId id = hellos.get(indexOf(streams, comm.channels()[0])).comm();
        assertIs(hellos.get(indexOf(streams, comm.channels()[0])), id, 0);
        assertIs(hellos.get(indexOf(streams, comm.channels()[1])), id, 1);
        assertIs(hellos.get(indexOf(streams, comm.channels()[2])), id, 2);
        Pair.close(comm);
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

  private static int indexOf(List<RawStream> streams, SocketChannel accepted) throws IOException {
    for (int i = 0; i < streams.size(); i++) {
      if (streams.get(i).channel.getLocalAddress().equals(accepted.getRemoteAddress())) {
        return i;
      }
    }
    throw new AssertionError("no stream is " + accepted);
  }

  @Test
  void aStreamThatCameBeforeIsRefusedAndItsCommComesAbout() throws IOException {
    try (Pair pair = three()) {
      CommId comm = CommId.random();
      List<RawStream> streams = new ArrayList<>();
      for (int index = 0; index < 2; index++) {
        Hello hello = Hello.of(Pair.PLUGIN, pair.key(), comm, index, THREE, 0);
        RawStream stream = RawStream.saying(pair, hello.bytes());
        stream.say(stream.hear(hello).proofOfConnector());
        streams.add(stream);
      }
      refused(pair, Hello.of(Pair.PLUGIN, pair.key(), comm, 1, THREE, 0), "stream 1 of its comm");
      Hello last = Hello.of(Pair.PLUGIN, pair.key(), comm, 2, THREE, 0);
      RawStream stream = RawStream.saying(pair, last.bytes());
      stream.say(stream.hear(last).proofOfConnector());
      streams.add(stream);
      pair.recv = Await.nonNull("accept", () -> pair.accept());
      for (RawStream each : streams) {
        each.close();
      }
    }
  }

  @Test
  void streamsThatFitNoCommOfTheListenerAreRefused() throws IOException {
    try (Pair pair = three()) {
      CommId comm = CommId.random();
      Agreement four = new Agreement(4, 2);
      refused(pair, Hello.of(Pair.PLUGIN, pair.key(), comm, 3, THREE, 0), "stream 3 of 3");
      refused(pair, Hello.of(Pair.PLUGIN, pair.key(), comm, 0xffff, THREE, 0), "stream 65535 of 3");
      refused(
          pair,
          Hello.of(Pair.PLUGIN, pair.key(), comm, 0, four, 0),
          "comm of 4 streams (detail 2)");
      refused(
          pair,
          Hello.of(Pair.PLUGIN, pair.key(), comm, 0, new Agreement(3, 1), 0),
          "3 streams (detail 1)");
    }
  }

  @Test
  void aCommOfWhichAStreamIsMissingIsGivenUp() throws IOException {
    try (Pair pair = three("TEST_HANDSHAKE", "100")) {
      CommId comm = CommId.random();
      Hello hello = Hello.of(Pair.PLUGIN, pair.key(), comm, 0, THREE, 0);
      try (RawStream stream = RawStream.saying(pair, hello.bytes())) {
        stream.say(stream.hear(hello).proofOfConnector());
        stream.awaitEnd();
        assertThat(pair.log.warnings)
            .anyMatch(w ->
                w.contains(
                    "100 ms after the last of them had come, only 1 of the 3 streams of "
                        + comm.label()));
      }
      pair.works();
    }
  }

  /** Its other streams have long been at the door when the listener is next asked. */
  @Test
  void aCommWhoseStreamsAreThereComesAboutHoweverLateAcceptIs() throws IOException {
    try (Pair pair = three("TEST_HANDSHAKE", "100")) {
      CommId comm = CommId.random();
      List<Hello> hellos = new ArrayList<>();
      List<RawStream> streams = new ArrayList<>();
      for (int index = 0; index < THREE.streams(); index++) {
        Hello hello = Hello.of(Pair.PLUGIN, pair.key(), comm, index, THREE, 0);
        RawStream stream = RawStream.saying(pair, hello.bytes());
        if (index == 0) {
          stream.say(stream.hear(hello).proofOfConnector());
          assertThat(pair.accept()).isNull();
        }
        hellos.add(hello);
        streams.add(stream);
      }
      Await.pause("time limit", 150_000_000);
      byte[][] proofs = new byte[THREE.streams()][];
      for (int index = 1; index < THREE.streams(); index++) {
        proofs[index] = streams.get(index).hear(hellos.get(index)).proofOfConnector();
      }
      for (int index = 1; index < THREE.streams(); index++) {
        streams.get(index).say(proofs[index]);
      }
      pair.recv = Await.nonNull("accept", () -> pair.accept());
      assertThat(pair.log.warnings).isEmpty();
      for (RawStream each : streams) {
        each.close();
      }
    }
  }

  private static void refused(Pair pair, Hello hello, String why) throws IOException {
    try (RawStream stream = RawStream.saying(pair, hello.bytes())) {
      stream.awaitEnd();
      assertThat(pair.log.warnings).anyMatch(w -> w.contains(why));
    }
  }

  private static Pair three(String... nameValues) {
    return new Pair(nameValues).listening(THREE);
  }
}
