// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.MemoryKind;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KeptMemoryTest {
  private final KeptMemory kept = new KeptMemory();
  private final List<Long> allocated = new ArrayList<>();
  private final List<Long> freed = new ArrayList<>();

  /** Is only passed on. */
  private final Device device =
      (Device)
          Proxy.newProxyInstance(
              Device.class.getClassLoader(),
              new Class<?>[] {Device.class},
              (proxy, method, arguments) -> null);

  private DeviceMemory take(long size) {
    return kept.take(
        size,
        wanted -> {
          allocated.add(wanted);
          return new CudaMemory(
              device,
              MemoryKind.DEVICE,
              1L << 20,
              wanted,
              null,
              () -> {
                freed.add(wanted);
              });
        });
  }

  @Test
  void whatIsGivenBackIsUsedAgainAndNeverFreed() {
    DeviceMemory first = take(100);
    DeviceMemory second = take(100);
    assertThat(second).isNotSameAs(first);
    kept.giveBack(first);
    assertThat(take(100)).isSameAs(first);
    kept.giveBack(second);
    kept.giveBack(first);
    assertThat(List.of(take(100), take(100))).containsExactlyInAnyOrder(first, second);
    assertThat(allocated).containsExactly(100L, 100L);
    assertThat(freed).isEmpty();
  }

  @Test
  void theSmallestThatIsLargeEnoughIsTaken() {
    List<DeviceMemory> pieces = List.of(take(300), take(100), take(200));
    pieces.forEach(kept::giveBack);
    assertThat(take(150).size()).isEqualTo(200);
    assertThat(take(150).size()).isEqualTo(300);
    assertThat(take(150).size()).isEqualTo(150);
    assertThat(take(1).size()).isEqualTo(100);
  }
}
