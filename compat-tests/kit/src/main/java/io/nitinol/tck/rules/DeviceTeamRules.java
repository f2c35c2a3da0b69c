// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamTransfer.Direction;
import io.nitinol.spi.device.v1.TeamWindow;
import io.nitinol.tck.check.Placement;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.device.CollectiveRun;
import io.nitinol.tck.device.CollectiveRun.Plan;
import io.nitinol.tck.device.DeviceSession;
import io.nitinol.tck.device.Foreign;
import io.nitinol.tck.device.Image;
import io.nitinol.tck.device.RankExchange;
import io.nitinol.tck.device.Reductions;
import io.nitinol.tck.device.TeamGroup;
import io.nitinol.tck.device.TeamGroup.Joined;
import io.nitinol.tck.device.TeamGroup.Member;
import io.nitinol.tck.scene.Promptness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** How teams are joined, ended and refused. */
@SuppressWarnings("ReferenceEquality") // the very object is what is asked for
public final class DeviceTeamRules {
  private static final long FREE = TimeUnit.SECONDS.toNanos(10);
  private static final DeviceFailure ABORTED = DeviceFailure.TEAM_ABORTED;

  /** Returns an all-reduce that the team supports. */
  private static DeviceReduction sum(DeviceSession session, DeviceTeam team) {
    for (DataType type : new DataType[] {DataType.INT32, DataType.FLOAT32, DataType.UINT8}) {
      DeviceReduction sum = DeviceReduction.of(type, ReductionOp.SUM, team.ranks());
      if (team.supports(Collective.ALL_REDUCE, sum)) {
        return sum;
      }
    }
    throw session.skip("the team supports no all-reduce of a usual type");
  }

  private static Plan plan(DeviceSession session, TeamGroup group, int count) {
    return new Plan(Collective.ALL_REDUCE, sum(session, group.member(0).team()), count, 0, false);
  }

  @Rule("DEVTEAM-02")
  void ranksOnDevicesOfTheirOwnFormATeam(DeviceSession session) {
    session.needs(session.device(), DeviceFeature.TEAMS);
    List<Device> devices = TeamGroup.apart(session);
    for (int ranks = 1; ranks <= devices.size(); ranks++) {
      for (int blocks : new int[] {DeviceTeamConfig.DEFAULT_BLOCKS, 1, 1000}) {
        TeamGroup group = TeamGroup.join(session, devices.subList(0, ranks), blocks);
        for (Member member : group.members()) {
          DeviceTeam team = member.team();
          session.check(
              team.rank() == member.rank() && team.ranks() == ranks,
              "rank %d of %d is number %d of %d to itself",
              member.rank(),
              ranks,
              team.rank(),
              team.ranks());
          session.check(
              team.device() == devices.get(member.rank()), "a rank's device is another one");
          session.check(
              team.blocks() >= 1 && (blocks == 0 || team.blocks() <= blocks),
              "blocks is %d, where the config has %d",
              team.blocks(),
              blocks);
          session.check(
              team.failure() == null, "failure of a team that is new: %s", team.failure());
        }
        group.closeTeam();
      }
    }
  }

  @Rule("DEVTEAM-04")
  void theExchangeIsCalledByTheCallersThread(DeviceSession session) {
    // The exchange itself looks at the threads and sizes of each call.
    TeamGroup group = TeamGroup.several(session, 3);
    int[] joining = group.exchange().calls();
    session.check(
        Arrays.stream(joining).distinct().count() == 1,
        "to join, the ranks called the exchange %s times",
        Arrays.toString(joining));
    CollectiveRun run = new CollectiveRun(session, group, 10_000);
    List<TeamWindow> windows = run.openSources();
    run.run("DEVTEAM-04", plan(session, group, 100), true);
    group.close(windows);
    int[] all = group.exchange().calls();
    session.check(
        Arrays.stream(all).distinct().count() == 1,
        "with a window, the ranks called the exchange %s times",
        Arrays.toString(all));
    group.closeTeam();
    session.check(
        Arrays.equals(all, group.exchange().calls()), "close of a team called the exchange");
  }

