// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.log.Log;
import io.nitinol.core.schedule.Signal;
import io.nitinol.core.shm.ShmDirectory;
import io.nitinol.spi.testing.Thorough;
import io.nitinol.spi.tuner.Protocol;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Members of a team, each a thread, in files and in plain memory. */
class TeamAreaTest {
  @TempDir private Path temp;

  private ShmDirectory directory() {
    return new ShmDirectory(temp, Log.process());
  }

  private List<Team> team(int members, boolean oneProcess, AreaShape... areas) {
    return Postbox.team(members, oneProcess, List.of(areas), directory());
  }

  /** What a member of a hammered team writes to {@code place} in a round. */
  private static long value(int member, long round, int place) {
    return (round * 0x9E37_79B9_7F4A_7C15L) ^ ((long) member << 56) ^ place;
  }

  private static void await(BooleanSupplier condition, Object what) {
    for (int spins = 0; !condition.getAsBoolean(); spins++) {
      if (spins > 1000) {
        Thread.yield(); // there may be more members than processors
        if (Thread.currentThread().isInterrupted()) {
          throw new AssertionError("not within the test's time: " + what);
        }
      }
    }
  }

  /**
   * Every member writes its slot and reads those of all others, in rounds of random sizes, some
   * members now and then holding up or running ahead as far as the depth lets them. Each round may
   * cost a turn of the scheduler where other programs want the processors, so verify takes few.
   */
  @Tag(Thorough.TAG)
  @ParameterizedTest
  @CsvSource({
    "LL, 2, 4, true, 200000", "LL, 2, 4, false, 200000", "LL, 3, 8, false, 20000",
    "LL, 7, 2, true, 5000", "LL, 2, 1, true, 50000", "SIMPLE, 2, 4, true, 200000",
    "SIMPLE, 2, 2, false, 200000", "SIMPLE, 5, 4, true, 10000", "LL, 1, 4, true, 1000"
  })
  void slotsHoldWhatWasPosted(
      Protocol protocol, int members, int depth, boolean oneProcess, long rounds) throws Exception {
    List<Team> teams = team(members, oneProcess, new AreaShape(protocol, 1024, depth));
    long seed = System.nanoTime();
    List<Future<?>> ends = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(members)) {
      long taken = Math.min(rounds, Thorough.ON ? 50_000 : 5_000);
      for (Team team : teams) {
        ends.add(threads.submit(() -> hammer(team.area(0), taken, seed)));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    } catch (Exception | AssertionError e) {
      throw new AssertionError("seed " + seed, e);
    } finally {
      teams.forEach(Team::close);
    }
  }

  private static void hammer(TeamArea area, long rounds, long seed) {
    Random same = new Random(seed); // the same numbers at every member
    Random own = new Random(seed + area.index());
    int index = area.index();
    for (long round = 0; round < rounds; round++) {
      long now = round;
      int longs = 1 + same.nextInt(same.nextInt(10) == 0 ? 128 : 4);
      boolean shares = same.nextInt(4) == 0;
      boolean lone = same.nextInt(8) == 0; // only member 0 posts
      await(() -> area.isWritable(now), area);
      area.announce(round, value(index, round, -1), value(index, round, -2));
      if (!lone || index == 0) {
        write(area, round, 0, longs);
        area.signal(Signal.POSTED, round);
      }
      if (own.nextInt(500) == 0) {
        Thread.yield();
      }
      for (int member = 0; member < (lone ? 1 : area.members()); member++) {
        int of = member;
        await(() -> area.hasSignalled(of, Signal.POSTED, now), area);
        check(area, member, round, 0, longs);
        assertThat(area.callWord(member, round)).isEqualTo(value(member, round, -1));
        assertThat(area.callCountWord(member, round)).isEqualTo(value(member, round, -2));
      }
      if (shares) {
        write(area, round, 64, longs / 2);
        area.signal(Signal.SHARED, round);
        for (int member = 0; member < area.members(); member++) {
          int of = member;
          await(() -> area.hasSignalled(of, Signal.SHARED, now), area);
          check(area, member, round, 64, longs / 2);
        }
      }
      area.signal(Signal.FREED, round);
    }
  }

  private static void write(TeamArea area, long round, int from, int longs) {
    for (int i = from; i < Math.min(from + longs, 128); i++) {
      long at = area.offset(area.index(), round) + 8L * i;
      area.memory(area.index()).set(ValueLayout.JAVA_LONG, at, value(area.index(), round, i));
    }
  }

