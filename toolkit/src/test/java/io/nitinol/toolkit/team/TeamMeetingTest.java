// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.TeamExchange;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TeamMeetingTest {
  private static final DeviceException BROKEN =
      new DeviceException(DeviceFailure.OUT_OF_MEMORY, "cpu: no room for 5 bytes");

  private static TeamMeeting meeting(int rank, int ranks, TeamExchange exchange) {
    return new TeamMeeting(
        new DeviceTeamConfig(rank, Collections.nCopies(ranks, 7), 0, exchange), "test");
  }

  /** Returns what a rank hands over. */
  private static byte[] brought(byte[] mine, DeviceException failure) {
    AtomicReference<byte[]> seen = new AtomicReference<>();
    assertThatThrownBy(() ->
            meeting(
                    0,
                    1,
                    bytes -> {
                      seen.set(bytes.clone());
                      throw BROKEN;
                    })
                .meet(mine, failure))
        .isSameAs(BROKEN);
    return seen.get();
  }

  /** A team of two in which the other rank's bytes arrive as the test has them. */
  private static TeamMeeting besides(UnaryOperator<byte[]> other) {
    return meeting(0, 2, mine -> new byte[][] {mine.clone(), other.apply(mine.clone())});
  }

  private static void fails(ThrowingCallable call, DeviceFailure failure, String words) {
    assertThatThrownBy(call)
        .asInstanceOf(type(DeviceException.class))
        .satisfies(e -> assertThat(e.failure()).isEqualTo(failure))
        .satisfies(e -> assertThat(e).hasMessageContaining(words));
  }

  @Test
  void everyRankGetsTheBytesOfAll() {
    byte[][] all = besides(mine -> brought(new byte[] {4, 5}, null)).meet(new byte[] {1, 2}, null);
    assertThat(all).isDeepEqualTo(new byte[][] {{1, 2}, {4, 5}});
  }

  @Test
  void theFailureOfAnotherRankIsThrownWithItsWords() {
    byte[] failed = brought(new byte[0], BROKEN);
    fails(
        () -> besides(mine -> failed).agree(null),
        DeviceFailure.OUT_OF_MEMORY,
        "test: rank 1: cpu: no room for 5 bytes");
  }

  @Test
  void theOwnFailureIsThrownAsItIs() {
    assertThatThrownBy(() -> besides(mine -> brought(new byte[0], null)).agree(BROKEN))
        .hasMessage(BROKEN.getMessage())
        .hasCause(BROKEN);
  }

  @Test
  void ofSeveralFailuresAllRanksThrowTheFirst() {
    DeviceException later = new DeviceException(DeviceFailure.IPC_REFUSED, "later");
    byte[] first = brought(new byte[0], BROKEN);
    TeamMeeting second = meeting(1, 2, mine -> new byte[][] {first, mine.clone()});
    fails(() -> second.agree(later), DeviceFailure.OUT_OF_MEMORY, "rank 0");
  }

  @ParameterizedTest
  @ValueSource(bytes = {-128, -2, 100, 127})
  void aStateThatIsNoneIsRefused(byte state) {
    fails(
        () ->
            besides(
                    mine -> {
                      mine[0] = state;
                      return mine;
                    })
                .agree(null),
        DeviceFailure.INVALID_ARGUMENT,
        "state of rank 1");
  }

  @Test
  void otherNumbersOfBytesOrRanksAreRefused() {
    fails(
        () -> besides(mine -> Arrays.copyOf(mine, mine.length - 1)).agree(null),
        DeviceFailure.INVALID_ARGUMENT,
        "of rank 1");
    fails(
        () -> meeting(0, 2, mine -> new byte[][] {mine}).agree(null),
        DeviceFailure.INVALID_ARGUMENT,
        "2 ranks gave 1");
  }

  @Test
  void aLongMessageIsCut() {
    DeviceException wordy = new DeviceException(DeviceFailure.DRIVER_ERROR, "ä".repeat(5000));
    byte[] failed = brought(new byte[3], wordy);
    fails(
        () -> besides(mine -> failed).meet(new byte[3], null), DeviceFailure.DRIVER_ERROR, "äääää");
  }

  @Test
  void noMeetingIsMoreThanAnExchangeTakes() {
    assertThat(brought(new byte[TeamMeeting.MAX_SIZE], null)).hasSize(TeamExchange.MAX_SIZE);
    assertThatThrownBy(() ->
            meeting(0, 1, mine -> new byte[][] {mine})
                .meet(new byte[TeamMeeting.MAX_SIZE + 1], null))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void knowsWhetherThereAreSeveralProcesses() {
    TeamExchange none = mine -> new byte[0][];
    assertThat(meeting(1, 3, none).spansProcesses()).isFalse();
    assertThat(
            new TeamMeeting(new DeviceTeamConfig(0, List.of(1, 1, 2), 0, none), "test")
                .spansProcesses())
        .isTrue();
  }
}