  @Rule("DEVTEAM-04")
  void whatTheExchangeThrowsIsPassedOn(DeviceSession session) {
    session.needs(session.device(), DeviceFeature.TEAMS);
    List<Device> devices = Collections.nCopies(1, session.device());
    NetException thrown = new NetException(ResultCode.REMOTE_ERROR, "the other ranks have gone");
    for (int call = 0; call < 20; call++) {
      int[] left = {call};
      RankExchange failing =
          new RankExchange(
              session,
              1,
              (rank, bytes) -> {
                if (left[0]-- == 0) {
                  throw thrown;
                }
              });
      Joined joined =
          TeamGroup.attempt(session, devices, DeviceTeamConfig.DEFAULT_BLOCKS, failing).getFirst();
      if (joined.team() != null) {
        // A rank alone may have less to exchange, or nothing.
        session.check(left[0] >= 0, "a team was joined though the exchange failed");
        return;
      }
      session.check(
          joined.thrown() == thrown,
          "joinTeam threw %s, and not what the exchange threw",
          joined.thrown());
    }
  }

  @Rule(value = "DEVTEAM-05", seconds = 90)
  void aTeamThatCannotBeJoinedFailsOnAllRanks(DeviceSession session) {
    List<Device> devices =
        TeamGroup.several(session, 2).members().stream().map(Member::device).toList();
    for (int round = 0; round < 3; round++) {
      // The first bytes that one rank hands over do not arrive.
      NetException lost = new NetException(ResultCode.REMOTE_ERROR, "the bytes are lost");
      RankExchange failing =
          new RankExchange(
              session,
              devices.size(),
              (rank, bytes) -> {
                if (rank == 1) {
                  throw lost;
                }
              });
      List<Joined> joined =
          TeamGroup.attempt(session, devices, DeviceTeamConfig.DEFAULT_BLOCKS, failing);
      session.check(
          joined.stream().allMatch(each -> each.team() == null),
          "a rank has joined a team whose other rank could not");
      session.check(
          joined.stream()
                  .map(each -> each.thrown() instanceof NetException e ? e.result() : each.thrown())
                  .distinct()
                  .count()
              == 1,
          "the ranks of a team that cannot be joined failed in different ways: %s",
          joined);
    }
    TeamGroup group = TeamGroup.join(session, devices, DeviceTeamConfig.DEFAULT_BLOCKS);
    new CollectiveRun(session, group, 10_000).run("DEVTEAM-05", plan(session, group, 500), false);
  }

  @Rule(value = "DEVTEAM-05", seconds = 90)
  void aWindowThatCannotBeOpenedFailsOnAllRanks(DeviceSession session) {
    TeamGroup group = TeamGroup.several(session, 2);
    CollectiveRun run = new CollectiveRun(session, group, 10_000);
    List<Image> images = new ArrayList<>();
    group.each(member -> images.add(Image.onDevice(session, member.device(), 4096)));
    Set<DeviceFailure> allowed = Set.of(DeviceFailure.INVALID_ARGUMENT, DeviceFailure.IPC_REFUSED);
    for (String wrong : List.of("an address that leads nowhere", "a size of 0", "one byte more")) {
      List<Optional<DeviceFailure>> failures =
          group.collective(
              "DEVTEAM-05",
              "openWindow with " + wrong,
              member -> {
                boolean odd = member.rank() == group.size() - 1;
                long address = odd && wrong.startsWith("an") ? 64 : images.get(member.rank()).at(0);
                long size =
                    wrong.startsWith("a size") ? 0 : odd && wrong.startsWith("one") ? 4097 : 4096;
                try {
                  member.team().openWindow(address, size);
                  return Optional.<DeviceFailure>empty();
                } catch (DeviceException e) {
                  return Optional.of(e.failure());
                }
              });
      session.check(
          new HashSet<>(failures).size() == 1
              && failures.getFirst().filter(allowed::contains).isPresent(),
          "openWindow with %s at one rank gave %s on the ranks, expected the same failure on all",
          wrong,
          failures);
      group.restart();
      run.run("DEVTEAM-05", plan(session, group, 500), false);
    }
    List<TeamWindow> windows = run.openSources();
    run.run("DEVTEAM-05", plan(session, group, 700), true);
    group.close(windows);
  }

  @Rule("DEVTEAM-07")
  void aLaunchNeverWaitsForOtherRanks(DeviceSession session) {
    TeamGroup group = TeamGroup.several(session, 3);
    CollectiveRun run = new CollectiveRun(session, group, 100_000);
    for (Collective collective : CollectiveRun.ALL) {
      DeviceReduction reduction =
          Plan.reduces(collective) ? sum(session, group.member(0).team()) : null;
      Plan plan = new Plan(collective, reduction, 5000, 1, false);
      if (!CollectiveRun.supported(group, plan)) {
        continue;
      }
      Promptness.check(
          session,
          "a launch of " + plan + " before other ranks launch",
          watch -> {
            run.prepare(plan, false);
            group.each(member ->
                watch.timed(() -> {
                  run.launch(plan, member, member.stream());
                  return true;
                }));
            group.finish();
            run.verify("DEVTEAM-07", plan);
          });
    }
  }

