// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.progress.LocalRanks;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Makes all ranks of a group in one process, each on a thread of its own. */
final class LocalGroup {
  private LocalGroup() {}

  static List<Communicator> init(int nRanks, CommConfig config) {
    return init(nRanks, config, _ -> config);
  }

  private static List<Communicator> init(
      int nRanks, CommConfig config, IntFunction<CommConfig> ofRank) {
    if (nRanks < 1) {
      throw new CommException(
          ResultCode.INVALID_ARGUMENT,
          ErrorText.of("initAll: nRanks is %d; expected 1 or more", nRanks));
    }
    UniqueId id;
    try {
      id = UniqueId.create(config.settings(), config.logger());
    } catch (NetException e) {
      throw new CommException(e.result(), -1, String.valueOf(e.getMessage()), e);
    }
    Outcome<Communicator> outcome =
        onThreads(
            nRanks, rank -> Communicator.init(id, nRanks, rank, ofRank.apply(rank)), id::close);
    List<Communicator> communicators = outcome.made();
    CommException failure = outcome.failure();
    if (failure != null) {
      giveUp(communicators, failure);
      throw failure;
    }
    LocalRanks.join(communicators.stream().map(Communicator::engine).toList());
    return List.copyOf(communicators);
  }

  /** Makes all ranks of a group on the memory of devices, each on a device of its own. */
  static List<DeviceCommunicator> init(
      DeviceProvider provider, List<Device> devices, CommConfig config) {
    List<Communicator> communicators =
        init(devices.size(), config, rank -> DeviceCommunicator.near(config, devices.get(rank)));
    Outcome<DeviceCommunicator> outcome =
        onThreads(
            devices.size(),
            rank ->
                DeviceCommunicator.join(communicators.get(rank), provider, devices.get(rank), true),
            () -> communicators.forEach(Communicator::abort));
    CommException failure = outcome.failure();
    if (failure != null) {
      List<Runnable> endings = new ArrayList<>();
      communicators.forEach(each -> endings.add(each::abort));
      outcome.made().forEach(each -> endings.add(each::close)); // and their communicators
      runAll(endings, failure);
      giveUp(communicators, failure);
      throw failure;
    }
    return outcome.made();
  }

  private static void giveUp(List<Communicator> communicators, CommException failure) {
    List<Runnable> endings = new ArrayList<>();
    communicators.forEach(each -> endings.add(each::abort));
    communicators.forEach(each -> endings.add(each::close));
    runAll(endings, failure);
  }

  /** What became of all ranks: those that were made, and the first failure of the others. */
  private record Outcome<T>(List<T> made, @Nullable CommException failure) {}

  /**
   * Makes something for each rank on a thread of its own, and waits for all.
   *
   * @param cancel ends the waits of those that did start, where one could not
   */
  private static <T> Outcome<T> onThreads(int ranks, IntFunction<T> maker, Runnable cancel) {
    List<FutureTask<T>> tasks = new ArrayList<>();
    for (int r = 0; r < ranks; r++) {
      int rank = r;
      FutureTask<T> task = new FutureTask<>(() -> maker.apply(rank));
      tasks.add(task);
    }
    CommException failure = start(tasks);
    if (failure != null) {
      cancel.run();
    }
    List<T> made = new ArrayList<>();
    for (FutureTask<T> task : tasks) {
      try {
        if (!task.isCancelled()) {
          made.add(Waits.uninterrupted(task::get)); // ends within the bootstrap's limits
        }
      } catch (ExecutionException e) {
        failure = rootOf(failure, e.getCause());
      }
    }
    return new Outcome<>(List.copyOf(made), failure);
  }

  /** Starts a thread for each; where one cannot start it and those after it are cancelled. */
  private static <T> @Nullable CommException start(List<FutureTask<T>> tasks) {
    for (int r = 0; r < tasks.size(); r++) {
      try {
        Thread.ofPlatform().daemon().name("nitinol-init-" + r).start(tasks.get(r));
      } catch (OutOfMemoryError e) {
        tasks.subList(r, tasks.size()).forEach(task -> task.cancel(false));
        return new CommException(
            ResultCode.SYSTEM_ERROR,
            r,
            ErrorText.of(
                "initAll: cannot start the thread of rank %d: %s",
                r, String.valueOf(e.getMessage())),
            e);
      }
    }
    return null;
  }

  /** Runs all, whatever one of them throws, which is kept with {@code failure}. */
  static void runAll(List<Runnable> endings, CommException failure) {
    for (Runnable ending : endings) {
      try {
        ending.run();
      } catch (RuntimeException | Error e) {
        failure.addSuppressed(e);
      }
    }
  }

  /** Returns the first failure, the others as suppressed ones of it. */
  private static CommException rootOf(@Nullable CommException first, @Nullable Throwable next) {
    CommException failure =
        next instanceof CommException e
            ? e
            : new CommException(
                ResultCode.INTERNAL_ERROR, -1, "a rank could not start: " + next, next);
    if (first == null) {
      return failure;
    }
    first.addSuppressed(failure);
    return first;
  }
}
