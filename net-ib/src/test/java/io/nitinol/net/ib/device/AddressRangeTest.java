// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
  void gidsAreReadAndWrittenByteByByte() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(32);
      Gid gid = new Gid(0xfe80_0102_0304_0506L, 0x1122_3344_5566_7788L);
      gid.write(memory, 3);
      assertThat(memory.get(ValueLayout.JAVA_BYTE, 3)).isEqualTo((byte) 0xfe);
      assertThat(memory.get(ValueLayout.JAVA_BYTE, 18)).isEqualTo((byte) 0x88);
      assertThat(Gid.read(memory, 3)).isEqualTo(gid);
      assertThat(gid.isLinkLocal()).isTrue();
      assertThat(gid.flid()).isEqualTo(0x0304);
    }
  }

  @Test
  void gidsShowAsAddresses() {
    assertThat(gid("10.77.0.1")).hasToString("10.77.0.1");
    assertThat(gid("10.77.0.1").isIpv4()).isTrue();
    assertThat(gid("fe80::1")).hasToString("fe80:0:0:0:0:0:0:1");
    assertThat(gid("fe80::1").isIpv4()).isFalse();
    assertThat(new Gid(0, 0).isEmpty()).isTrue();
    assertThat(new Gid(0, 5).isEmpty()).isFalse();
  }
}
