// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.symbolic;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.Step;
import io.nitinol.core.schedule.collnet.CollNetHeads;
import io.nitinol.core.schedule.collnet.CollNetShape;
import io.nitinol.core.schedule.team.SlotShape;
import io.nitinol.core.schedule.team.TeamShape;
import io.nitinol.core.tuning.Choice;
import io.nitinol.core.tuning.ScheduleBook;
import io.nitinol.spi.Collective;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The symbolic run sees every mistake of one rank, whatever order the ranks run in. */
class BrokenSchedulesTest {
  private static final int N = 4;
  private static final long COUNT = 400;
  private static final ChunkShape SHAPE = new ChunkShape(512, 4, 64, 1, 1);

  /** So deep that waiting for a free slot does not make up for what a mistake leaves out. */
  private static final SlotShape AREA = new SlotShape(512, 16);

  private static final CollNetShape COLLNET = new CollNetShape(CollNetHeads.first(1), 256);

  @ParameterizedTest
  @EnumSource
  void everyMistakeIsSeen(Altered.Mistake mistake) {
    List<String> unseen = new ArrayList<>();
    int tried = 0;
    for (Collective collective : SchedulesTest.COLLECTIVES) {
      for (Algorithm algorithm : Algorithm.values()) {
        for (Protocol protocol : new Protocol[] {Protocol.LL, Protocol.SIMPLE}) {
          for (boolean direct : new boolean[] {false, true}) {
            for (HostLayout layout : layouts(algorithm)) {
              tried += tryAll(layout, collective, algorithm, protocol, direct, mistake, unseen);
            }
          }
        }
      }
    }
    assertThat(tried).isGreaterThan(10);
    assertThat(unseen).isEmpty();
  }

  private static int tryAll(
      HostLayout layout,
      Collective collective,
      Algorithm algorithm,
      Protocol protocol,
      boolean direct,
      Altered.Mistake mistake,
      List<String> unseen) {
    int tried = 0;
    for (int which = 0; which < 4; which++) { // two ranks, up to two schedules each
      int rank = which / 2;
      for (long at = 0; ; at++) {
        ScheduleBook[] books = books(layout, direct);
        if (!books[0].offers(collective, algorithm, protocol)) {
          return tried;
        }
        Choice choice = new Choice(algorithm, protocol, 1);
        Schedule[] all = books[rank].schedules(collective, choice, 0);
        int task = which % 2;
        if (task >= all.length) {
          break;
        }
        Schedule wrong = all[task];
        wrong.plan(COUNT, 4, 0, 1);
        if (at >= wrong.steps()) {
          Altered unchanged = new Altered(wrong, mistake, -2);
          assertThat(isSeen(layout, books, collective, choice, rank, task, unchanged)).isFalse();
          break;
        }
        Altered altered = new Altered(wrong, mistake, at);
        if (!altered.matters()) {
          continue;
        }
        tried++;
        if (!isSeen(layout, books, collective, choice, rank, task, altered)) {
          Step step = new Step();
          wrong.step(at, step);
          unseen.add(collective + " " + choice + " direct " + direct + " " + rank + ": " + step);
        }
      }
    }
    return tried;
  }

  private static boolean isSeen(
      HostLayout layout,
      ScheduleBook[] books,
      Collective collective,
      Choice choice,
      int rank,
      int task,
      Altered altered) {
    SymbolicRun run =
        new SymbolicRun(layout, 1, 4, 512, COLLNET, new SplittableRandom(altered.at()));
    boolean team = BookRun.usesTeam(choice.algorithm());
    for (int k = 0; k < 2; k++) {
      run.add(
          collective,
          COUNT,
          0,
          false,
          "way",
          team ? AREA : null,
          (r, channel) -> {
            Schedule[] all = books[r].schedules(collective, choice, channel).clone();
            for (Schedule each : all) {
              each.plan(COUNT, 4, 0, 1);
            }
            if (r == rank) {
              all[task] = altered;
            }
            return all;
          });
    }
    try {
      run.run();
      return false;
    } catch (AssertionError e) {
      return true;
    }
  }

  private static ScheduleBook[] books(HostLayout layout, boolean direct) {
    ScheduleBook[] books = new ScheduleBook[N];
    for (int r = 0; r < N; r++) {
      TeamShape team =
          new TeamShape(layout.size(layout.host(r)), layout.index(r), AREA, AREA, direct);
      books[r] = new ScheduleBook(r, layout, SHAPE, team, COLLNET, 1);
    }
    return books;
  }

  /** Ranks 0 and 1 make the mistakes: both lead, one of them does, or one is alone on its host. */
  private static List<HostLayout> layouts(Algorithm algorithm) {
    return switch (algorithm) {
      case HIERARCHY, COLLNET_CHAIN, COLLNET_DIRECT ->
          List.of(HostLayout.of(0, 0, 1, 1), HostLayout.of(0, 0, 0, 1), HostLayout.of(0, 1, 2, 2));
      default -> List.of(SchedulesTest.oneHost(N));
    };
  }
}