  @Rule("DEVTEAM-07")
  void manyLaunchesMayBePending(DeviceSession session) {
    TeamGroup group = TeamGroup.several(session, 2);
    CollectiveRun run = new CollectiveRun(session, group, 10_000);
    Plan plan = plan(session, group, 500);
    run.prepare(plan, false);
    int late = 0;
    for (Member member : group.members()) { // all of one rank first
      for (int i = 0; i < 100; i++) {
        long start = System.nanoTime();
        run.launch(plan, member, member.stream());
        late += System.nanoTime() - start > Promptness.CALL ? 1 : 0;
      }
    }
    session.check(late <= 2, "%d of 200 launches took more than 100 ms", late);
    group.finish();
    run.verify("DEVTEAM-07", plan);
  }

  /**
   * What a launch needs is there when the team is, whatever type it is of: a provider that gets
   * ready for a type when that is first launched may wait for kernels that run, and those for a
   * rank that is launched next by this thread. In a process of its own, where no test has asked for
   * a type before.
   */
  @Rule(value = "DEVTEAM-07", in = Placement.PROCESS, seconds = 120)
  void aTypeIsFirstLaunchedWhileKernelsWait(DeviceSession session) {
    TeamGroup group = TeamGroup.several(session, 2);
    List<Plan> plans = new ArrayList<>();
    List<CollectiveRun> runs = new ArrayList<>();
    Set<DataType> late = EnumSet.noneOf(DataType.class);
    // All of one rank first, so that its kernels of other types wait meanwhile.
    for (DataType type : DataType.values()) {
      Plan plan =
          new Plan(
              Collective.ALL_REDUCE,
              DeviceReduction.of(type, ReductionOp.SUM, group.size()),
              300,
              0,
              false);
      CollectiveRun run = new CollectiveRun(session, group, 300 * type.size());
      run.prepare(plan, false);
      runs.add(run);
      plans.add(plan);
    }
    for (Member member : group.members()) {
      for (int i = plans.size() - 1; i >= 0; i--) {
        long start = System.nanoTime();
        try {
          runs.get(i).launch(plans.get(i), member, member.stream());
        } catch (DeviceException e) {
          if (e.failure() != DeviceFailure.UNSUPPORTED || member.rank() > 0) {
            throw e;
          }
          plans.remove(i);
          runs.remove(i);
          continue;
        }
        if (System.nanoTime() - start > Promptness.CALL) {
          late.add(Objects.requireNonNull(plans.get(i).reduction()).type());
        }
      }
    }
    // A type cannot be launched first once more; a busy machine makes some launches slow, not most.
    session.check(
        late.size() <= plans.size() / 3,
        "the first launches of %s took more than 100 ms each, while kernels of other types waited",
        late);
    group.finish();
    for (int i = 0; i < plans.size(); i++) {
      runs.get(i).verify("DEVTEAM-07", plans.get(i));
    }
  }

  @Rule("DEVTEAM-15")
  void supportIsTheSameOnAllRanks(DeviceSession session) {
    TeamGroup group = TeamGroup.several(session, 2);
    Image image = Image.onDevice(session, session.device(), 1024);
    Member first = group.member(0);
    for (DataType type : DataType.values()) {
      for (DeviceReduction reduction : Reductions.of(type, group.size())) {
        for (Collective collective : CollectiveRun.ALL) {
          DeviceReduction of = Plan.reduces(collective) ? reduction : null;
          Set<Boolean> answers = new HashSet<>();
          for (int i = 0; i < 2; i++) {
            group.each(member -> answers.add(member.team().supports(collective, of)));
          }
          session.check(answers.size() == 1, "supports differs: %s, %s", collective, reduction);
          if (answers.contains(false) && collective == Collective.ALL_REDUCE) {
            session.refuse(
                "allReduce of what supports denies: " + reduction,
                () ->
                    first
                        .team()
                        .allReduce(first.stream(), reduction, image.at(0), image.at(512), 8),
                DeviceFailure.UNSUPPORTED);
          }
        }
      }
    }
    session.finish(first.stream());
    image.check("launches that were refused");
  }

