// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.device;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.TeamWindow;
import io.nitinol.tck.check.Inapplicable;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The ranks of a team in this process, each with its device and a stream. The test's thread drives
 * them in turn; what waits for other ranks is done by a thread for each.
 */
public final class TeamGroup {
  private static final long JOINING = TimeUnit.SECONDS.toNanos(45);

  /**
   * One rank.
   *
   * @param rank its number
   * @param team its end of the team
   * @param stream a stream of its device
   */
  public record Member(int rank, DeviceTeam team, DeviceStream stream) {

    /** Returns its device. */
    public Device device() {
      return stream.device();
    }
  }

  /**
   * How the join of one rank ended.
   *
   * @param team the end of the team, or null
   * @param thrown what it threw, or null
   */
  public record Joined(@Nullable DeviceTeam team, @Nullable Throwable thrown) {}

  private final DeviceSession session;
  private final RankExchange exchange;
  private final List<Member> members;

  private TeamGroup(DeviceSession session, RankExchange exchange, List<Member> members) {
    this.session = session;
    this.exchange = exchange;
    this.members = List.copyOf(members);
  }

  /**
   * Joins a team of two ranks or more, on devices of their own as far as there are any.
   *
   * @param most how many ranks it has if the provider has devices enough, or lets ranks share one
   */
  public static TeamGroup several(DeviceSession session, int most) {
    return several(session, most, DeviceTeamConfig.DEFAULT_BLOCKS);
  }

  /** The same with a number of blocks. */
  public static TeamGroup several(DeviceSession session, int most, int blocks) {
    session.needs(session.device(), DeviceFeature.TEAMS);
    List<Device> apart = apart(session);
    if (apart.size() >= most) {
      return join(session, apart.subList(0, most), blocks);
    }
    List<Device> shared =
        IntStream.range(0, most).mapToObj(rank -> apart.get(rank % apart.size())).toList();
    RankExchange exchange = new RankExchange(session, most);
    List<Joined> joined = attempt(session, shared, blocks, exchange);
    if (joined.stream().allMatch(each -> isUnsupported(each.thrown()))) {
      if (apart.size() >= 2) {
        return join(session, apart, blocks);
      }
      throw session.skip("there is one device, and the provider's ranks do not share one");
    }
    return of(session, shared, joined, exchange);
  }

  /** Joins a team of one rank. */
  public static TeamGroup alone(DeviceSession session) {
    session.needs(session.device(), DeviceFeature.TEAMS);
    return join(session, List.of(session.device()), DeviceTeamConfig.DEFAULT_BLOCKS);
  }

  /**
   * Joins a team with a rank on each of these devices.
   *
   * @throws RuleViolation of DEVTEAM-02 when it cannot be joined
   */
  public static TeamGroup join(DeviceSession session, List<Device> devices, int blocks) {
    RankExchange exchange = new RankExchange(session, devices.size());
    return of(session, devices, attempt(session, devices, blocks, exchange), exchange);
  }

  /** Returns devices that can all access each other, the first device before them. */
  public static List<Device> apart(DeviceSession session) {
    List<Device> chosen = new ArrayList<>();
    for (Device device : session.all()) {
      boolean reaches = true;
      for (Device other : chosen) {
        reaches &= device.canAccess(other) && other.canAccess(device);
      }
      if (reaches && device.supports(DeviceFeature.TEAMS)) {
        chosen.add(device);
      }
    }
    return chosen;
  }

  /** Lets a thread for each rank join, and returns how that ended. */
  public static List<Joined> attempt(
      DeviceSession session, List<Device> devices, int blocks, RankExchange exchange) {
    List<Integer> processes = Collections.nCopies(devices.size(), 0);
    List<Joined> joined =
        beside(
            session,
            devices.size(),
            rank -> {
              exchange.entering(rank);
              try {
                DeviceTeam team =
                    devices
                        .get(rank)
                        .joinTeam(new DeviceTeamConfig(rank, processes, blocks, exchange.of(rank)));
                if (team != null) {
                  session.endTeam(team);
                }
                exchange.leaving(rank, null);
                return new Joined(team, null);
              } catch (Throwable e) {
                exchange.leaving(rank, e);
                return new Joined(null, e);
              }
            },
            "DEVTEAM-02",
            "joinTeam");
    exchange.check();
    return joined;
  }

