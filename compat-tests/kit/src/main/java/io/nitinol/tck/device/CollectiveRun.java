// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.device;

import io.nitinol.spi.Collective;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.TeamWindow;
import io.nitinol.tck.device.TeamGroup.Member;
import io.nitinol.tck.numeric.AnyOrder;
import io.nitinol.tck.numeric.ElementNoise;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs fused collectives on buffers of its own, and compares every byte afterwards: results, what
 * lies around them, and sources.
 */
public final class CollectiveRun {
  /** The collectives that this class knows; transfers have tests of their own. */
  public static final List<Collective> ALL =
      List.of(
          Collective.ALL_REDUCE,
          Collective.REDUCE_SCATTER,
          Collective.REDUCE,
          Collective.ALL_GATHER,
          Collective.BROADCAST,
          Collective.ALL_TO_ALL);

  /** How far a buffer may begin behind the start of its memory, in bytes. */
  private static final int SHIFT = 64;

  /**
   * What is run.
   *
   * @param collective one of {@link #ALL}
   * @param reduction what is computed; null if bytes are moved only
   * @param count elements, or bytes where nothing is computed
   * @param root the root, where there is one
   * @param inPlace whether source and destination are the same, as far as the interface allows it
   */
  public record Plan(
      Collective collective,
      @Nullable DeviceReduction reduction,
      int count,
      int root,
      boolean inPlace) {

    /** Returns whether a collective reduces. */
    public static boolean reduces(Collective collective) {
      return collective == Collective.ALL_REDUCE
          || collective == Collective.REDUCE_SCATTER
          || collective == Collective.REDUCE;
    }

    private int bytes() {
      return count * (reduction == null ? 1 : reduction.type().size());
    }

    private int sourceBytes(int ranks) {
      return collective == Collective.REDUCE_SCATTER || collective == Collective.ALL_TO_ALL
          ? ranks * bytes()
          : bytes();
    }

    private int resultBytes(int ranks) {
      return collective == Collective.ALL_GATHER || collective == Collective.ALL_TO_ALL
          ? ranks * bytes()
          : bytes();
    }

    @Override
    public String toString() {
      return ErrorText.of(
          "%s of %d %s%s%s",
          collective.label(),
          count,
          reduction == null
              ? "bytes"
              : reduction.type()
                  + " by "
                  + (reduction.preMultiplied() ? "PREMULSUM" : reduction.op()),
          inPlace ? ", in place" : "",
          collective == Collective.BROADCAST || collective == Collective.REDUCE
              ? ", root " + root
              : "");
    }
  }

  /** What lies where for one rank. */
  private record Place(Image from, int source, Image to, int result) {
    long sourceAt() {
      return from.at(source);
    }

    long resultAt() {
      return to.at(result);
    }
  }

  private final DeviceSession session;
  private final TeamGroup group;
  private final List<Image> sources = new ArrayList<>();
  private final List<Image> results = new ArrayList<>();
  private final List<Place> places = new ArrayList<>();
  private final List<byte[]> inputs = new ArrayList<>();

  /**
   * Allocates buffers.
   *
   * @param room the most bytes of a source or result
   */
  public CollectiveRun(DeviceSession session, TeamGroup group, int room) {
    this.session = session;
    this.group = group;
    for (Member member : group.members()) {
      sources.add(Image.onDevice(session, member.device(), room + 2 * SHIFT));
      results.add(Image.onDevice(session, member.device(), room + 2 * SHIFT));
    }
  }

  /** Opens a window over all sources. */
  public List<TeamWindow> openSources() {
    return group.window(member -> sources.get(member.rank()).at(0), sources.getFirst().size());
  }

  /** Opens a window over all destinations. */
  public List<TeamWindow> openResults() {
    return group.window(member -> results.get(member.rank()).at(0), results.getFirst().size());
  }

  /** Returns whether the team supports a plan, as its first rank says. */
  public static boolean supported(TeamGroup group, Plan plan) {
    return group.member(0).team().supports(plan.collective(), plan.reduction());
  }

  /** Runs a plan to its end. */
  public void run(String rule, Plan plan, boolean equallyFar) {
    prepare(plan, equallyFar);
    group.launch(rule, plan.toString(), member -> launch(plan, member, member.stream()));
    for (Member member : group.members()) {
      session.finish(rule, member.stream());
    }
    verify(rule, plan);
  }

  /**
   * Chooses places and fills the sources.
   *
   * @param equallyFar whether the buffers of all ranks begin equally far from the start of their
   *     memory, as those in windows must
   */
  public void prepare(Plan plan, boolean equallyFar) {
    places.clear();
    inputs.clear();
    int source = shift(plan);
    int result = shift(plan);
    long seed = session.random().nextLong();
    for (int rank = 0; rank < group.size(); rank++) {
      if (!equallyFar) {
        source = shift(plan);
        result = shift(plan);
      }
      Place place = place(plan, rank, source, result);
      byte[] input = input(plan, rank, seed);
      place.from.put(place.source, input);
      places.add(place);
      inputs.add(input);
    }
  }

