// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.log.Log;
import io.nitinol.core.schedule.Signal;
import io.nitinol.core.shm.ShmDirectory;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.tuner.Protocol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Teams that come about in any order, or not at all. */
class TeamSetupTest {
  private static final List<AreaShape> AREAS = List.of(new AreaShape(Protocol.LL, 64, 4));

  @TempDir private Path temp;

  private TeamSetup setup(Postbox box, int index, boolean oneProcess, List<AreaShape> areas) {
    return box.setup(
        new TeamPlan(List.of(4, 2), index, oneProcess, areas),
        new ShmDirectory(temp, Log.process()));
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(temp)) {
      return files.toList();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void membersMayPollInAnyOrder(boolean oneProcess) throws IOException {
    Postbox box = new Postbox();
    TeamSetup first = setup(box, 0, oneProcess, AREAS);
    TeamSetup second = setup(box, 1, oneProcess, AREAS);
    assertThat(second.poll()).isNull();
    assertThat(second.missing()).isEqualTo(4);
    assertThat(first.missing()).isEqualTo(2);
    assertThat(first.poll()).isNull();
    assertThat(first.poll()).isNull();
    assertThat(first.missing()).isEqualTo(2);
    Team other = Objects.requireNonNull(second.poll());
    assertThat(files()).isEmpty();
    assertThat(first.missing()).isEqualTo(-1);
    Team one = Objects.requireNonNull(first.poll());
    assertThat(one.bytes()).isEqualTo(other.bytes());
    assertThat(other.area(0).rank(0)).isEqualTo(4);
    first.close();
    second.close();
    one.area(0).signal(Signal.POSTED, 0);
    one.close(); // the other member's view stays
    assertThat(other.area(0).hasSignalled(0, Signal.POSTED, 0)).isTrue();
    other.close();
    other.close();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void teamThatIsGivenUpLeavesNothing(boolean oneProcess) throws IOException {
    Postbox box = new Postbox();
    TeamSetup first = setup(box, 0, oneProcess, AREAS);
    assertThat(first.poll()).isNull();
    assertThat(files()).hasSize(oneProcess ? 0 : 1);
    first.close();
    first.close();
    assertThat(files()).isEmpty();
    TeamSetup second = setup(box, 1, oneProcess, AREAS);
    assertThatThrownBy(second::poll)
        .isInstanceOfSatisfying(
            NetException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.REMOTE_ERROR));
    second.close();
  }

  @Test
  void membersWithDifferentPlansAreAnError() throws IOException {
    Postbox box = new Postbox();
    TeamSetup first = setup(box, 0, false, AREAS);
    TeamSetup second = setup(box, 1, false, List.of(new AreaShape(Protocol.LL, 63, 4)));
    assertThat(first.poll()).isNull();
    assertThatThrownBy(second::poll)
        .isInstanceOfSatisfying(
            NetException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE))
        .hasMessageContaining("rank 4 wants another shape")
        .hasMessageContaining("slotBytes=63")
        .hasMessageContaining("NCCL_BUFFSIZE");
    second.close();
    first.close();
    assertThat(files()).isEmpty();
  }
}