  private static TeamGroup of(
      DeviceSession session, List<Device> devices, List<Joined> joined, RankExchange exchange) {
    List<Member> members = new ArrayList<>();
    for (int rank = 0; rank < joined.size(); rank++) {
      DeviceTeam team = joined.get(rank).team();
      if (team == null) {
        Throwable thrown = joined.get(rank).thrown();
        throw new RuleViolation(
            "DEVTEAM-02",
            ErrorText.of(
                "rank %d of %d on %s cannot join: %s",
                rank, joined.size(), devices.get(rank).name(), thrown),
            thrown);
      }
      members.add(new Member(rank, team, session.stream(devices.get(rank))));
    }
    return new TeamGroup(session, exchange, members);
  }

  private static boolean isUnsupported(@Nullable Throwable thrown) {
    return thrown instanceof DeviceException e && e.failure() == DeviceFailure.UNSUPPORTED;
  }

  /** Returns the ranks. */
  public List<Member> members() {
    return members;
  }

  /** Returns the number of ranks. */
  public int size() {
    return members.size();
  }

  /** Returns one rank. */
  public Member member(int rank) {
    return members.get(rank);
  }

  /** Does something for each rank in turn, on this thread. */
  public void each(Consumer<Member> action) {
    members.forEach(action);
  }

  /**
   * Launches something for each rank in turn.
   *
   * @param rule the rule that is broken when a launch is refused
   */
  public void launch(String rule, String what, Consumer<Member> action) {
    for (Member member : members) {
      session.run(rule, what + " of rank " + member.rank(), () -> action.accept(member));
    }
  }

  /** Waits until the streams of all ranks have done their work. */
  public void finish() {
    members.forEach(member -> session.finish("DEVTEAM-09", member.stream()));
  }

  /**
   * Opens a window on all ranks.
   *
   * @param address finds the first byte of a rank's piece
   */
  public List<TeamWindow> window(Function<Member, Long> address, long size) {
    return collective(
        "DEVTEAM-11",
        "openWindow",
        member -> member.team().openWindow(address.apply(member), size));
  }

  /** Closes windows on all ranks. */
  public void close(List<TeamWindow> windows) {
    collective(
        "DEVTEAM-11",
        "close of a window",
        member -> {
          windows.get(member.rank()).close();
          return true;
        });
  }

  /** Closes the team on all ranks. */
  public void closeTeam() {
    each(member -> session.run("DEVTEAM-19", "close of a team", member.team()::close));
  }

  /** Closes the streams and lets the session forget all this: for tests that join many teams. */
  public void forget() {
    members.forEach(member -> session.forget(member.team(), member.stream()));
  }

  /** Makes a call that exchanges, on a thread for each rank, and returns the results. */
  public <T> List<T> collective(String rule, String what, Function<Member, T> call) {
    List<T> results =
        beside(
            session,
            size(),
            rank -> {
              exchange.entering(rank);
              try {
                T result = call.apply(members.get(rank));
                exchange.leaving(rank, null);
                return result;
              } catch (Throwable e) {
                exchange.leaving(rank, e);
                throw e;
              }
            },
            rule,
            what);
    exchange.check();
    return results;
  }

  /** Returns the exchange of the ranks. */
  public RankExchange exchange() {
    return exchange;
  }

  /** Forgets a call that failed on purpose. */
  public void restart() {
    exchange.restart();
  }

  /** Runs something on a thread for each rank and collects the results. */
  private static <T> List<T> beside(
      DeviceSession session,
      int ranks,
      java.util.function.IntFunction<T> work,
      String rule,
      String what) {
    List<Thread> threads = new ArrayList<>();
    @Nullable Object[] results = new Object[ranks];
    @Nullable Throwable[] thrown = new Throwable[ranks];
    for (int i = 0; i < ranks; i++) {
      int rank = i;
      threads.add(
          Thread.ofPlatform()
              .daemon()
              .name("tck-rank-" + rank)
              .start(() -> {
                try {
                  results[rank] = work.apply(rank);
                } catch (Throwable e) {
                  thrown[rank] = e;
                }
              }));
    }
    long end = System.nanoTime() + session.patient(JOINING);
    for (int rank = 0; rank < ranks; rank++) {
      try {
        long left = Math.max(1, end - System.nanoTime());
        if (!threads.get(rank).join(java.time.Duration.ofNanos(left))) {
          throw new RuleViolation(rule, what + " of rank " + rank + " has not returned");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("the test was interrupted", e);
      }
    }
    List<T> all = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      Throwable e = thrown[rank];
      if (e instanceof RuleViolation violation) {
        throw violation;
      }
      if (e instanceof Inapplicable none) {
        throw none;
      }
      if (e != null) {
        throw new RuleViolation(rule, what + " of rank " + rank + " threw " + e, e);
      }
      @SuppressWarnings("unchecked") // what this rank's work returned
      T result = (T) results[rank];
      all.add(result);
    }
    return all;
  }
}
