// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.nitinol.spi.ResultCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Communicators made out of the ranks of others. */
class SplitTest {
  @Test
  void ranksOfOneColorAreOrderedByKeyAndThenByRank() throws Exception {
    List<Communicator> parents = Communicator.initAll(5, RankThreads.config(1));
    List<String> places =
        RankThreads.each(
            parents,
            parent -> {
              // Ranks 0, 2, 4 and 1, 3; keys turn the first group around but for equal ones.
              int key = parent.rank() == 4 ? -1 : 0;
              try (Communicator child =
                  Objects.requireNonNull(parent.split(parent.rank() % 2, key))) {
                assertThat(RankThreads.sumOfRanks(child))
                    .isEqualTo(RankThreads.gauss(child.size()));
                assertThat(RankThreads.sumOfRanks(parent)).isEqualTo(10);
                return child.rank() + " of " + child.size();
              }
            });
    assertThat(places).containsExactly("1 of 3", "0 of 2", "2 of 3", "1 of 2", "0 of 3");
    parents.forEach(Communicator::close);
  }

  @Test
  void noColorGivesNoCommunicator() throws Exception {
    List<Communicator> parents = Communicator.initAll(3, RankThreads.config(2));
    List<Integer> sizes =
        RankThreads.each(
            parents,
            parent -> {
              Communicator child = parent.split(parent.rank() == 1 ? Communicator.NO_COLOR : 7, 0);
              if (child == null) {
                return 0;
              }
              child.close();
              return child.size();
            });
    assertThat(sizes).containsExactly(2, 0, 2);
    parents.forEach(Communicator::close);
  }

  @Test
  void childrenSplitAgainAndOutliveTheirParent() throws Exception {
    List<Communicator> parents = Communicator.initAll(4, RankThreads.config(3));
    List<Integer> sums =
        RankThreads.each(
            parents,
            parent -> {
              Communicator half = Objects.requireNonNull(parent.split(parent.rank() / 2, 0));
              parent.close();
              Communicator same = Objects.requireNonNull(half.split(0, -half.rank()));
              half.close();
              int sum = 10 * same.rank() + RankThreads.sumOfRanks(same);
              same.close();
              return sum;
            });
    assertThat(sums).containsExactly(11, 1, 11, 1);
  }

  @Test
  void aWrongColorLeavesTheCommunicatorAsItWas() throws Exception {
    List<Communicator> parents = Communicator.initAll(2, RankThreads.config(4));
    assertThatThrownBy(() -> parents.get(0).split(-2, 0))
        .isInstanceOf(CommException.class)
        .hasMessageContaining("split: color is -2");
    assertThat(RankThreads.each(parents, RankThreads::sumOfRanks)).containsExactly(1, 1);
    parents.forEach(Communicator::close);
  }

  @Test
  void anAbortEndsASplitThatWaits() throws Exception {
    List<Communicator> parents = Communicator.initAll(2, RankThreads.config(5));
    CompletableFuture<CommException> waiting =
        RankThreads.inThread(() ->
            Objects.requireNonNull(
                catchThrowableOfType(CommException.class, () -> parents.get(0).split(0, 0))));
    parents.get(1).abort(); // never splits
    assertThat(RankThreads.get(waiting).failedRank()).isEqualTo(1);
    parents.forEach(Communicator::close);
  }

  @Test
  void survivorsShrinkAHealthyCommunicator() throws Exception {
    List<Communicator> parents = Communicator.initAll(4, RankThreads.config(6));
    List<Integer> sums =
        RankThreads.each(
            List.of(parents.get(0), parents.get(2), parents.get(3)),
            parent -> {
              try (Communicator child = parent.shrink(1)) {
                return 10 * child.rank() + RankThreads.sumOfRanks(child);
              }
            });
    assertThat(sums).containsExactly(3, 13, 23);
    assertThat(RankThreads.each(parents, RankThreads::sumOfRanks)).containsOnly(6);
    parents.forEach(Communicator::close);
  }

