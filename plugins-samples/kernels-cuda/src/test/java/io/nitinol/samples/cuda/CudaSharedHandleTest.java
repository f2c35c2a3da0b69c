// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import java.util.Random;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class CudaSharedHandleTest {

  private static byte[] random(int size) {
    byte[] bytes = new byte[size];
    new Random(1).nextBytes(bytes);
    return bytes;
  }

  @Test
  void readsWhatItWrote() {
    byte[] encoded =
        new CudaSharedHandle(77, random(CudaSharedHandle.DRIVER_SIZE), 1L << 33, 5).encode();
    assertThat(encoded).hasSize(CudaSharedHandle.SIZE);
    CudaSharedHandle read = CudaSharedHandle.decode(encoded);
    assertThat(read.process()).isEqualTo(77);
    assertThat(read.driver()).isEqualTo(random(CudaSharedHandle.DRIVER_SIZE));
    assertThat(read.offset()).isEqualTo(1L << 33);
    assertThat(read.size()).isEqualTo(5);
  }

  private static void isNone(byte[] bytes) {
    assertThatThrownBy(() -> CudaSharedHandle.decode(bytes))
        .asInstanceOf(InstanceOfAssertFactories.type(DeviceException.class))
        .extracting(DeviceException::failure)
        .isEqualTo(DeviceFailure.INVALID_ARGUMENT);
  }

  @Test
  void otherBytesNeverReachTheDriver() {
    isNone(new byte[CudaSharedHandle.SIZE]);
    isNone(random(CudaSharedHandle.SIZE));
    isNone(random(CudaSharedHandle.SIZE - 1));
    byte[] encoded = new CudaSharedHandle(77, random(CudaSharedHandle.DRIVER_SIZE), 0, 5).encode();
    for (int i = 0; i < encoded.length; i++) {
      byte[] damaged = encoded.clone();
      damaged[i] ^= 1;
      isNone(damaged);
    }
  }
}
