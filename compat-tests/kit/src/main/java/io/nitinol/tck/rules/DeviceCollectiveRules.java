// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceGraph;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamTransfer.Direction;
import io.nitinol.spi.device.v1.TeamWindow;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.device.CollectiveRun;
import io.nitinol.tck.device.CollectiveRun.Plan;
import io.nitinol.tck.device.DeviceSession;
import io.nitinol.tck.device.Gate;
import io.nitinol.tck.device.Image;
import io.nitinol.tck.device.Reductions;
import io.nitinol.tck.device.TeamGroup;
import io.nitinol.tck.device.TeamGroup.Member;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** What the fused collectives of a team compute and move. */
public final class DeviceCollectiveRules {
  private static final int[] COUNTS = {0, 1, 2, 3, 7, 16, 63, 257, 1024, 4099, 30_011};
  private static final int LARGE = 700_001;

  /** Returns plans for a collective: every count, with types and operators by turns. */
  private static List<Plan> plans(TeamGroup group, Collective collective, boolean inPlace) {
    List<Plan> plans = new ArrayList<>();
    int turn = 0;
    for (int count : COUNTS) {
      int root = turn % group.size();
      if (!Plan.reduces(collective)) {
        plans.add(new Plan(collective, null, count, root, inPlace));
        turn++;
        continue;
      }
      // Of the next types one that is supported.
      for (int i = 0; i < DataType.values().length; i++) {
        DataType type = DataType.values()[(turn + i) % DataType.values().length];
        DeviceReduction reduction = DeviceReduction.of(type, ReductionOp.SUM, group.size());
        Plan plan = new Plan(collective, reduction, count, root, inPlace);
        if (CollectiveRun.supported(group, plan)) {
          plans.add(plan);
          break;
        }
      }
      turn++;
    }
    return plans.stream().filter(plan -> CollectiveRun.supported(group, plan)).toList();
  }

  private static void runAll(
      DeviceSession session, TeamGroup group, boolean inPlace, boolean equallyFar) {
    runAll(session, group, room(session, group, COUNTS[COUNTS.length - 1]), inPlace, equallyFar);
  }

  private static CollectiveRun room(DeviceSession session, TeamGroup group, int count) {
    return new CollectiveRun(session, group, count * Long.BYTES * group.size());
  }

  private static void runAll(
      DeviceSession session,
      TeamGroup group,
      CollectiveRun run,
      boolean inPlace,
      boolean equallyFar) {
    int tested = 0;
    for (Collective collective : CollectiveRun.ALL) {
      if (inPlace && collective == Collective.ALL_TO_ALL) {
        continue; // not allowed
      }
      for (Plan plan : plans(group, collective, inPlace)) {
        run.run(session.terms().rule(), plan, equallyFar);
        tested++;
      }
    }
    if (tested == 0) {
      throw session.skip("the team supports no collective");
    }
  }

  @Rule(value = "DEVTEAM-09", seconds = 240)
  void everyCountAndAlignmentWorks(DeviceSession session) {
    runAll(session, TeamGroup.several(session, 3), false, false);
  }

  @Rule(value = "DEVTEAM-09", seconds = 120)
  void twoRanksDoTheSame(DeviceSession session) {
    runAll(session, TeamGroup.several(session, 2), false, false);
  }

  @Rule(value = "DEVTEAM-09", seconds = 120)
  void oneRankAloneDoesTheSame(DeviceSession session) {
    runAll(session, TeamGroup.alone(session), false, false);
  }

  @Rule(value = "DEVTEAM-09", seconds = 240)
  void everyReductionIsThatOfTheNumbers(DeviceSession session) {
    TeamGroup group = TeamGroup.several(session, session.full() ? 4 : 3);
    CollectiveRun run = room(session, group, 500);
    int turn = 0;
    for (DataType type : DataType.values()) {
      for (DeviceReduction reduction : Reductions.of(type, group.size())) {
        for (Collective collective : CollectiveRun.ALL) {
          boolean due = session.full() || turn++ % 3 == 0 || collective == Collective.ALL_REDUCE;
          Plan plan = new Plan(collective, reduction, 401, turn % group.size(), false);
          if (due && Plan.reduces(collective) && CollectiveRun.supported(group, plan)) {
            run.run("DEVTEAM-09", plan, false);
          }
        }
      }
    }
  }

