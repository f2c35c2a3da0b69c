// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.HostAndPort;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SwitchDevicesTest {

  @Test
  void aSwitchForEachTreeIsRead() {
    assertThat(SwitchDevices.parse("")).isEmpty();
    assertThat(SwitchDevices.parse("10.0.0.1:7777, [fe80::1%eth0]:80 ,leaf-3.rack:65535"))
        .extracting(HostAndPort::toString)
        .isEqualTo(List.of("10.0.0.1:7777", "[fe80::1%eth0]:80", "leaf-3.rack:65535"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "host",
        "host:",
        ":1",
        "host:0",
        "host:65536",
        "host:7x",
        "fe80::1:80",
        "a:1,,b:2"
      })
  void whatIsNoListOfSwitchesIsRefusedByName(String text) {
    assertThatThrownBy(() -> SwitchDevices.parse(text))
        .isInstanceOfSatisfying(
            NetException.class, e -> assertThat(e.result()).isEqualTo(ResultCode.INVALID_USAGE))
        .hasMessageContaining("NITINOL_COLLNET_SWITCH=" + text)
        .hasMessageContaining("expected host:port");
  }
}
