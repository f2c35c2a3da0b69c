// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nitinol.net.ib.verbs.Gid;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRangeTest {

  static Gid gid(String address) {
    AddressRange single = AddressRange.parse(address);
    return single.network();
  }

  @ParameterizedTest(name = "{1} in {0}: {2}")
  @CsvSource({
    "10.1.0.0/16, 10.1.2.3, true",
    "10.1.0.0/16, 10.2.2.3, false",
    "10.1.2.3/16, 10.1.200.1, true",
    "10.1.2.128/25, 10.1.2.127, false",
    "10.1.2.128/25, 10.1.2.200, true",
    "10.1.2.3, 10.1.2.3, true",
    "10.1.2.3, 10.1.2.4, false",
    "0.0.0.0/0, 192.168.7.7, true",
    "0.0.0.0/0, fd00::1, false",
    "::/0, fd00::1, true",
    "::/0, 10.1.2.3, false",
    "fd00:1::/32, fd00:1:2::9, true",
    "fd00:1::/32, fd00:2::9, false",
    "fd00::/64, fd00::ffff:1, true",
    "fd00::8/125, fd00::f, true",
    "fd00::8/125, fd00::10, false",
  })
  void contains(String range, String address, boolean inside) {
    assertThat(AddressRange.parse(range).contains(gid(address))).isEqualTo(inside);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.1.0.0/33",
        "10.1.0.0/-1",
        "10.1.0.0/x",
        "10.1.0.0/",
        "10.1/16",
        "host/8",
        "/8"
      })
  void whatIsNoRangeIsRefusedByName(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AddressRange.parse(text))
        .withMessageContaining("NCCL_IB_ADDR_RANGE=" + text)
        .withMessageContaining("address/bits");
  }

  @Test
  void gidsShowAsAddresses() {
    assertThat(GidChoice.text(gid("10.77.0.1"))).isEqualTo("10.77.0.1");
    assertThat(gid("10.77.0.1").isIpv4()).isTrue();
    assertThat(GidChoice.text(gid("fe80::1"))).isEqualTo("fe80:0:0:0:0:0:0:1");
    assertThat(gid("fe80::1").isIpv4()).isFalse();
    assertThat(GidChoice.isLinkLocal(gid("febf::1"))).isTrue();
    assertThat(GidChoice.isLinkLocal(gid("fec0::1"))).isFalse();
    assertThat(gid("fec0:0:304::1").flid()).isEqualTo(0x304);
    assertThat(new Gid(0, 0).isEmpty()).isTrue();
    assertThat(new Gid(0, 5).isEmpty()).isFalse();
  }
}