  @Rule(value = "DEVTEAM-09", seconds = 300, fullOnly = true)
  void largeBuffersWork(DeviceSession session) {
    TeamGroup group = TeamGroup.several(session, 4);
    CollectiveRun run = new CollectiveRun(session, group, LARGE * group.size() * Float.BYTES);
    for (Collective collective : CollectiveRun.ALL) {
      DeviceReduction reduction =
          Plan.reduces(collective)
              ? DeviceReduction.of(DataType.FLOAT32, ReductionOp.SUM, group.size())
              : null;
      Plan plan = new Plan(collective, reduction, LARGE, group.size() - 1, false);
      if (CollectiveRun.supported(group, plan)) {
        run.run("DEVTEAM-09", plan, false);
      }
    }
  }

  @Rule(value = "DEVTEAM-10", seconds = 240)
  void collectivesWorkInPlace(DeviceSession session) {
    runAll(session, TeamGroup.several(session, 3), true, false);
  }

  @Rule(value = "DEVTEAM-11", seconds = 240)
  void buffersMayLieInWindows(DeviceSession session) {
    TeamGroup group = TeamGroup.several(session, 3);
    CollectiveRun run = room(session, group, COUNTS[COUNTS.length - 1]);
    List<TeamWindow> sources = run.openSources();
    for (TeamWindow window : sources) {
      session.check(window.size() > 0, "a window has %d bytes", window.size());
    }
    runAll(session, group, run, false, true); // one of each
    List<TeamWindow> results = run.openResults();
    runAll(session, group, run, false, true);
    runAll(session, group, run, true, true);
    group.close(sources);
    runAll(session, group, run, false, true);
    group.close(results);
    runAll(session, group, run, false, false);
  }