  @Test
  void survivorsShrinkAFailedCommunicatorAgainAndAgain() throws Exception {
    List<Communicator> parents = Communicator.initAll(4, RankThreads.config(7));
    parents.get(0).abort(); // the lowest: rank 1 leads the others
    List<Communicator> children =
        RankThreads.each(
            parents.subList(1, 4),
            parent -> {
              CommException failure =
                  catchThrowableOfType(CommException.class, () -> RankThreads.sumOfRanks(parent));
              Communicator child = parent.shrink(Objects.requireNonNull(failure).failedRank());
              parent.close();
              return child;
            });
    parents.get(0).close();
    assertThat(RankThreads.each(children, RankThreads::sumOfRanks)).containsOnly(3);
    children.get(2).abort();
    children.get(2).close(); // gone altogether
    List<Integer> sums =
        RankThreads.each(
            children.subList(0, 2),
            child -> {
              assertThatThrownBy(() -> RankThreads.sumOfRanks(child))
                  .isInstanceOf(CommException.class);
              try (child;
                  Communicator last = child.shrink(2)) {
                return RankThreads.sumOfRanks(last);
              }
            });
    assertThat(sums).containsExactly(1, 1);
  }

  @Test
  void ranksThatExcludeDifferentOnesAreToldSo() throws Exception {
    List<Communicator> parents = Communicator.initAll(3, RankThreads.config(8));
    List<CommException> failures =
        RankThreads.each(
            parents.subList(0, 2),
            parent ->
                Objects.requireNonNull(
                    catchThrowableOfType(
                        CommException.class,
                        () -> {
                          if (parent.rank() == 0) {
                            parent.shrink(2);
                          } else {
                            parent.shrink();
                          }
                        })));
    for (CommException failure : failures) {
      assertThat(failure.result()).isEqualTo(ResultCode.INVALID_USAGE);
      assertThat(failure)
          .hasMessageContaining("rank 1 wants to go on with ranks [0, 1, 2]")
          .hasMessageContaining("rank 0 with ranks [0, 1]");
    }
    parents.forEach(Communicator::close);
  }

  @Test
  void aSurvivorThatClosesEndsTheShrinkOfTheOthers() throws Exception {
    List<Communicator> parents = Communicator.initAll(3, RankThreads.config(9));
    CompletableFuture<CommException> waiting =
        RankThreads.inThread(() ->
            Objects.requireNonNull(
                catchThrowableOfType(CommException.class, () -> parents.get(0).shrink(2))));
    parents.get(1).close();
    CommException failure = RankThreads.get(waiting);
    assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
    assertThat(failure.failedRank()).isEqualTo(1);
    parents.forEach(Communicator::close);
  }

  @Test
  void anAbortEndsAShrinkThatWaits() throws Exception {
    List<Communicator> parents = Communicator.initAll(2, RankThreads.config(10));
    CompletableFuture<CommException> waiting =
        RankThreads.inThread(() ->
            Objects.requireNonNull(
                catchThrowableOfType(CommException.class, () -> parents.get(0).shrink())));
    parents.get(0).abort();
    assertThat(RankThreads.get(waiting)).hasMessageContaining("told to abort");
    parents.forEach(Communicator::close);
  }

  @Test
  void anAbortAtAnyMomentEndsTheSplitsOfAllRanksAndIsNamed() throws Exception {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < 15; i++) {
      int victim = random.nextInt(4);
      List<Communicator> ranks = Communicator.initAll(4, RankThreads.config(20 + i));
      List<CompletableFuture<CommException>> failures = new ArrayList<>();
      for (Communicator rank : ranks) {
        failures.add(RankThreads.inThread(() -> splitUntilItFails(rank)));
      }
      LockSupport.parkNanos(random.nextInt(40_000_000));
      ranks.get(victim).abort();
      for (CompletableFuture<CommException> each : failures) {
        // Far less than the bootstrap's limit: nobody waits for one that does not come.
        CommException failure = each.get(240, TimeUnit.SECONDS);
        assertThat(failure.failedRank()).as(failure.getMessage()).isEqualTo(victim);
      }
      ranks.forEach(Communicator::close);
    }
  }

  private static CommException splitUntilItFails(Communicator rank) {
    while (true) {
      try {
        Communicator group = rank.split(0, rank.rank());
        assertThat(group).isNotNull();
        group.close();
      } catch (CommException e) {
        return e;
      }
    }
  }
}
