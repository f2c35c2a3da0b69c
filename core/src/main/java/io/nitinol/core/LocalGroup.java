// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import io.nitinol.core.bootstrap.UniqueId;
import io.nitinol.core.progress.LocalRanks;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** All ranks of a group in one process. */
final class LocalGroup {
  private LocalGroup() {}

  static List<Communicator> init(int nRanks, CommConfig config) {
    if (nRanks < 1) {
      throw new CommException(
          ResultCode.INVALID_ARGUMENT, "initAll: nRanks is " + nRanks + "; expected 1 or more");
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
      Thread.ofPlatform().daemon().name("nitinol-init-" + r).start(task);
    }
    List<Communicator> communicators = new ArrayList<>();
    CommException failure = null;
    for (FutureTask<Communicator> task : tasks) {
      try {
        communicators.add(get(task));
      } catch (ExecutionException e) {
        failure = rootOf(failure, e.getCause());
      }
    }
    if (failure != null) {
      for (Communicator communicator : communicators) {
        communicator.abort();
        communicator.close();
      }
      throw failure;
    }
    LocalRanks.join(communicators.stream().map(Communicator::engine).toList());
    return List.copyOf(communicators);
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