  @Rule("DEVTEAM-15")
  void wrongArgumentsLaunchNothing(DeviceSession session) {
    TeamGroup group = TeamGroup.several(session, 2);
    Member member = group.member(0);
    DeviceTeam team = member.team();
    DeviceStream stream = member.stream();
    DeviceReduction sum = sum(session, team);
    Image image = Image.onDevice(session, member.device(), 4096);
    long a = image.at(0);
    long b = image.at(2048);
    refuse(session, "allReduce of -1", () -> team.allReduce(stream, sum, a, b, -1));
    refuse(session, "reduceScatter of -1", () -> team.reduceScatter(stream, sum, a, b, -1));
    refuse(session, "reduce of -1", () -> team.reduce(stream, sum, a, b, -1, 0));
    refuse(session, "reduce to rank -1", () -> team.reduce(stream, sum, a, b, 4, -1));
    int beyond = group.size();
    refuse(session, "reduce to a rank beyond", () -> team.reduce(stream, sum, a, b, 4, beyond));
    refuse(session, "allGather of -1", () -> team.allGather(stream, a, b, -1));
    refuse(session, "broadcast of -1", () -> team.broadcast(stream, a, b, -1, 0));
    refuse(session, "broadcast from -1", () -> team.broadcast(stream, a, b, 4, -1));
    refuse(session, "broadcast from beyond", () -> team.broadcast(stream, a, b, 4, beyond));
    refuse(session, "allToAll of -1", () -> team.allToAll(stream, a, b, -1));
    TeamTransfer outside = new TeamTransfer(Direction.SEND, beyond, a, 4);
    refuse(session, "a transfer to beyond", () -> team.transfer(stream, List.of(outside)));
    List<TeamTransfer> many =
        Collections.nCopies(
            DeviceTeam.MAX_TRANSFERS + 1, new TeamTransfer(Direction.SEND, 1, a, 4));
    refuse(session, "1025 transfers", () -> team.transfer(stream, many));
    List<DeviceStream> others = new ArrayList<>(List.of(Foreign.object(DeviceStream.class)));
    if (session.devices() > 1) {
      others.add(session.stream(session.all().get(1)));
    }
    for (DeviceStream other : others) {
      refuse(session, "allReduce on another stream", () -> team.allReduce(other, sum, a, b, 4));
      refuse(session, "broadcast on another stream", () -> team.broadcast(other, a, b, 4, 0));
      refuse(session, "transfer on another stream", () -> team.transfer(other, List.of()));
    }
    session.finish("DEVTEAM-15", stream);
    image.check("launches that were refused");
    if (sum.type().size() > 1) {
      insideAnElement(session, group, sum);
    }
    new CollectiveRun(session, group, 4096).run("DEVTEAM-15", plan(session, group, 100), false);
  }

  /** An address that the size of the type does not divide works, or is refused on all ranks. */
  private static void insideAnElement(DeviceSession session, TeamGroup group, DeviceReduction sum) {
    List<Image> images = new ArrayList<>();
    Set<Boolean> taken = new HashSet<>();
    group.each(member -> {
      Image image = Image.onDevice(session, member.device(), 4096);
      images.add(image);
      try {
        member.team().allReduce(member.stream(), sum, image.at(1), image.at(2049), 16);
        taken.add(true);
      } catch (DeviceException e) {
        session.check(
            e.failure() == DeviceFailure.INVALID_ARGUMENT,
            "allReduce at an address inside an element failed with %s",
            e.failure());
        taken.add(false);
      }
    });
    session.check(taken.size() == 1, "some ranks took an address inside an element, others not");
    group.each(member -> session.finish("DEVTEAM-15", member.stream()));
    if (taken.contains(true)) {
      images.forEach(image -> image.take(2049, 16 * sum.type().size()));
    }
    images.forEach(image -> image.check("an allReduce at an address inside an element"));
  }

  private static void refuse(DeviceSession session, String what, Runnable call) {
    session.refuse(what, call, DeviceFailure.INVALID_ARGUMENT);
  }

