// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.symbolic;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.Schedule;
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
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** A communicator of symbolic ranks, each with a book of schedules. */
final class BookRun {
  private final int channels;
  private final int elementBytes;
  private final SlotShape ll;
  private final SlotShape simple;
  private final ScheduleBook[] books;
  private final SymbolicRun run;

  /** Chooses one to three ranks of each host. */
  private static int[][] places(HostLayout layout, SplittableRandom random) {
    int heads = 1 + random.nextInt(Math.min(3, layout.smallestHost()));
    int[][] places = new int[layout.hosts()][];
    for (int host = 0; host < places.length; host++) {
      List<Integer> all = new ArrayList<>(IntStream.range(0, layout.size(host)).boxed().toList());
      Collections.shuffle(all, random);
      places[host] = all.stream().limit(heads).mapToInt(Integer::intValue).toArray();
    }
    return places;
  }

  BookRun(
      HostLayout layout,
      ChunkShape shape,
      SlotShape ll,
      SlotShape simple,
      boolean direct,
      int channels,
      int elementBytes,
      SplittableRandom random) {
    CollNetShape collNet =
        new CollNetShape(
            CollNetHeads.at(places(layout, random)),
            64 * (1 + random.nextInt(shape.slotBytes() / 64)));
    this.channels = channels;
    this.elementBytes = elementBytes;
    this.ll = ll;
    this.simple = simple;
    this.books = new ScheduleBook[layout.ranks()];
    for (int r = 0; r < books.length; r++) {
      TeamShape team =
          new TeamShape(layout.size(layout.host(r)), layout.index(r), ll, simple, direct);
      books[r] = new ScheduleBook(r, layout, shape, team, collNet, channels);
    }
    this.run = new SymbolicRun(layout, channels, elementBytes, shape.slotBytes(), collNet, random);
  }

  /** Returns whether an algorithm works on memory that the ranks of a host share. */
  static boolean usesTeam(Algorithm algorithm) {
    return switch (algorithm) {
      case DIRECT, HIERARCHY, COLLNET_DIRECT -> true;
      default -> false;
    };
  }

  boolean offers(Collective collective, Algorithm algorithm, Protocol protocol) {
    return books[0].offers(collective, algorithm, protocol);
  }

  void add(
      Collective collective,
      Algorithm algorithm,
      Protocol protocol,
      long count,
      int root,
      boolean inPlace) {
    boolean team = books.length > 1 && usesTeam(algorithm);
    Choice choice = new Choice(algorithm, protocol, channels);
    run.add(
        collective,
        count,
        root,
        inPlace,
        algorithm + "/" + protocol,
        team ? protocol == Protocol.LL ? ll : simple : null,
        (rank, channel) -> {
          Schedule[] schedules = books[rank].schedules(collective, choice, channel);
          for (Schedule each : schedules) {
            each.plan(count, elementBytes, root, channels);
          }
          return schedules;
        });
  }

  void run() {
    run.run();
  }
}
