// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.core.plugin.RecordedLog;
import io.nitinol.core.progress.failure.FailureReport;
import io.nitinol.spi.ResultCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rank that fails is heard of by all others, once each, and ends what they wait for. */
class BootstrapFailureTest {
  private record News(int rank, String reason) {}

  private final RecordedLog log = new RecordedLog();

  private static List<BlockingQueue<News>> listen(List<Bootstrap> ranks) {
    List<BlockingQueue<News>> queues = new ArrayList<>();
    for (Bootstrap each : ranks) {
      BlockingQueue<News> queue = new LinkedBlockingQueue<>();
      each.onFailure((rank, reason) -> queue.add(new News(rank, reason)));
      queues.add(queue);
    }
    return queues;
  }

  private static News next(BlockingQueue<News> queue) throws InterruptedException {
    News news = queue.poll(60, TimeUnit.SECONDS);
    assertThat(news).as("no news of a failure").isNotNull();
    return news;
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 16})
  void abortEndsWhatTheOthersWaitFor(int n) throws InterruptedException {
    List<Bootstrap> ranks = BootstrapRanks.connect(n, BootstrapRanks.settings(3600), log);
    List<BlockingQueue<News>> news = listen(ranks);
    int dead = n - 1;
    List<BootstrapRanks.Outcome<Boolean>> outcomes =
        BootstrapRanks.outcomes(
            n,
            r ->
                () -> {
                  if (r == dead) {
                    ranks.get(r).abort();
                  } else if (r % 2 == 0) {
                    ranks.get(r).barrier(1);
                  } else {
                    ranks.get(r).recv((r + 1) % n, 77);
                  }
                  return true;
                });
    for (int r = 0; r < n; r++) {
      assertThat(next(news.get(r))).isEqualTo(new News(dead, "it aborted its communicator"));
      if (r != dead) {
        assertThat(outcomes.get(r).failure())
            .isInstanceOfSatisfying(
                BootstrapException.class,
                e -> {
                  assertThat(e.failedRank()).isEqualTo(dead);
                  assertThat(e.result()).isEqualTo(ResultCode.REMOTE_ERROR);
                })
            .hasMessageContaining("rank " + dead + " failed: it aborted its communicator")
            .hasMessageContaining("rank " + r + " of " + n + " was waiting for ");
      }
    }
    BootstrapRanks.close(ranks);
    assertThat(news).allSatisfy(queue -> assertThat(queue).isEmpty());
  }

  @Test
  void announcedFailureIsHeardByAllOnce() throws InterruptedException {
    int n = 8;
    List<Bootstrap> ranks = BootstrapRanks.connect(n, BootstrapRanks.settings(30), log);
    List<BlockingQueue<News>> news = listen(ranks);
    // Several say it at once, as they would; the first word that arrives counts.
    BootstrapRanks.onEach(
        3,
        i ->
            () -> {
              ranks.get(2 * i).announceFailure(5, "no completion within 3 s");
              ranks.get(2 * i).announceFailure(5, "again");
              return true;
            });
    for (BlockingQueue<News> queue : news) {
      assertThat(next(queue).reason()).matches("rank [024] reports: no completion within 3 s");
    }
    assertThatThrownBy(() -> ranks.get(7).allGather(new byte[1]))
        .hasMessageContaining("rank 5 failed: rank ")
        .hasMessageContaining("no completion within 3 s");
    BootstrapRanks.close(ranks);
    assertThat(news).allSatisfy(queue -> assertThat(queue).isEmpty());
  }

  /** A caller may use the rank that it gets from a failure as an index. */
  @ParameterizedTest
  @ValueSource(ints = {3, 999_999_999})
  void aRankThatIsNotThereIsNotBlamed(int rank) throws InterruptedException {
    List<Bootstrap> ranks = BootstrapRanks.connect(3, BootstrapRanks.settings(30), log);
    List<BlockingQueue<News>> news = listen(ranks);
    FailureReport lie = new FailureReport(1, ResultCode.TIMEOUT, rank, "rank 1 waits for nobody");
    ranks.get(1).announceFailure(1, lie.toText());
    assertThat(next(news.get(0)))
        .satisfies(heard -> {
          assertThat(heard.rank()).isEqualTo(1);
          assertThat(heard.reason())
              .contains("it blames rank " + rank + " of 3")
              .doesNotContain("waits for nobody");
        });
    BootstrapRanks.close(ranks);
  }

  /** What ranks tell each other is in a form for programs; a log is for readers. */
  @Test
  void whatARankSeesIsASentenceInTheLog() throws InterruptedException {
    List<Bootstrap> ranks = BootstrapRanks.connect(3, BootstrapRanks.settings(30), log);
    List<BlockingQueue<News>> news = listen(ranks);
    FailureReport seen =
        new FailureReport(1, ResultCode.REMOTE_ERROR, 2, true, null, "rank 1 lost rank 2");
    ranks.get(1).announceFailure(1, seen.toText());
    for (BlockingQueue<News> queue : news) {
      assertThat(FailureReport.parse(1, next(queue).reason())).isEqualTo(seen);
    }
    BootstrapRanks.close(ranks);
    assertThat(log.warnings())
        .contains(
            "WARN to rank 0 of 3: rank 1 reports: rank 1 lost rank 2",
            "WARN to rank 2 of 3: rank 1 reports: rank 1 lost rank 2");
    assertThat(log.lines()).noneMatch(line -> line.contains("about rank"));
  }

  @Test
  void twoFailuresAreBothHeard() throws InterruptedException {
    int n = 9;
    List<Bootstrap> ranks = BootstrapRanks.connect(n, BootstrapRanks.settings(30), log);
    List<BlockingQueue<News>> news = listen(ranks);
    Set<Integer> dead = Set.of(2, 6);
    BootstrapRanks.onEach(
        2,
        i ->
            () -> {
              ranks.get(2 + 4 * i).abort();
              return true;
            });
    for (int r = 0; r < n; r++) {
      if (!dead.contains(r)) {
        Set<Integer> heard = new TreeSet<>(Set.of(next(news.get(r)).rank()));
        heard.add(next(news.get(r)).rank());
        assertThat(heard).isEqualTo(dead);
      }
    }
    BootstrapRanks.close(ranks);
  }

  /** Ranks that said goodbye leave gaps, over which no link may lead yet. */
  @Test
  void newsCrossGapsOfRanksThatHaveClosed() throws InterruptedException {
    int n = 12;
    List<Bootstrap> ranks = BootstrapRanks.connect(n, BootstrapRanks.settings(30), log);
    List<BlockingQueue<News>> news = listen(ranks);
    for (int closed : new int[] {1, 3, 5, 6, 7}) { // the survivors: 2, 4, and 8 to 11 with 0
      ranks.get(closed).close();
    }
    ranks.get(2).abort();
    for (int survivor : new int[] {0, 4, 8, 9, 10, 11}) {
      assertThat(next(news.get(survivor))).isEqualTo(new News(2, "it aborted its communicator"));
    }
    ranks.get(10).announceFailure(4, "no completion");
    for (int survivor : new int[] {0, 4, 8, 9, 10, 11}) {
      assertThat(next(news.get(survivor)).rank()).isEqualTo(4);
    }
    BootstrapRanks.close(ranks);
    assertThat(next(news.get(2)).rank()).as("it hears of itself").isEqualTo(2);
    assertThat(news).as("only the two have failed").allSatisfy(q -> assertThat(q).isEmpty());
  }

  @Test
  void whoListensLateHearsToo() throws InterruptedException {
    List<Bootstrap> ranks = BootstrapRanks.connect(3, BootstrapRanks.settings(30), log);
    ranks
        .get(0)
        .onFailure((rank, reason) -> {
          throw new IllegalStateException("a listener's defect");
        });
    List<BlockingQueue<News>> early = listen(ranks);
    ranks.get(1).abort();
    next(early.get(0));
    List<BlockingQueue<News>> late = listen(ranks.subList(0, 1));
    assertThat(next(late.get(0)).rank()).isEqualTo(1);
    assertThat(log.warnings()).anySatisfy(w -> assertThat(w).contains("a listener's defect"));
    BootstrapRanks.close(ranks);
  }

  @Test
  void ownWaitsEndByAbort() {
    List<Bootstrap> ranks = BootstrapRanks.connect(2, BootstrapRanks.settings(30), log);
    List<BootstrapRanks.Outcome<Boolean>> outcomes =
        BootstrapRanks.outcomes(
            2,
            i ->
                () -> {
                  if (i == 0) {
                    ranks.get(0).recv(1, 0);
                  } else {
                    ranks.get(0).abort();
                  }
                  return true;
                });
    assertThat(outcomes.get(0).failure())
        .isInstanceOf(BootstrapException.class)
        .hasMessageContaining("rank 0 of 2 was aborted");
    BootstrapRanks.close(ranks);
  }
}