  @Rule("DEVTEAM-16")
  void abortFreesTheStreamsOfItsRank(DeviceSession session) {
    for (boolean begun : new boolean[] {true, false}) {
      TeamGroup group = TeamGroup.several(session, 2);
      TeamGroup beside = TeamGroup.several(session, 2, 1);
      CollectiveRun run = new CollectiveRun(session, group, 100_000);
      Plan plan = plan(session, group, 10_000);
      run.prepare(plan, false);
      Member alone = group.member(0);
      if (begun) {
        for (int i = 0; i < 3; i++) {
          run.launch(plan, alone, alone.stream());
        }
        session.check(
            !alone.stream().synchronize(TimeUnit.MILLISECONDS.toNanos(20)),
            "an all-reduce is done though the other rank has not launched it");
      }
      session.check(alone.team().failure() == null, "failure is not null before an abort");
      Promptness.checkCall(
          session, "abort", () -> alone.team().abort("the kit wants it to end, number 4711"));
      DeviceException failure = alone.team().failure();
      if (failure == null) {
        throw session.broken("failure is null after an abort");
      }
      session.check(
          failure.failure() == ABORTED,
          "failure after an abort is %s, expected %s",
          failure.failure(),
          ABORTED);
      session.check(
          String.valueOf(failure.getMessage()).contains("number 4711"),
          "failure does not give the reason of the abort: %s",
          failure.getMessage());
      DeviceException refused =
          session.refuse(
              "a launch after an abort", () -> run.launch(plan, alone, alone.stream()), ABORTED);
      session.check(
          String.valueOf(refused.getMessage()).contains("number 4711"),
          "a launch does not give the reason of the abort: %s",
          refused.getMessage());
      long start = System.nanoTime();
      boolean free = alone.stream().synchronize(session.patient(FREE));
      session.check(
          free,
          "a stream is not free %d ms after the abort",
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
      Member other = group.member(1);
      session.check(
          other.team().failure() == null || other.team().failure().failure() == ABORTED,
          "the other rank fails with %s",
          other.team().failure());
      other.team().abort("as the other rank");
      session.check(
          other.stream().synchronize(session.patient(FREE)), "the other rank's stream is not free");
      alone.team().abort("a second time, which does nothing");
      new CollectiveRun(session, beside, 10_000)
          .run("DEVTEAM-16", plan(session, beside, 500), false);
      Image image = Image.onDevice(session, alone.device(), 1000);
      alone.stream().fill(image.at(5), (byte) 5, 500);
      image.expect(5, 500, (byte) 5);
      session.finish("DEVTEAM-16", alone.stream());
      image.check("a fill on a stream that an abort freed");
      group.closeTeam();
    }
  }

  @Rule("DEVTEAM-18")
  void teamsGoOnBesideEachOther(DeviceSession session) {
    TeamGroup waiting = TeamGroup.several(session, 2, 1);
    TeamGroup going = TeamGroup.several(session, 2, 1);
    for (Member member : waiting.members()) {
      if (waiting.member(0).team().blocks() + going.member(0).team().blocks()
          > member.device().processors()) {
        throw session.skip("two teams have more blocks than the device has processors");
      }
    }
    CollectiveRun first = new CollectiveRun(session, waiting, 10_000);
    CollectiveRun second = new CollectiveRun(session, going, 10_000);
    for (int i = 0; i < 5; i++) {
      Plan plan = plan(session, waiting, 1000);
      first.prepare(plan, false);
      Member alone = waiting.member(0);
      first.launch(plan, alone, alone.stream()); // waits for the other rank
      second.run("DEVTEAM-18", plan(session, going, 2000), false);
      session.check(!alone.stream().query(), "an all-reduce does not wait for the other rank");
      waiting.each(member -> {
        if (member.rank() > 0) {
          first.launch(plan, member, member.stream());
        }
      });
      waiting.finish();
      first.verify("DEVTEAM-18", plan);
    }
  }

  @Rule("DEVSTREAM-03")
  void streamsGoOnWhileOneWaitsForAnotherRank(DeviceSession session) {
    TeamGroup group = TeamGroup.several(session, 2);
    CollectiveRun run = new CollectiveRun(session, group, 10_000);
    Plan plan = plan(session, group, 1000);
    run.prepare(plan, false);
    Member alone = group.member(0);
    run.launch(plan, alone, alone.stream());
    for (int i = 0; i < 3; i++) {
      DeviceStream stream = session.stream(alone.device());
      Image image = Image.onDevice(session, alone.device(), 1000);
      stream.fill(image.at(0), (byte) i, 1000);
      image.expect(0, 1000, (byte) i);
      session.finish("DEVSTREAM-03", stream);
      image.check("a fill beside a stream that waits for a rank");
    }
    group.each(member -> {
      if (member.rank() > 0) {
        run.launch(plan, member, member.stream());
      }
    });
    group.finish();
    run.verify("DEVTEAM-09", plan);
  }
}
