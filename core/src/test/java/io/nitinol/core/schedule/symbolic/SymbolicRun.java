// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.symbolic;

import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.Schedule;
import io.nitinol.core.schedule.collnet.CollNetHeads;
import io.nitinol.core.schedule.collnet.CollNetShape;
import io.nitinol.core.schedule.team.SlotShape;
import io.nitinol.spi.Collective;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Runs a sequence of operations on all ranks, each channel of each rank on its own, in a random
 * order of turns. Every violation is an AssertionError that says what happened.
 */
final class SymbolicRun {
  /** Makes the schedules of one channel of one rank, planned. */
  interface Plans {
    Schedule[] of(int rank, int channel);
  }

  private record Operation(SymbolicCall call, Plans plans, String way, @Nullable SlotShape area) {}

  /** What one channel of one rank is doing. */
  private final class Thread {
    final int rank;
    final int channel;
    final Clock clock;
    int operation;
    List<SymbolicLane> lanes = List.of();

    Thread(int rank, int channel) {
      this.rank = rank;
      this.channel = channel;
      this.clock = new Clock(rank * (channels + 1) + channel, layout.ranks() * (channels + 1));
      load();
    }

    void load() {
      if (operation == operations.size()) {
        lanes = List.of();
        return;
      }
      clock.join(users[rank].snapshot());
      lanes = new ArrayList<>();
      Operation next = operations.get(operation);
      String key = next.way() + "/" + channel;
      for (Schedule schedule : next.plans().of(rank, channel)) {
        Area area = next.area() == null ? null : area(key, next.area());
        lanes.add(new SymbolicLane(values, rank, schedule, next.call(), links(key), area, clock));
      }
    }

    Area area(String key, SlotShape shape) {
      int host = layout.host(rank);
      return areas.computeIfAbsent(
          key + "/" + host,
          k -> new Area(layout.members(host), shape.depth(), shape.slotBytes() / elementBytes));
    }

    boolean isDone() {
      return operation == operations.size();
    }

    boolean advance() {
      if (isDone()) {
        return false;
      }
      boolean moved = false;
      boolean finished = true;
      int first = lanes.isEmpty() ? 0 : random.nextInt(lanes.size());
      for (int i = 0; i < lanes.size(); i++) {
        SymbolicLane lane = lanes.get((first + i) % lanes.size());
        moved |= lane.tryStep();
        finished &= lane.isDone();
      }
      if (finished) {
        lanes.forEach(SymbolicLane::finish);
        users[rank].join(clock.snapshot());
        int number = operation++;
        if (--pending[rank][number] == 0) {
          operations.get(number).call().end(rank, users[rank]);
        }
        load();
        return true;
      }
      return moved;
    }
  }

  final Values values = new Values();
  private final HostLayout layout;
  private final CollNetHeads heads;
  private final int channels;
  private final int elementBytes;
  private final long slotCount;
  private final long networkSlotCount;
  private final SplittableRandom random;
  private final List<Operation> operations = new ArrayList<>();
  private final Map<String, Links> links = new HashMap<>();
  private final Map<String, Area> areas = new HashMap<>();
  private final Clock[] users;
  private int[][] pending = {};

  SymbolicRun(
      HostLayout layout,
      int channels,
      int elementBytes,
      int slotBytes,
      CollNetShape collNet,
      SplittableRandom random) {
    this.layout = layout;
    this.heads = collNet.heads();
    this.channels = channels;
    this.elementBytes = elementBytes;
    this.slotCount = slotBytes / elementBytes;
    this.networkSlotCount = collNet.slotBytes() / elementBytes;
    this.random = random;
    this.users = new Clock[layout.ranks()];
    Arrays.setAll(
        users, r -> new Clock(r * (channels + 1) + channels, layout.ranks() * (channels + 1)));
  }

  /**
   * Adds an operation.
   *
   * @param way names the connections and slots that it shares with others of the same way
   * @param area the slots, or null where it uses none
   */
  void add(
      Collective collective,
      long count,
      int root,
      boolean inPlace,
      String way,
      @Nullable SlotShape area,
      Plans plans) {
    SymbolicCall call = new SymbolicCall(values, layout.ranks(), collective, count, root, inPlace);
    for (int r = 0; r < layout.ranks(); r++) {
      call.begin(r, users[r]);
    }
    operations.add(new Operation(call, plans, way, area));
    connect(way, plans);
  }

  private Links links(String key) {
    return links.computeIfAbsent(
        key,
        k ->
            new Links(
                slotCount, layout.ranks(), new Network(values, layout.hosts(), networkSlotCount)));
  }

  /** Makes connections as the runtime does: both sides ask for them, or they are not made. */
  private void connect(String way, Plans plans) {
    for (int c = 0; c < channels; c++) {
      for (int r = 0; r < layout.ranks(); r++) {
        int from = r;
        Links between = links(way + "/" + c);
        for (Schedule mine : plans.of(r, c)) {
          for (int peer : mine.sendPeers()) {
            if (peer == layout.ranks()) {
              between.join(r, heads.head(layout.host(r), layout.index(r)));
              continue;
            }
            Values.check(
                Arrays.stream(plans.of(peer, c))
                        .flatMapToInt(theirs -> Arrays.stream(theirs.recvPeers()))
                        .filter(p -> p == from)
                        .count()
                    == 1,
                "rank " + peer + " does not receive from " + from + " in one schedule");
            between.connect(from, peer);
          }
        }
      }
    }
  }

  void run() {
    int ranks = layout.ranks();
    pending = new int[ranks][operations.size()];
    for (int[] each : pending) {
      Arrays.fill(each, channels);
    }
    List<Thread> threads = new ArrayList<>();
    for (int r = 0; r < ranks; r++) {
      for (int c = 0; c < channels; c++) {
        threads.add(new Thread(r, c));
      }
    }
    int stuck = 0;
    int slow = random.nextInt(ranks * 2); // at times one that only moves when nobody else can
    while (true) {
      Thread thread = threads.get(random.nextInt(threads.size()));
      boolean moved = false;
      if (thread.rank != slow) {
        for (int burst = 1 + random.nextInt(4); burst > 0 && thread.advance(); burst--) {
          moved = true;
        }
      }
      stuck = moved ? 0 : stuck + 1;
      if (stuck > threads.size()) {
        stuck = 0;
        boolean any = false;
        for (Thread each : threads) {
          any |= each.rank != slow && each.advance();
        }
        for (Thread each : threads) {
          any |= !any && each.advance();
        }
        if (!any) {
          break;
        }
        slow = random.nextInt(4) == 0 ? random.nextInt(ranks * 2) : slow;
      }
    }
    for (Thread each : threads) {
      Values.check(each.isDone(), "standstill: " + each.lanes);
    }
    links.values().forEach(Links::checkEmpty);
    areas.values().forEach(Area::checkRounds);
  }
}
