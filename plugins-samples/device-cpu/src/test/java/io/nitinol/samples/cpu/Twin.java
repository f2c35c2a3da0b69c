// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** The twin as the tests use it. */
final class Twin {
  static final CpuDeviceProvider PROVIDER = new CpuDeviceProvider();

  /** Longer than anything here takes on a busy machine. */
  static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private Twin() {}

  static Device device(int index) {
    assertThat(PROVIDER.unavailable()).isNull();
    return PROVIDER.devices().get(index);
  }

  static MemorySegment bytesOf(DeviceMemory memory) {
    return Objects.requireNonNull(memory.segment());
  }

  static void finish(DeviceStream stream) {
    assertThat(stream.synchronize(PATIENCE_NANOS)).as("the stream came free").isTrue();
  }

  /** Returns how many files of device memory this process has made and not removed. */
  static long filesOfMemory() throws IOException {
    String mine = SharedFile.prefixOf(OwnerProcess.SELF);
    try (Stream<Path> files = Files.list(SharedFile.directory())) {
      return files.filter(file -> file.getFileName().toString().startsWith(mine)).count();
    }
  }

  static void fillRandomly(MemorySegment segment, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] bytes = new byte[Math.toIntExact(segment.byteSize())];
    random.nextBytes(bytes);
    segment.copyFrom(MemorySegment.ofArray(bytes));
  }

  static void assertFails(DeviceFailure failure, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            DeviceException.class, e -> assertThat(e.failure()).isEqualTo(failure));
  }
}
