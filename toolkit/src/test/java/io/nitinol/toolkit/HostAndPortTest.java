// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostAndPortTest {

  @ParameterizedTest
  @CsvSource({
    "node-1.example:80, node-1.example, 80",
    "192.0.2.1:65535, 192.0.2.1, 65535",
    "[2001:db8::1]:1, 2001:db8::1, 1",
    "[fe80::1%eth0]:4711, fe80::1%eth0, 4711"
  })
  void bothPartsAreReadAndWritten(String text, String host, int port) {
    HostAndPort read = HostAndPort.parse(text, 1);
    assertThat(read).isEqualTo(new HostAndPort(host, port)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ":",
        "host",
        "host:",
        ":80",
        "80",
        "host:0",
        "host:65536",
        "host:999999",
        "host:-1",
        "host:7x",
        "host: 7",
        " :80",
        " host:80",
        "a b:80",
        "[2001:db8::1 ]:80",
        "2001:db8::1:80",
        "[2001:db8::1]",
        "[2001:db8::1]80",
        "[]:80",
        "[2001:db8::1:80",
        "host:80:90"
      })
  void whatIsNotBothIsRefused(String text) {
    assertThatThrownBy(() -> HostAndPort.parse(text, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("expected host:port, ipv4:port or [ipv6]:port, with a port from 1 to 65535");
  }

  @Test
  void portZeroIsOneWhereTheCallerSaysSo() {
    assertThat(HostAndPort.parse("127.0.0.1:0", 0).port()).isZero();
  }
}