  private static void check(TeamArea area, int member, long round, int from, int longs) {
    for (int i = from; i < Math.min(from + longs, 128); i++) {
      long at = area.offset(member, round) + 8L * i;
      long found = area.memory(member).get(ValueLayout.JAVA_LONG, at);
      if (found != value(member, round, i)) {
        throw new AssertionError(
            "round " + round + ", long " + i + " of member " + member + " is of another round");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"LL", "SIMPLE"})
  void slotIsWritableOnceAllHaveFreedIt(Protocol protocol) {
    List<Team> teams = team(3, true, new AreaShape(protocol, 64, 4));
    TeamArea first = teams.get(0).area(0);
    for (long round = 0; round < 4; round++) {
      assertThat(first.isWritable(round)).isTrue();
      assertThat(first.hasSignalled(0, Signal.POSTED, round)).isFalse();
      for (Team team : teams) {
        team.area(0).signal(Signal.POSTED, round);
      }
      assertThat(first.hasSignalled(2, Signal.POSTED, round)).isTrue();
    }
    assertThat(first.isWritable(4)).isFalse();
    teams.get(0).area(0).signal(Signal.FREED, 0);
    teams.get(1).area(0).signal(Signal.FREED, 0);
    assertThat(first.isWritable(4)).isFalse();
    teams.get(2).area(0).signal(Signal.FREED, 1);
    assertThat(first.isWritable(4)).isTrue();
    assertThat(first.isWritable(5)).isFalse();
    assertThat(first.hasSignalled(2, Signal.FREED, 1)).isTrue();
    assertThat(first.hasSignalled(2, Signal.FREED, 2)).isFalse();
    assertThat(first.hasSignalled(2, Signal.SHARED, 0)).isFalse();
    assertThat(first.hasSignalled(2, Signal.NONE, 99)).isTrue();
    teams.forEach(Team::close);
  }

  /** An operation whose first signal of a member is another one than POSTED. */
  @ParameterizedTest
  @CsvSource({"LL", "SIMPLE"})
  void callIsTheRoundsWhateverTheFirstSignalIs(Protocol protocol) {
    List<Team> teams = team(2, false, new AreaShape(protocol, 64, 4));
    TeamArea writer = teams.get(0).area(0);
    TeamArea reader = teams.get(1).area(0);
    writer.announce(0, 7, 8);
    writer.signal(Signal.FREED, 0);
    writer.announce(1, 9, 10);
    writer.signal(Signal.SHARED, 1);
    assertThat(reader.hasSignalled(0, Signal.FREED, 0)).isTrue();
    assertThat(reader.callWord(0, 0)).isEqualTo(7);
    assertThat(reader.callCountWord(0, 0)).isEqualTo(8);
    assertThat(reader.hasSignalled(0, Signal.SHARED, 1)).isTrue();
    assertThat(reader.callWord(0, 1)).isEqualTo(9);
    assertThat(reader.callCountWord(0, 1)).isEqualTo(10);
    teams.forEach(Team::close);
  }

  @Test
  void areasDoNotOverlap() {
    AreaShape[] shapes = {
      new AreaShape(Protocol.LL, 4096, 8),
      new AreaShape(Protocol.SIMPLE, 65536, 2),
      new AreaShape(Protocol.LL, 1, 4)
    };
    List<Team> teams = team(3, false, shapes);
    for (int round = 0; round < 16; round++) {
      for (int pass = 0; pass < 2; pass++) {
        for (int area = 0; area < shapes.length; area++) {
          for (int member = 0; member < 3; member++) {
            TeamArea own = teams.get(member).area(area);
            TeamArea other = teams.get((member + 1) % 3).area(area);
            assertThat(own.rank(member)).isEqualTo(10 * (member + 1));
            assertThat(own.slotBytes()).isEqualTo(shapes[area].slotBytes());
            assertThat(own.depth()).isEqualTo(shapes[area].depth());
            byte fill = (byte) (1 + round * 9 + area * 3 + member);
            MemorySegment slot =
                own.memory(member).asSlice(own.offset(member, round), own.slotBytes());
            if (pass == 0) {
              assertThat(own.isWritable(round)).isTrue();
              slot.fill(fill);
              own.announce(round, fill, -fill);
              own.signal(Signal.POSTED, round);
              own.signal(Signal.SHARED, round);
            } else {
              assertThat(other.hasSignalled(member, Signal.POSTED, round)).isTrue();
              assertThat(other.hasSignalled(member, Signal.POSTED, round + 1)).isFalse();
              assertThat(other.callWord(member, round)).isEqualTo(fill);
              assertThat(other.callCountWord(member, round)).isEqualTo(-fill);
              assertThat(slot.toArray(ValueLayout.JAVA_BYTE)).containsOnly(fill);
              own.signal(Signal.FREED, round);
            }
          }
        }
      }
    }
    teams.forEach(Team::close);
  }

  @Test
  void membersOfOneProcessSeeBuffersDirectly() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment input = arena.allocate(8);
      MemorySegment output = arena.allocate(16);
      List<Team> teams = team(2, true, new AreaShape(Protocol.LL, 64, 4));
      TeamArea first = teams.get(0).area(0);
      assertThat(first.isDirect()).isTrue();
      first.expose(0, input, 8, output, 16);
      first.expose(1, output, 16, input, 8);
      first.signal(Signal.POSTED, 0);
      assertThat(teams.get(1).area(0).input(0, 0)).isSameAs(input);
      assertThat(teams.get(1).area(0).output(0, 0)).isSameAs(output);
      assertThat(teams.get(1).area(0).input(0, 1)).isSameAs(output);
      teams.forEach(Team::close);
      List<Team> apart = team(2, false, new AreaShape(Protocol.LL, 64, 4));
      assertThat(apart.get(0).area(0).isDirect()).isFalse();
      assertThatThrownBy(() -> apart.get(0).area(0).expose(0, input, 8, output, 16))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("several processes");
      apart.forEach(Team::close);
    }
  }

  @Test
  void shapesAreChecked() {
    assertThatThrownBy(() -> new AreaShape(Protocol.LL, 0, 4)).hasMessageContaining("0 bytes");
    assertThatThrownBy(() -> new AreaShape(Protocol.LL, 8, 3)).hasMessageContaining("power of two");
    assertThatThrownBy(() -> new AreaShape(Protocol.LL128, 8, 4)).hasMessageContaining("LL128");
    assertThatThrownBy(() -> new TeamPlan(List.of(1, 2), 2, true, List.of()))
        .hasMessageContaining("member 2");
  }
}
