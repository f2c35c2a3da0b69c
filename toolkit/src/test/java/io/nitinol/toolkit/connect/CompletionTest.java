// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import static io.nitinol.spi.testing.Failures.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.testing.Await;
import io.nitinol.toolkit.Addresses;
import io.nitinol.toolkit.PeerProof.Role;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a plugin does with proven connections before they are a comm, and what ends it. */
class CompletionTest {
  private final List<Steered> begun = new ArrayList<>();

  /** A completion that does what the test says next. */
  private final class Steered implements Completion<Proven> {
    final Proven proven;
    @Nullable Exception next;
    boolean complete;
    boolean closed;

    Steered(Proven proven) {
      this.proven = proven;
      begun.add(this);
    }

    @Override
    public String what() {
      return "rehearsal";
    }

    @Override
    public @Nullable Proven advance() throws IOException {
      assertThat(closed).isFalse();
      switch (next) {
        case null -> {
          return complete ? proven : null;
        }
        case IOException e -> throw e;
        case RuntimeException e -> throw e;
        default -> throw new AssertionError(next);
      }
    }

    @Override
    public void close() throws IOException {
      assertThat(closed).isFalse();
      closed = true;
      for (SocketChannel each : proven.channels()) {
        each.close();
      }
    }
  }

  /** Connects to a listener whose completions are steered, and waits for {@code count} of them. */
  private void steerListener(Pair pair, int count) {
    pair.handle = pair.handle();
    pair.listener =
        Listener.open(pair.here, Agreement.ONE, pair.handle, pair.options, pair.log, Steered::new);
    var handles = new ArrayList<>(Stream.generate(pair::copy).limit(count).toList());
    Await.until(
        "proven connections",
        () -> {
          handles.removeIf(each -> pair.connect(each) != null);
          assertThat(pair.accept()).isNull();
          return begun.size() == count;
        });
  }

  /** Dials a listener that completes at once, until this side's completion has begun. */
  private void steerConnector(Pair pair) {
    pair.listening();
    Await.until(
        "a completion",
        () -> {
          assertThat(dial(pair)).isNull();
          pair.recv = pair.recv == null ? pair.accept() : pair.recv;
          return !begun.isEmpty();
        });
  }

  private @Nullable Proven dial(Pair pair) {
    return pair.connector.connect(pair.here, pair.handle, Steered::new);
  }

  @Test
  void aListenerDropsOneThatFailsAndGoesOn() throws IOException {
    try (Pair pair = new Pair()) {
      steerListener(pair, 2);
      begun.get(0).next = new IOException("lost the script");
      begun.get(1).complete = true;
      pair.recv = pair.accept();
      assertThat(pair.recv).isSameAs(begun.get(1).proven);
      assertThat(begun.get(0).closed).isTrue();
      assertThat(begun.get(1).closed).isFalse();
      assertThat(pair.log.warnings)
          .singleElement()
          .asString()
          .contains("its rehearsal failed: lost the script")
          .contains(begun.get(0).proven.peer());
    }
  }

  @Test
  void whatThePluginThrowsReachesWhoPolls() {
    try (Pair pair = new Pair()) {
      steerListener(pair, 2);
      NetException mismatch = new NetException(ResultCode.INVALID_USAGE, "another play");
      begun.get(0).next = mismatch;
      assertThatThrownBy(pair::accept).isSameAs(mismatch);
      assertThat(begun.get(0).closed).isTrue();
      begun.get(1).complete = true;
      pair.recv = pair.accept();
      assertThat(pair.recv).isNotNull();
    }
  }

  @Test
  void aListenerGivesACompletionTheTimeOfAHandshake() {
    try (Pair pair = new Pair("TEST_HANDSHAKE", "100")) {
      steerListener(pair, 1);
      Await.until(
          "its end",
          () -> {
            assertThat(pair.accept()).isNull();
            return begun.getFirst().closed;
          });
      assertThat(pair.log.warnings)
          .anyMatch(
              w -> w.contains("after 100 ms its rehearsal was not complete (TEST_HANDSHAKE)"));
    }
  }

  @Test
  void oneMoreThanTheBoundWaitsItsTurn() {
    try (Pair pair = new Pair("TEST_HALF_OPEN", "2")) {
      steerListener(pair, 2);
      var third = pair.copy();
      for (int i = 0; i < 1000; i++) {
        assertThat(pair.connect(third)).isNull();
        assertThat(pair.accept()).isNull();
      }
      assertThat(begun).hasSize(2);
      begun.get(0).complete = true;
      pair.recv = pair.accept();
      assertThat(pair.recv).isNotNull();
      Await.until(
          "the third",
          () -> {
            pair.send = pair.send == null ? pair.connect(third) : pair.send;
            assertThat(pair.accept()).isNull();
            return begun.size() == 3;
          });
    }
  }

  @Test
  void closingTheListenerClosesWhatIsNotComplete() {
    try (Pair pair = new Pair()) {
      steerListener(pair, 2);
      pair.closeListener();
      assertThat(begun).allMatch(each -> each.closed);
    }
  }