  /** Chooses a place of whole elements. */
  private int shift(Plan plan) {
    int size = plan.reduction == null ? 1 : plan.reduction.type().size();
    return session.random().nextInt(SHIFT / size) * size;
  }

  private Place place(Plan plan, int rank, int source, int result) {
    Image from = sources.get(rank);
    Image to = results.get(rank);
    if (!plan.inPlace || plan.collective == Collective.ALL_TO_ALL) {
      return new Place(from, source, to, result);
    }
    return switch (plan.collective) {
      case REDUCE_SCATTER -> new Place(from, source, from, source + rank * plan.bytes());
      case ALL_GATHER -> new Place(to, result + rank * plan.bytes(), to, result);
      case ALL_REDUCE, REDUCE, BROADCAST, ALL_TO_ALL, SEND_RECV, SEND, RECV, GATHER, SCATTER ->
          new Place(from, source, from, source);
    };
  }

  private byte[] input(Plan plan, int rank, long seed) {
    int bytes = plan.sourceBytes(group.size());
    DeviceReduction reduction = plan.reduction;
    return reduction == null
        ? session.noise(bytes)
        : ElementNoise.of(
            reduction.type(), reduction.op(), bytes / reduction.type().size(), rank, seed);
  }

  /** Launches a plan for one rank. */
  public void launch(Plan plan, Member member, DeviceStream stream) {
    Place place = places.get(member.rank());
    DeviceTeam team = member.team();
    long from = place.sourceAt();
    long to = place.resultAt();
    switch (plan.collective) {
      case ALL_REDUCE -> team.allReduce(stream, own(plan, member), from, to, plan.count);
      case REDUCE_SCATTER -> team.reduceScatter(stream, own(plan, member), from, to, plan.count);
      case REDUCE -> team.reduce(stream, own(plan, member), from, to, plan.count, plan.root);
      case ALL_GATHER -> team.allGather(stream, from, to, plan.count);
      case BROADCAST -> team.broadcast(stream, from, to, plan.count, plan.root);
      case ALL_TO_ALL -> team.allToAll(stream, from, to, plan.count);
      case SEND_RECV, SEND, RECV, GATHER, SCATTER ->
          throw new IllegalArgumentException("not a fused collective: " + plan);
    }
  }

  private DeviceReduction own(Plan plan, Member member) {
    return Reductions.forRank(Objects.requireNonNull(plan.reduction), group.size(), member.rank());
  }

  /** Compares everything, after the streams have done their work. */
  public void verify(String rule, Plan plan) {
    if (plan.reduction != null) {
      verifyReduction(rule, plan);
    } else {
      verifyBytes(plan);
    }
    for (int rank = 0; rank < group.size(); rank++) {
      sources.get(rank).check(rule, plan + " on rank " + rank + ", whose source it is");
      results.get(rank).check(rule, plan + " on rank " + rank);
    }
  }

  private void verifyReduction(String rule, Plan plan) {
    List<DeviceReduction> own = new ArrayList<>();
    group.each(member -> own.add(own(plan, member)));
    byte @Nullable [] first = null;
    try (AnyOrder right = new AnyOrder(own, inputs)) {
      for (int rank = 0; rank < group.size(); rank++) {
        if (plan.collective == Collective.REDUCE && rank != plan.root) {
          continue;
        }
        Place place = places.get(rank);
        byte[] found = place.to.take(place.result, plan.resultBytes(group.size()));
        long begin = plan.collective == Collective.REDUCE_SCATTER ? (long) rank * plan.count : 0;
        String wrong = right.firstWrong(begin, found);
        session.require(rule, wrong == null, "%s on rank %d: %s", plan, rank, wrong);
        if (plan.collective == Collective.ALL_REDUCE) {
          first = first == null ? found : first;
          int other = Arrays.mismatch(first, found);
          session.require(
              rule, other < 0, "%s: ranks 0 and %d differ in byte %d", plan, rank, other);
        }
      }
    }
  }

  private void verifyBytes(Plan plan) {
    int part = plan.bytes();
    for (int rank = 0; rank < group.size(); rank++) {
      Place place = places.get(rank);
      if (plan.collective == Collective.BROADCAST) {
        place.to.expect(place.result, inputs.get(plan.root));
        continue;
      }
      for (int other = 0; other < group.size(); other++) {
        byte[] input = inputs.get(other);
        byte[] bytes =
            plan.collective == Collective.ALL_TO_ALL
                ? Arrays.copyOfRange(input, rank * part, (rank + 1) * part)
                : input;
        place.to.expect(place.result + other * part, bytes);
      }
    }
  }
}
