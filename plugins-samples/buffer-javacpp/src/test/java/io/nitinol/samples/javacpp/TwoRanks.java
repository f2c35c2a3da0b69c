// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.javacpp;

import io.nitinol.core.Communicator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Two ranks in threads of the test. */
final class TwoRanks {
  private TwoRanks() {}

  /** Runs the body on each of them; fails as the first does that fails. */
  static void each(Consumer<Communicator> body) throws Exception {
    List<Communicator> ranks = Communicator.initAll(2);
    try {
      List<CompletableFuture<Void>> running = new ArrayList<>();
      for (Communicator rank : ranks) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        running.add(future);
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try {
                body.accept(rank);
                future.complete(null);
              } catch (Throwable e) {
                rank.abort();
                future.completeExceptionally(e);
              }
            });
      }
      for (CompletableFuture<Void> future : running) {
        future.get(240, TimeUnit.SECONDS);
      }
    } finally {
      ranks.forEach(Communicator::close);
    }
  }
}
