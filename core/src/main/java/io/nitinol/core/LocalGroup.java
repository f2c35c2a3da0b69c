// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.progress.LocalRanks;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Makes all ranks of a group in one process, each on a thread of its own. */
final class LocalGroup {
  private LocalGroup() {}

  static List<Communicator> init(int nRanks, CommConfig config) {
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
    List<FutureTask<Communicator>> tasks = new ArrayList<>();
    for (int r = 0; r < nRanks; r++) {
      int rank = r;
      FutureTask<Communicator> task =
          new FutureTask<>(() -> Communicator.init(id, nRanks, rank, config));
      tasks.add(task);
    }
    CommException failure = start(tasks);
    if (failure != null) {
      id.close(); // ends the waits of those that did start
    }
    List<Communicator> communicators = new ArrayList<>();
    for (FutureTask<Communicator> task : tasks) {
      try {
        if (!task.isCancelled()) {
          communicators.add(get(task));
        }
      } catch (ExecutionException e) {
        failure = rootOf(failure, e.getCause());
      }
    }
    if (failure != null) {
      List<Runnable> endings = new ArrayList<>();
      communicators.forEach(each -> endings.add(each::abort));
      communicators.forEach(each -> endings.add(each::close));
      runAll(endings, failure);
      throw failure;
    }
    LocalRanks.join(communicators.stream().map(Communicator::engine).toList());
    return List.copyOf(communicators);
  }

  /** Starts a thread for each; where one cannot start it and those after it are cancelled. */
  private static @Nullable CommException start(List<FutureTask<Communicator>> tasks) {
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

  /** Waits for a rank, which ends within the bootstrap's limits. */
  private static Communicator get(FutureTask<Communicator> task) throws ExecutionException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
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
