// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.ResultCode;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Which addresses a configuration takes for the device that a rank works on. */
final class CommConfigTest {
  private static String near(String address) {
    return String.valueOf(CommConfig.standard().withNear(address).near());
  }

  @Test
  void addressesAreWrittenAsTheKernelWritesThem() {
    assertThat(near("0000:4e:00.0")).isEqualTo("0000:4e:00.0");
    assertThat(near("0000:4E:00.0")).isEqualTo("0000:4e:00.0");
    assertThat(near("00000000:4E:00.0")).as("as nvidia-smi writes it").isEqualTo("0000:4e:00.0");
    assertThat(near("00010000:4e:00.0")).as("another domain").isEqualTo("00010000:4e:00.0");
  }

  @Test
  void whatIsNoAddressIsRefused() {
    for (String wrong : new String[] {"", "4e:00.0", "../..", "0000:4e:00.8", "0000:4e:00.0\0"}) {
      assertThatThrownBy(() -> near(wrong))
          .as(wrong)
          .hasMessageContaining("expected a PCI address such as 0000:11:00.0")
          .asInstanceOf(InstanceOfAssertFactories.type(CommException.class))
          .extracting(CommException::result)
          .isEqualTo(ResultCode.INVALID_ARGUMENT);
    }
  }
}
