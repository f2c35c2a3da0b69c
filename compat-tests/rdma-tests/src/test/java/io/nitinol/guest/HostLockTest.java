// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostLockTest {
  private static final Duration AN_HOUR = Duration.ofHours(1);

  @TempDir private Path directory;

  @Test
  void theSecondWaitsForTheFirst() throws IOException, InterruptedException, ExecutionException {
    Path file = directory.resolve("turn");
    AtomicBoolean held = new AtomicBoolean(true);
    CompletableFuture<Boolean> second = new CompletableFuture<>();
    HostLock first = HostLock.take(file, AN_HOUR);
    Thread other =
        Thread.ofPlatform()
            .start(() -> {
              try (HostLock lock = HostLock.take(file, AN_HOUR)) {
                second.complete(held.get());
              } catch (IOException | InterruptedException e) {
                second.completeExceptionally(e);
              }
            });
    assertThatThrownBy(() -> HostLock.take(file, Duration.ofMillis(50)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another thread or process holds " + file);
    held.set(false);
    first.close();
    assertThat(second.get()).as("held by two").isFalse();
    other.join();
  }

  @Test
  void anInterruptEndsTheWait() throws IOException, InterruptedException {
    Path file = directory.resolve("turn");
    try (HostLock lock = HostLock.take(file, AN_HOUR)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> HostLock.take(file, AN_HOUR))
          .isInstanceOf(InterruptedException.class);
    }
    HostLock.take(file, AN_HOUR).close();
  }
}