  @Rule(value = "DEVTEAM-11", seconds = 120)
  void windowsMayOverlap(DeviceSession session) {
    TeamGroup group = TeamGroup.several(session, 3);
    CollectiveRun run = room(session, group, 1024);
    Plan plan = some(session, group, 999);
    List<List<TeamWindow>> open = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      open.add(run.openSources());
      open.add(run.openResults());
      run.run("DEVTEAM-11", plan, true);
    }
    Collections.shuffle(open, session.random());
    for (List<TeamWindow> windows : open) {
      group.close(windows);
      group.close(windows); // does nothing
      run.run("DEVTEAM-11", plan, true);
    }
  }

  @Rule("DEVTEAM-11")
  void aWindowSaysWhereItIs(DeviceSession session) {
    TeamGroup group = TeamGroup.several(session, 2);
    List<Image> images = new ArrayList<>();
    group.each(member -> images.add(Image.onDevice(session, member.device(), 5000)));
    List<TeamWindow> windows = group.window(member -> images.get(member.rank()).at(300), 4000);
    group.each(member -> {
      TeamWindow window = windows.get(member.rank());
      session.check(
          window.address() == images.get(member.rank()).at(300),
          "the window of rank %d begins elsewhere than its piece",
          member.rank());
      session.check(window.size() == 4000, "a window of 4000 bytes has %d", window.size());
    });
    group.close(windows);
    images.forEach(image -> image.check("a window was opened over it and closed"));
  }

  /** Returns an exact all-reduce that the team supports. */
  private static Plan some(DeviceSession session, TeamGroup group, int count) {
    for (DataType type : new DataType[] {DataType.INT32, DataType.FLOAT32, DataType.UINT8}) {
      Plan plan =
          new Plan(
              Collective.ALL_REDUCE,
              DeviceReduction.of(type, ReductionOp.SUM, group.size()),
              count,
              0,
              false);
      if (CollectiveRun.supported(group, plan)) {
        return plan;
      }
    }
    throw session.skip("the team supports no all-reduce of a usual type");
  }

  /** Doubles by sums of INT32: the sum of all ranks' numbers, again and again. */
  private static final class Doubling {
    private static final int COUNT = 3000;
    private static final int BYTES = COUNT * Integer.BYTES;

    private final DeviceReduction sum;
    private final List<Image> images = new ArrayList<>();

    Doubling(DeviceSession session, TeamGroup group) {
      this.sum = DeviceReduction.of(DataType.INT32, ReductionOp.SUM, group.size());
      if (!group.member(0).team().supports(Collective.ALL_REDUCE, sum)) {
        throw session.skip("the team supports no all-reduce of INT32");
      }
      group.each(member -> images.add(Image.onDevice(session, member.device(), 2 * BYTES)));
    }

    /** Adds the ranks' first halves into the second, and copies that over the first. */
    void launch(Member member) {
      Image image = images.get(member.rank());
      member.team().allReduce(member.stream(), sum, image.at(0), image.at(BYTES), COUNT);
      member.stream().copy(image.at(0), image.at(BYTES), BYTES);
    }

    void expect() {
      byte[] total = new byte[BYTES];
      MemorySegment sums = MemorySegment.ofArray(total);
      for (Image image : images) {
        MemorySegment own = MemorySegment.ofArray(image.part(0, BYTES));
        for (int i = 0; i < COUNT; i++) {
          long at = (long) i * Integer.BYTES;
          sums.set(
              ValueLayout.JAVA_INT_UNALIGNED,
              at,
              sums.get(ValueLayout.JAVA_INT_UNALIGNED, at)
                  + own.get(ValueLayout.JAVA_INT_UNALIGNED, at));
        }
      }
      images.forEach(image -> {
        image.expect(0, total);
        image.expect(BYTES, total);
      });
    }

    void check(String after) {
      images.forEach(image -> image.check(after));
    }
  }

  @Rule("DEVTEAM-12")
  void launchesAreInTheOrderOfTheirStream(DeviceSession session) {
    TeamGroup group = TeamGroup.several(session, 3);
    Doubling doubling = new Doubling(session, group);
    Gate gate = session.gate();
    group.each(member -> gate.hold(member.stream()));
    for (int i = 0; i < 40; i++) {
      group.launch("DEVTEAM-12", "all-reduce behind a gate", doubling::launch);
      doubling.expect();
    }
    group.each(member ->
        session.check(
            !member.stream().query(),
            "an all-reduce of rank %d does not wait for the work before it",
            member.rank()));
    gate.open();
    group.finish();
    doubling.check("40 all-reduces with copies between them, put in before any was done");
  }

  @Rule("DEVTEAM-12")
  void aCollectiveLeavesItsSource(DeviceSession session) {
    TeamGroup group = TeamGroup.several(session, 3);
    CollectiveRun run = room(session, group, 5000);
    for (Collective collective : CollectiveRun.ALL) {
      for (Plan plan : plans(group, collective, false)) {
        if (plan.count() == 4099) {
          run.run("DEVTEAM-12", plan, false); // compares the sources, too
        }
      }
    }
  }

  @Rule("DEVTEAM-13")
  void graphsOfLaunchesRunAgainAndAgain(DeviceSession session) {
    session.needs(session.device(), DeviceFeature.GRAPHS);
    TeamGroup group = TeamGroup.several(session, 3);
    Doubling doubling = new Doubling(session, group);
    List<DeviceGraph> graphs = new ArrayList<>();
    group.each(member -> {
      session.run("DEVTEAM-13", "beginCapture", member.stream()::beginCapture);
      doubling.launch(member);
      doubling.launch(member);
      graphs.add(
          session.keep(session.step("DEVTEAM-13", "endCapture", member.stream()::endCapture)));
    });
    group.finish();
    doubling.check("a capture of launches");
    for (int i = 0; i < 12; i++) {
      boolean graph = i % 3 != 2;
      group.each(member -> {
        if (graph) {
          member.stream().launch(graphs.get(member.rank()));
        } else {
          doubling.launch(member);
        }
      });
      doubling.expect();
      if (graph) {
        doubling.expect();
      }
      if (i % 4 == 3) {
        group.finish();
        doubling.check("graphs of launches and launches in turn");
      }
    }
    group.finish();
    doubling.check("graphs of launches and launches in turn");
  }

  @Rule(value = "DEVTEAM-14", seconds = 120)
  void sendsFillReceivesInTheirOrder(DeviceSession session) {
    TeamGroup group = TeamGroup.several(session, 3);
    requireTransfers(session, group);
    int room = 40_000;
    List<Image> sent = new ArrayList<>();
    List<Image> received = new ArrayList<>();
    group.each(member -> {
      sent.add(Image.onDevice(session, member.device(), room));
      received.add(Image.onDevice(session, member.device(), room));
    });
    for (int round = 0; round < 10; round++) {
      List<List<TeamTransfer>> lists = new ArrayList<>();
      int[] into = new int[group.size()];
      group.each(member -> lists.add(new ArrayList<>()));
      for (int from = 0; from < group.size(); from++) {
        int place = 0;
        for (int to = 0; to < group.size(); to++) {
          for (int k = 0; k < 3; k++) {
            int size = k == 1 && round % 2 == 0 ? 0 : session.random().nextInt(3000);
            lists
                .get(from)
                .add(new TeamTransfer(Direction.SEND, to, sent.get(from).at(place), size));
            lists
                .get(to)
                .add(
                    new TeamTransfer(Direction.RECEIVE, from, received.get(to).at(into[to]), size));
            received.get(to).expect(into[to], sent.get(from).part(place, size));
            place += size;
            into[to] += size + 5;
          }
        }
      }
      int turn = round;
      group.launch(
          "DEVTEAM-14",
          "transfer",
          member -> member.team().transfer(member.stream(), mixed(session, lists, member, turn)));
      for (Member member : group.members()) {
        session.finish("DEVTEAM-14", member.stream());
        received.get(member.rank()).check("transfers among all ranks");
        sent.get(member.rank()).check("transfers among all ranks, which sent it");
      }
    }
  }

  /** Returns a rank's transfers in another order, but that of each pair and direction. */
  private static List<TeamTransfer> mixed(
      DeviceSession session, List<List<TeamTransfer>> lists, Member member, int round) {
    List<TeamTransfer> own = lists.get(member.rank());
    if (round == 0) {
      return own;
    }
    List<List<TeamTransfer>> rows = new ArrayList<>();
    for (Direction direction : Direction.values()) {
      for (int peer = 0; peer < lists.size(); peer++) {
        int other = peer;
        rows.add(
            new ArrayList<>(
                own.stream()
                    .filter(each -> each.direction() == direction && each.peer() == other)
                    .toList()));
      }
    }
    List<TeamTransfer> mixed = new ArrayList<>();
    while (mixed.size() < own.size()) {
      List<TeamTransfer> row = rows.get(session.random().nextInt(rows.size()));
      if (!row.isEmpty()) {
        mixed.add(row.removeFirst());
      }
    }
    return mixed;
  }

  private static void requireTransfers(DeviceSession session, TeamGroup group) {
    if (!group.member(0).team().supports(Collective.SEND_RECV, null)) {
      throw session.skip("the team supports no transfers");
    }
  }

  @Rule("DEVTEAM-14")
  void ranksThatAreNotNamedNeedNotLaunch(DeviceSession session) {
    TeamGroup group = TeamGroup.several(session, 3);
    requireTransfers(session, group);
    List<Image> images = new ArrayList<>();
    group.each(member -> images.add(Image.onDevice(session, member.device(), 2000)));
    int last = group.size() - 1;
    for (int round = 0; round < 12; round++) {
      // The last two ranks by turns, and now and then all with the next.
      if (round % 3 == 2) {
        byte[] first = images.getFirst().part(0, 500);
        for (int i = 0; i < last; i++) {
          images.get(i).expect(1000, images.get(i + 1).part(0, 500));
        }
        images.get(last).expect(1000, first);
        group.launch(
            "DEVTEAM-14",
            "transfer",
            member -> {
              int rank = member.rank();
              int next = (rank + 1) % group.size();
              int before = (rank + last) % group.size();
              member
                  .team()
                  .transfer(
                      member.stream(),
                      List.of(
                          new TeamTransfer(Direction.RECEIVE, next, images.get(rank).at(1000), 500),
                          new TeamTransfer(Direction.SEND, before, images.get(rank).at(0), 500)));
            });
      } else {
        Member one = group.member(last - 1);
        Member two = group.member(last);
        one.team()
            .transfer(
                one.stream(),
                List.of(new TeamTransfer(Direction.SEND, last, images.get(last - 1).at(200), 700)));
        two.team()
            .transfer(
                two.stream(),
                List.of(
                    new TeamTransfer(Direction.RECEIVE, last - 1, images.get(last).at(1200), 700)));
        images.get(last).expect(1200, images.get(last - 1).part(200, 700));
      }
      for (Member member : group.members()) {
        session.finish("DEVTEAM-14", member.stream());
      }
      images.forEach(image -> image.check("transfers among some ranks"));
    }
    session.check(
        Arrays.stream(group.exchange().calls()).distinct().count() == 1,
        "transfers exchanged something among the ranks");
  }
}
