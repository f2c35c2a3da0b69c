// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.TeamExchange;
import io.nitinol.spi.device.v1.TeamTransfer;
import io.nitinol.spi.device.v1.TeamWindow;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Device providers whose teams are wrong. */
public final class DeviceTeamMistakes {
  private DeviceTeamMistakes() {}

  private static DeviceTeamConfig with(DeviceTeamConfig config, TeamExchange exchange) {
    return new DeviceTeamConfig(config.rank(), config.processes(), config.blocks(), exchange);
  }

  private static boolean severalProcesses(DeviceTeamConfig config) {
    return new HashSet<>(config.processes()).size() > 1;
  }

  /** Counts ranks from one. */
  @Breaks(value = "DEVTEAM-02", also = "DEV-14")
  public static final class CountsFromOne extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      return answer instanceof Integer rank && call.is(DeviceTeam.class, "rank")
          ? rank + 1
          : answer;
    }
  }

  /** Runs more blocks than it was told. */
  @Breaks("DEVTEAM-02")
  public static final class ManyBlocks extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      return call.is(DeviceTeam.class, "blocks") ? 2 : answer;
    }
  }

  /** Forms no teams of processes. */
  @Breaks(value = "DEVTEAM-03", also = "DEVTEAM-17")
  public static final class OneProcessOnly extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      if (call.is(Device.class, "joinTeam")
          && call.argument(0) instanceof DeviceTeamConfig config
          && severalProcesses(config)) {
        throw failure(DeviceFailure.UNSUPPORTED);
      }
      return call.proceed();
    }
  }

  /** Leaves the exchange to a thread of its own. */
  @Breaks("DEVTEAM-04")
  public static final class ExchangesElsewhere extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      if (call.is(Device.class, "joinTeam")
          && call.argument(0) instanceof DeviceTeamConfig config) {
        TeamExchange exchange = config.exchange();
        call.with(
            0,
            with(
                config,
                mine -> {
                  try {
                    return CompletableFuture.supplyAsync(
                            () -> exchange.exchange(mine), task -> Thread.ofPlatform().start(task))
                        .join();
                  } catch (CompletionException e) {
                    throw (RuntimeException) e.getCause();
                  }
                }));
      }
      return call.proceed();
    }
  }

  /** Has a failure of its own for what the exchange throws. */
  @Breaks("DEVTEAM-04")
  public static final class WrapsWhatTheExchangeThrows extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      try {
        return call.proceed();
      } catch (DeviceException e) {
        throw e;
      } catch (NetException e) {
        throw new DeviceException(DeviceFailure.DRIVER_ERROR, "the exchange failed", e);
      }
    }
  }

  /** Has another failure for a window on each rank. */
  @Breaks("DEVTEAM-05")
  public static final class FailsByRank extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return call.is(DeviceTeam.class, "openWindow")
              && call.on(DeviceTeam.class).rank() == 0
              && call.number(1) > 0
          ? call.failingWith(DeviceFailure.DRIVER_ERROR, DeviceFailure.INVALID_ARGUMENT)
          : call.proceed();
    }
  }

  /** Keeps what it has made for a team when the others do not come. */
  @Breaks("DEVTEAM-05")
  public static final class KeepsWhatFailedJoinsMade extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      if (call.is(Device.class, "joinTeam")) {
        DeviceMemory made = call.on(Device.class).allocate(4096);
        Object answer = call.proceed();
        made.close();
        return answer;
      }
      return call.proceed();
    }
  }

  /** Is aborted by a window that cannot be opened. */
  @Breaks("DEVTEAM-05")
  public static final class WindowEndsTheTeam extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      try {
        return call.proceed();
      } catch (DeviceException e) {
        if (call.is(DeviceTeam.class, "openWindow")
            && e.failure() == DeviceFailure.INVALID_ARGUMENT) {
          call.on(DeviceTeam.class).abort("no window");
        }
        throw e;
      }
    }
  }

  /** Waits in a launch for the other ranks. */
  @Breaks("DEVTEAM-07")
  public static final class LaunchWaits extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      if (call.is(DeviceTeam.class, "broadcast")
          && call.number(3) == 5000
          && call.argument(0) instanceof DeviceStream stream
          && !stream.isCapturing()) {
        stream.synchronize(TimeUnit.MILLISECONDS.toNanos(160));
      }
      return answer;
    }
  }

  /**
   * Gets ready for a type when it is asked for or first launched, which waits for kernels that run.
   */
  @Breaks("DEVTEAM-07")
  public static final class LoadsATypeInItsFirstLaunch extends WrongDevices {
    private final Set<Object> ready = ConcurrentHashMap.newKeySet();
    private volatile @Nullable DeviceStream running;

    @Override
    @Nullable Object answer(Call call) {
      if (call.is(DeviceTeam.class, "supports")
          && call.argument(1) instanceof DeviceReduction reduction) {
        ready.add(reduction.type());
      }
      if (call.is(DeviceTeam.class, "allReduce")
          && call.argument(0) instanceof DeviceStream stream
          && call.argument(1) instanceof DeviceReduction reduction
          && !stream.isCapturing()) {
        DeviceStream before = running;
        if (ready.add(reduction.type()) && before != null) {
          before.synchronize(TimeUnit.MILLISECONDS.toNanos(160));
        }
        running = stream;
      }
      return call.proceed();
    }
  }

  /** Forgets the last element of long odd vectors. */
  @Breaks(
      value = "DEVTEAM-09",
      also = {"DEVTEAM-11", "DEVTEAM-12"})
  public static final class ForgetsTheLastElement extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      boolean odd =
          call.is(DeviceTeam.class, "allReduce")
              && call.number(4) > 100
              && call.number(4) % 2 == 1
              && call.number(2) != call.number(3);
      return (odd ? call.with(4, call.number(4) - 1) : call).proceed();
    }
  }

  /** Sends the data of the wrong root where a rank is the root itself. */
  @Breaks(
      value = "DEVTEAM-09",
      also = {"DEVTEAM-10", "DEVTEAM-11"})
  public static final class RootKeepsItsResult extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      boolean other =
          call.is(DeviceTeam.class, "broadcast")
              && call.on(DeviceTeam.class).ranks() > 1
              && call.number(3) == 257;
      return (other ? call.with(3, 256L) : call).proceed();
    }
  }

  /** Forgets the last element where the result goes over the source. */
  @Breaks(value = "DEVTEAM-10", also = "DEVTEAM-11")
  public static final class ForgetsTheLastInPlace extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      boolean inPlace =
          call.is(DeviceTeam.class, "allReduce")
              && call.number(2) == call.number(3)
              && call.number(4) > 1;
      return (inPlace ? call.with(4, call.number(4) - 1) : call).proceed();
    }
  }

  /** Takes windows to begin with the allocation. */
  @Breaks("DEVTEAM-11")
  public static final class WindowsBeginElsewhere extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      return answer instanceof Long address && call.is(TeamWindow.class, "address")
          ? address & ~255L
          : answer;
    }
  }

  /** Closes a window that is used under another name as well. */
  @Breaks("DEVTEAM-11")
  public static final class SecondCloseOfAWindowFails extends WrongDevices {
    private final Set<Object> closed = ConcurrentHashMap.newKeySet();

    @Override
    @Nullable Object answer(Call call) {
      if (call.is(TeamWindow.class, "close") && !closed.add(call.on(TeamWindow.class))) {
        throw failure(DeviceFailure.INVALID_STATE);
      }
      return call.proceed();
    }
  }

  /** Uses the source as room to work in. */
  @Breaks(
      value = "DEVTEAM-12",
      also = {"DEVTEAM-09", "DEVTEAM-11"})
  public static final class WorksInTheSource extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      if (call.is(DeviceTeam.class, "allGather")
          && call.argument(0) instanceof DeviceStream stream
          && call.number(3) == 4099) {
        long own = call.number(2) + call.on(DeviceTeam.class).rank() * call.number(3);
        if (own != call.number(1)) {
          stream.fill(call.number(1), (byte) 0, 1);
        }
      }
      return answer;
    }
  }

  /** Records no launches. */
  @Breaks("DEVTEAM-13")
  public static final class RecordsNoLaunches extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return call.is(DeviceTeam.class, "allReduce")
              && call.argument(0) instanceof DeviceStream stream
              && stream.isCapturing()
          ? null
          : call.proceed();
    }
  }

  /** Sends nothing to itself. */
  @Breaks("DEVTEAM-14")
  public static final class SendsNothingToItself extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      if (call.is(DeviceTeam.class, "transfer")
          && call.argument(1) instanceof List<?> transfers
          && transfers.stream().allMatch(Objects::nonNull)) {
        int own = call.on(DeviceTeam.class).rank();
        return call.with(
                1, transfers.stream().filter(each -> ((TeamTransfer) each).peer() != own).toList())
            .proceed();
      }
      return call.proceed();
    }
  }

  /** Takes roots beyond the team for ones in it. */
  @Breaks("DEVTEAM-15")
  public static final class RootsWrapAround extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      if (call.is(DeviceTeam.class, "broadcast")
          && call.number(4) == call.on(DeviceTeam.class).ranks()) {
        return null;
      }
      return call.proceed();
    }
  }

  /** Supports less on one rank than on others. */
  @Breaks("DEVTEAM-15")
  public static final class RanksSupportDifferently extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return call.is(DeviceTeam.class, "supports")
              && call.on(DeviceTeam.class).rank() == 1
              && call.argument(1) instanceof DeviceReduction reduction
              && reduction.preMultiplied()
          ? false
          : call.proceed();
    }
  }

  /** Says nothing of an abort but to those that launch. */
  @Breaks(value = "DEVTEAM-16", also = "DEVTEAM-17")
  public static final class KeepsItsFailure extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      return call.is(DeviceTeam.class, "failure") ? null : answer;
    }
  }

  /** Forgets why it was aborted. */
  @Breaks("DEVTEAM-16")
  public static final class LosesTheReason extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return (call.is(DeviceTeam.class, "abort") ? call.with(0, "aborted") : call).proceed();
    }
  }

  /** Has no failure to report where the rank that ended was a process. */
  @Breaks("DEVTEAM-17")
  public static final class DoesNotMissProcesses extends WrongDevices {
    private final Map<Object, Boolean> across = new ConcurrentHashMap<>();

    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      if (call.is(Device.class, "joinTeam")
          && answer instanceof DeviceTeam team
          && call.argument(0) instanceof DeviceTeamConfig config
          && severalProcesses(config)) {
        across.put(team, true);
      }
      return call.is(DeviceTeam.class, "failure") && across.containsKey(call.on(DeviceTeam.class))
          ? null
          : answer;
    }
  }

  /** Runs one team at a time: a launch waits behind the streams of all others. */
  @Breaks("DEVTEAM-18")
  public static final class OneTeamAtATime extends WrongDevices {
    private final Map<Object, DeviceStream> last = new ConcurrentHashMap<>();
    private final Map<Object, DeviceTeam> teams = new ConcurrentHashMap<>();

    @Override
    @Nullable Object answer(Call call) {
      if (call.is(DeviceTeam.class, "allReduce")
          && call.argument(0) instanceof DeviceStream stream
          && !stream.isCapturing()) {
        DeviceTeam team = call.on(DeviceTeam.class);
        Device device = team.device();
        DeviceStream before = last.put(device, stream);
        DeviceTeam other = teams.put(device, team);
        if (before != null && other != team && before != stream) {
          try (var event = device.createEvent(false)) {
            before.record(event);
            stream.await(event);
          } catch (DeviceException e) {
            // That stream is closed, and nothing to wait for.
            return call.proceed();
          }
        }
      }
      return call.proceed();
    }
  }

  /** Keeps its teams when they are closed. */
  @Breaks(value = "DEVTEAM-19", also = "DEV-14")
  public static final class KeepsClosedTeams extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return call.is(DeviceTeam.class, "close") ? null : call.proceed();
    }
  }
}
