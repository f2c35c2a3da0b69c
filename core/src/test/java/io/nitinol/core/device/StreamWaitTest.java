// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.CommException;
import io.nitinol.core.progress.failure.CommFailures;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** What a wait for a stream takes for progress, by a clock that goes on a second at each look. */
class StreamWaitTest {
  private static final long SECOND = 1_000_000_000;
  private static final long MIB = 1 << 20;

  private final FakeDevices fakes = new FakeDevices("fake");
  private final Device device = fakes.devices().getFirst();
  private final DeviceStream stream = device.createStream(false);
  private final StreamMarks marks = new StreamMarks(device);
  private final CommFailures failures = new CommFailures(0, (rank, reason) -> {});
  private final AtomicInteger looks = new AtomicInteger();
  private long now;

  /** Returns a wait of a rank whose calls are none, with a limit of 3 s. */
  @SuppressWarnings("NullAway") // no call of the communicator is made
  private StreamWait wait(LongSupplier moves) {
    DeviceTeam team =
        device.joinTeam(
            new DeviceTeamConfig(
                0,
                List.of(0),
                DeviceTeamConfig.DEFAULT_BLOCKS,
                mine -> {
                  throw new AssertionError("a rank alone exchanges nothing");
                }));
    DeviceFailures both = new DeviceFailures(failures, team);
    return new StreamWait(
        new DeviceLauncher(null, team, both, marks),
        both,
        marks,
        3 * SECOND,
        moves,
        () -> now += SECOND);
  }

  @Test
  void aLongOperationThatMovesIsNoStall() {
    marks.launching(stream, 1000 * MIB);
    fakes.busy = () -> looks.incrementAndGet() < 100;
    assertThat(wait(looks::get).await(stream, -1)).isTrue();
    assertThat(looks).hasValue(100);
    assertThat(failures.isStopped()).isFalse();
  }

  @Test
  void anOperationThatDoesNotMoveIsAStall() {
    marks.launching(stream, 1000 * MIB);
    fakes.busy = () -> true;
    assertThatThrownBy(() -> wait(() -> 7).await(stream, -1))
        .isInstanceOfSatisfying(
            CommException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.TIMEOUT));
  }

  @Test
  void eachLaunchAfterALargeOneHasAMark() {
    for (int i = 0; i < 20; i++) {
      marks.launching(stream, 240 * MIB);
    }
    assertThat(fakes.marks).isEqualTo(20);
    assertThat(marks.passed()).isEqualTo(20);
  }

  @Test
  void smallLaunchesShareMarksUntilTheyAreManyOrLargeTogether() {
    for (int i = 0; i < 32; i++) {
      marks.launching(stream, 64);
    }
    assertThat(fakes.marks).isEqualTo(1);
    marks.launching(stream, 64);
    assertThat(fakes.marks).isEqualTo(2);
    for (int i = 0; i < 4; i++) {
      marks.launching(stream, 4 * MIB);
    }
    assertThat(fakes.marks).isEqualTo(2);
    marks.launching(stream, 64);
    assertThat(fakes.marks).isEqualTo(3);
  }

  @Test
  void asManyMarksAsADriverQueuesLaunchesAreTold() {
    fakes.eventsPass = false;
    for (int i = 0; i < 1500; i++) {
      marks.launching(stream, 16 * MIB);
    }
    assertThat(marks.passed()).isZero();
    assertThat(marks.isBeforeFirst()).isTrue();
    fakes.eventsPass = true;
    assertThat(marks.passed()).isEqualTo(1500);
  }

  @Test
  void noEventIsMadeOnceThereAreLaunches() {
    int before = fakes.eventsMade;
    assertThat(before).isPositive();
    for (int i = 0; i < 3000; i++) {
      marks.launching(stream, 16 * MIB);
    }
    assertThat(fakes.eventsMade).isEqualTo(before);
    assertThat(fakes.marks).isEqualTo(3000);
  }
}
