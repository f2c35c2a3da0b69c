// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageCacheTest {
  @TempDir private Path home;

  private final AtomicInteger made = new AtomicInteger();

  private ImageCache cache() {
    return new ImageCache(home.resolve("guests"));
  }

  private GuestImage get(String key) throws Exception {
    return cache().get(key, this::make);
  }

  private void make(Path directory) throws IOException {
    assertThat(directory).isEmptyDirectory();
    made.incrementAndGet();
    Files.writeString(directory.resolve(GuestImage.KERNEL), "a kernel");
    Files.writeString(directory.resolve(GuestImage.INITRAMFS), "modules");
  }

  @Test
  void makesAnImageOnce() throws Exception {
    GuestImage image = get("6.12-a");
    assertThat(get("6.12-a")).isEqualTo(image);
    assertThat(image.kernel()).hasContent("a kernel");
    assertThat(image.initramfs()).hasContent("modules");
    assertThat(made).hasValue(1);
  }

  @Test
  void makesAnotherForAnotherKey() throws Exception {
    assertThat(get("6.12-a")).isNotEqualTo(get("6.12-b"));
    assertThat(made).hasValue(2);
    assertThat(cache().keys()).containsExactlyInAnyOrder("6.12-a", "6.12-b");
  }

  @Test
  void replacesADamagedImage() throws Exception {
    GuestImage image = get("6.12-a");
    Files.writeString(image.kernel(), "a kermel");
    assertThat(get("6.12-a").kernel()).hasContent("a kernel");
    Files.delete(image.initramfs());
    assertThat(get("6.12-a").initramfs()).hasContent("modules");
    assertThat(made).hasValue(3);
  }

  @Test
  void passesOverWhatAKilledBuildHasLeft() throws Exception {
    Path left = Files.createDirectories(home.resolve("guests/6.12-a.new"));
    Files.writeString(left.resolve(GuestImage.KERNEL), "half a ker");
    assertThat(cache().keys()).isEmpty();
    assertThat(get("6.12-a").kernel()).hasContent("a kernel");
    assertThat(left).doesNotExist();
  }

  @Test
  void leavesNothingWhereItCannotBeMade() {
    assertThatThrownBy(() ->
            cache()
                .get(
                    "6.12-a",
                    directory -> {
                      Files.writeString(directory.resolve(GuestImage.KERNEL), "half a ker");
                      throw new GuestUnavailable("no network");
                    }))
        .isInstanceOf(GuestUnavailable.class);
    assertThat(home.resolve("guests")).isDirectoryNotContaining("glob:**6.12*");
  }

  @Test
  void severalAtOnceMakeOne() throws Exception {
    int builds = 8;
    CountDownLatch together = new CountDownLatch(builds);
    try (ExecutorService executor = Executors.newFixedThreadPool(builds)) {
      Callable<GuestImage> build =
          () -> {
            together.countDown();
            assertThat(together.await(240, TimeUnit.SECONDS)).isTrue();
            return get("6.12-a");
          };
      List<Future<GuestImage>> all = new ArrayList<>();
      for (int i = 0; i < builds; i++) {
        all.add(executor.submit(build));
      }
      for (Future<GuestImage> each : all) {
        assertThat(each.get(240, TimeUnit.SECONDS).kernel()).hasContent("a kernel");
      }
    }
    assertThat(made).hasValue(1);
  }

  @Test
  void removesWhatNobodyUsesAnyMore() throws Exception {
    Path old = get("6.12-old").kernel().resolveSibling(".").normalize();
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofDays(40))));
    get("6.12-a");
    assertThat(cache().keys()).containsExactly("6.12-a");
  }
}