  @Test
  void aConnectorBeginsAnewWhereItIsCut() {
    try (Pair pair = new Pair("TEST_PAUSE", "1")) {
      steerConnector(pair);
      begun.getFirst().next = new IOException("exit");
      assertThat(dial(pair)).isNull();
      assertThat(begun.getFirst().closed).isTrue();
      assertThat(pair.log.lines).anyMatch(l -> l.contains("exit, trying again (1/34) after 1 ms"));
      Pair.close(pair.recv);
      pair.recv = null;
      Await.until(
          "the second try",
          () -> {
            begun.forEach(each -> each.complete = each != begun.getFirst());
            pair.send = pair.send == null ? dial(pair) : pair.send;
            pair.recv = pair.recv == null ? pair.accept() : pair.recv;
            return pair.send != null && pair.recv != null;
          });
      assertThat(begun).hasSize(2);
      assertThat(pair.connector.underWay()).isZero();
    }
  }

  @Test
  void aConnectorEndsWhereThePluginSaysSo() {
    try (Pair pair = new Pair()) {
      steerConnector(pair);
      NetException mismatch = new NetException(ResultCode.INVALID_USAGE, "another play");
      begun.getFirst().next = mismatch;
      assertThatThrownBy(() -> dial(pair)).isSameAs(mismatch);
      assertThat(begun.getFirst().closed).isTrue();
      assertThat(pair.connector.underWay()).isZero();
    }
  }

  @Test
  void aConnectorGivesACompletionTheTimeThatConnectingMayTake() {
    try (Pair pair = new Pair("TEST_CONNECT", "300")) {
      steerConnector(pair);
      NetException failure = awaitFailure(() -> assertThat(dial(pair)).isNull());
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure)
          .hasMessageContaining("within 300 ms (TEST_CONNECT)")
          .hasMessageContaining("connected, but the rehearsal is not complete");
      assertThat(begun.getFirst().closed).isTrue();
    }
  }

  /** A plugin that cannot begin owns nothing: its connections are closed for it. */
  @Test
  void whatCannotBeBegunIsClosed() {
    try (Pair pair = new Pair().listening()) {
      List<SocketChannel> channels = new ArrayList<>();
      NetException failure =
          awaitFailure(() -> {
            Completion.Beginning<Proven> failing =
                proven -> {
                  channels.add(proven.channels()[0]);
                  throw new NetException(ResultCode.SYSTEM_ERROR, "no stage");
                };
            assertThat(pair.connector.connect(pair.here, pair.handle, failing)).isNull();
            pair.recv = pair.recv == null ? pair.accept() : pair.recv;
          });
      assertThat(failure).hasMessage("no stage");
      assertThat(channels).singleElement().matches(channel -> !channel.isOpen());
    }
  }

  @Test
  void bothSidesKnowTheSameAndNoOtherConnectionDoes() throws IOException {
    byte[] exported = {1, 2, 3};
    try (Pair pair = new Pair().listening(new Agreement(2, 7)).connected()) {
      Proven sending = Objects.requireNonNull(pair.send);
      Proven receiving = Objects.requireNonNull(pair.recv);
      assertThat(sending.agreement())
          .isEqualTo(receiving.agreement())
          .isEqualTo(new Agreement(2, 7));
      assertThat(sending.key()).isEqualTo(receiving.key()).hasSize(16);
      assertThat(sending.peer()).isEqualTo(text(receiving.channels()[0].getLocalAddress()));
      assertThat(receiving.peer()).isEqualTo(text(sending.channels()[0].getLocalAddress()));
      assertThat(sending.label()).isEqualTo("peer " + sending.peer() + " from device 0 (lo)");
      assertThat(receiving.label()).contains("peer " + receiving.peer(), "listener", "device 0");
      byte[] one = sending.binding(0, Role.CONNECTOR, exported);
      assertThat(receiving.binding(0, Role.CONNECTOR, exported)).isEqualTo(one).hasSize(32);
      assertThat(receiving.binding(1, Role.CONNECTOR, exported)).isNotEqualTo(one);
      assertThat(receiving.binding(0, Role.ACCEPTOR, exported)).isNotEqualTo(one);
      assertThat(receiving.binding(0, Role.CONNECTOR, new byte[3])).isNotEqualTo(one);
      for (int i = 0; i < 2; i++) {
        sending.channels()[i].write(ByteBuffer.wrap(new byte[] {(byte) i}));
        ByteBuffer in = ByteBuffer.allocate(1);
        SocketChannel from = receiving.channels()[i];
        Await.until("a byte", () -> read(from, in) == 1);
        assertThat(in.get(0)).isEqualTo((byte) i);
      }
    }
  }

  private static String text(SocketAddress address) {
    return Addresses.text(address);
  }

  private static int read(SocketChannel from, ByteBuffer in) {
    try {
      return from.read(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
