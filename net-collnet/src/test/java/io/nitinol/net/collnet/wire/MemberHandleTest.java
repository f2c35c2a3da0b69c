// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemberHandleTest {

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "10.1.2.3", "::1", "fe80::1:2"})
  void whatIsWrittenIsReadFrom64Bytes(String host) {
    MemberHandle handle =
        new MemberHandle(
            host.startsWith("1"),
            new InetSocketAddress(host, 65_535),
            GroupId.random(),
            MemberHandle.Key.random());
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(MemberHandle.BYTES, 8);
      handle.writeTo(buffer);
      assertThat(MemberHandle.readFrom(buffer)).isEqualTo(handle);
    }
  }

  @Test
  void otherBytesAreNoHandle() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(MemberHandle.BYTES, 8);
      assertThat(MemberHandle.readFrom(buffer)).isNull();
      new MemberHandle(
              true,
              new InetSocketAddress("127.0.0.1", 1),
              GroupId.random(),
              MemberHandle.Key.random())
          .writeTo(buffer);
      for (int at : new int[] {0, 7, 9}) {
        byte was = buffer.get(ValueLayout.JAVA_BYTE, at);
        buffer.set(ValueLayout.JAVA_BYTE, at, (byte) (was ^ 0x40));
        assertThat(MemberHandle.readFrom(buffer)).as("byte %d", at).isNull();
        buffer.set(ValueLayout.JAVA_BYTE, at, was);
      }
      assertThat(MemberHandle.readFrom(buffer)).isNotNull();
    }
  }

  @Test
  void neitherGroupNorKeyIsShown() {
    MemberHandle.Key key = new MemberHandle.Key(0x1122334455667788L, 5);
    GroupId group = new GroupId(0x0123456789abcdefL, 7);
    String text =
        new MemberHandle(true, new InetSocketAddress("127.0.0.1", 9), group, key).toString();
    assertThat(text).contains("01234567").doesNotContain("89abcdef", "1122334455667788", "12348");
  }
}
