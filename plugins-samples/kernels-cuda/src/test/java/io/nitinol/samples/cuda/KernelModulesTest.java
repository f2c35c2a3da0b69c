// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.DataType;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the provider loads is what is committed, and it is loaded before it is launched. */
class KernelModulesTest {
  private static final Path PTX = Path.of("src/main/resources/io/nitinol/samples/cuda/ptx");

  @Test
  void entriesAreThoseOfTheList() throws IOException {
    List<String> wanted = new ArrayList<>();
    for (KernelFamily family : KernelFamily.values()) {
      String moves = ModuleLoader.module(family, null);
      ModuleLoader.entries(family, null).forEach(entry -> wanted.add(moves + " " + entry));
      for (DataType type : DataType.values()) {
        String module = ModuleLoader.module(family, type);
        ModuleLoader.entries(family, type).forEach(entry -> wanted.add(module + " " + entry));
      }
    }
    assertThat(Files.readAllLines(PTX.resolve("entries.txt")))
        .containsExactlyInAnyOrderElementsOf(wanted);
  }

  @Test
  void targetsAreThoseOfTheDirectories() throws IOException {
    try (var files = Files.list(PTX)) {
      assertThat(
              files
                  .filter(Files::isDirectory)
                  .map(directory -> directory.getFileName().toString())
                  .toList())
          .containsExactlyInAnyOrderElementsOf(
              ModuleLoader.TARGETS.stream().map(target -> "sm_" + target).toList());
    }
  }

  @Test
  void placesOfTheRingsMovesAreThoseOfTheirNames() {
    assertThat(KernelFamily.RING.moves().get(KernelFamily.GATHER)).endsWith("gather");
    assertThat(KernelFamily.RING.moves().get(KernelFamily.BROADCAST)).endsWith("broadcast");
  }

  /** Notes what is loaded; returns as many functions as there are entries. */
  private static final class Noting implements KernelModules.Loader {
    final Queue<String> loaded = new ConcurrentLinkedQueue<>();
    final Set<String> threads = ConcurrentHashMap.newKeySet();
    volatile @Nullable String broken;

    @Override
    public MemorySegment[] load(KernelFamily family, @Nullable DataType type) {
      String module = ModuleLoader.module(family, type);
      if (module.equals(broken)) {
        throw CudaFailures.of(DeviceFailure.DRIVER_ERROR, "%s is broken", module);
      }
      loaded.add(module);
      threads.add(Thread.currentThread().getName());
      MemorySegment[] functions = new MemorySegment[ModuleLoader.entries(family, type).size()];
      Arrays.setAll(functions, i -> MemorySegment.ofAddress(i + 1));
      return functions;
    }
  }

  private static List<KernelFamily> all() {
    return List.of(KernelFamily.values());
  }

  private static void isNotLoaded(ThrowingCallable call) {
    assertThatThrownBy(call)
        .asInstanceOf(InstanceOfAssertFactories.type(DeviceException.class))
        .extracting(DeviceException::failure)
        .isEqualTo(DeviceFailure.INVALID_STATE);
  }

  @Test
  void aLaunchLoadsNothing() {
    Noting noting = new Noting();
    KernelModules modules = new KernelModules(noting);
    isNotLoaded(() -> modules.reduction(KernelFamily.RING, DataType.INT8, 0));
    isNotLoaded(() -> modules.move(KernelFamily.LOCAL, 0));
    modules.load(List.of(KernelFamily.LOCAL));
    assertThat(modules.move(KernelFamily.LOCAL, 0).address()).isEqualTo(1);
    isNotLoaded(() -> modules.reduction(KernelFamily.RING, DataType.INT8, 0));
    assertThat(noting.loaded).hasSize(1 + DataType.values().length);
  }

  @Test
  void afterALoadEveryKernelIsThere() {
    KernelModules modules = new KernelModules(new Noting());
    modules.load(all());
    for (KernelFamily family : KernelFamily.values()) {
      for (int i = 0; i < family.moves().size(); i++) {
        assertThat(modules.move(family, i).address()).isEqualTo(i + 1);
      }
      for (DataType type : DataType.values()) {
        for (int i = 0; i < Operators.NAMES.size(); i++) {
          assertThat(modules.reduction(family, type, i).address()).isEqualTo(i + 1);
        }
      }
    }
  }

  @Test
  void severalRanksLoadEachModuleOnce() throws InterruptedException {
    Noting noting = new Noting();
    KernelModules modules = new KernelModules(noting);
    List<Thread> ranks = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      ranks.add(Thread.ofVirtual().start(() -> modules.load(all())));
    }
    for (Thread rank : ranks) {
      rank.join();
    }
    assertThat(noting.loaded)
        .doesNotHaveDuplicates()
        .hasSize(KernelFamily.values().length * (1 + DataType.values().length));
    assertThat(noting.threads)
        .allMatch(name -> name.startsWith("cuda-load-"))
        .hasSizeLessThanOrEqualTo(Runtime.getRuntime().availableProcessors());
  }

  @Test
  void whatCannotBeLoadedIsTriedAgainAndTheRestIsThere() {
    Noting noting = new Noting();
    noting.broken = "ll_i8";
    KernelModules modules = new KernelModules(noting);
    assertThatThrownBy(() -> modules.load(all()))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("ll_i8 is broken");
    isNotLoaded(() -> modules.reduction(KernelFamily.LL, DataType.INT8, 0));
    assertThat(modules.reduction(KernelFamily.RING, DataType.FLOAT64, 0).address()).isEqualTo(1);
    noting.broken = null;
    noting.loaded.clear();
    modules.load(all());
    assertThat(noting.loaded).containsExactly("ll_i8");
  }
}
