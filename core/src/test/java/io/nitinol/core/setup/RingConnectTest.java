// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.CommException;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.core.progress.failure.FailureReport;
import io.nitinol.core.schedule.ring.Ring;
import io.nitinol.core.team.TeamArea;
import io.nitinol.core.transport.Connectors;
import io.nitinol.core.transport.ReceiveConnector;
import io.nitinol.core.transport.SendConnector;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.tuner.Protocol;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rank 1 of a ring of three, which other ranks may ask what it waits for. */
class RingConnectTest {
  private static final Ring RING = new Ring(3, 1, 0, 2);

  private final CommFailures failures = new CommFailures(1, (rank, reason) -> {});
  private final Neighbours neighbours = new Neighbours();
  private final List<Integer> told = new ArrayList<>();

  private static final class Neighbours implements Connectors {
    @Nullable SendConnector send;
    @Nullable ReceiveConnector receive;

    @Override
    public @Nullable SendConnector sender(int peer, int channel, Use use) {
      return send;
    }

    @Override
    public @Nullable ReceiveConnector receiver(int peer, int channel, Use use) {
      return receive;
    }

    @Override
    public @Nullable TeamArea team(int channel, Protocol protocol) {
      return null;
    }

    @Override
    public int missingMember(int channel, Protocol protocol) {
      return -1;
    }

    @Override
    public void close(List<Throwable> errors) {}
  }

  /** Returns a connector that nothing is asked of. */
  private static <T> T unused(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              throw new UnsupportedOperationException(method.getName());
            }));
  }

  private void tell(int peer) {
    if (told.isEmpty() || told.getLast() != peer) {
      told.add(peer);
    }
    if (peer == RING.next()) {
      neighbours.send = unused(SendConnector.class);
    } else if (peer == RING.previous()) {
      neighbours.receive = unused(ReceiveConnector.class);
    }
  }

  @Test
  void theNeighbourThatIsMissingIsTold() {
    RingConnect.connect(neighbours, failures, RING, 60, this::tell);
    assertThat(told).containsExactly(2, 0, -1);
  }

  @Test
  void itIsStillToldWhereTheCommunicatorFails() {
    failures.fail(new CommException(ResultCode.REMOTE_ERROR, 0, "rank 0 failed", null));
    assertThatThrownBy(() -> RingConnect.connect(neighbours, failures, RING, 60, told::add))
        .isInstanceOf(CommException.class)
        .hasMessageContaining("rank 0 failed");
    assertThat(told).containsExactly(2);
  }

  /** The limit is over at once: it is the grace that connections have to themselves. */
  @Test
  void aNeighbourThatDoesNotBeginIsReportedForAllToAgree() {
    List<String> sent = new ArrayList<>();
    CommFailures agreeing = new CommFailures(1, (rank, reason) -> sent.add(reason));
    agreeing.onStop(() ->
        agreeing.notice(
            0, new FailureReport(0, ResultCode.SYSTEM_ERROR, 0, "rank 0 has no card").toText()));
    assertThatThrownBy(() -> RingConnect.connect(neighbours, agreeing, RING, -3, told::add))
        .isInstanceOf(CommException.class)
        .hasMessageContaining("rank 0 has no card");
    assertThat(sent).singleElement().asString().contains("rank 2 has not begun to connect");
  }
}
