// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HandleBufferTest {
  private final Arena arena = Arena.ofShared();

  @AfterEach
  void close() {
    arena.close();
  }

  @Test
  void anAttemptHasTheSameBytesInEachCall() {
    MemorySegment host = arena.allocate(64, 8);
    HandleBuffer first = HandleBuffer.forConnect(host.address(), 64);
    first.bytes().set(ValueLayout.JAVA_BYTE, 3, (byte) 7);
    first.giveBack();
    first.keep();
    HandleBuffer other = HandleBuffer.forConnect(arena.allocate(64, 8).address(), 64);
    HandleBuffer again = HandleBuffer.forConnect(host.address(), 64);
    assertThat(other.bytes().address()).isNotEqualTo(first.bytes().address());
    assertThat(again.bytes().address()).isEqualTo(first.bytes().address());
    assertThat(again.bytes().get(ValueLayout.JAVA_BYTE, 3)).isEqualTo((byte) 7);
    other.release();
    again.release();
  }

  /** A process that connects for years must not allocate with each call. */
  @Test
  void whatIsReleasedIsUsedAgainAndClean() {
    MemorySegment host = arena.allocate(65, 8).asSlice(1);
    HandleBuffer first = HandleBuffer.forConnect(host.address(), 64);
    first.bytes().fill((byte) 9);
    first.release();
    HandleBuffer second = HandleBuffer.forListen(host.address(), 64);
    assertThat(second.bytes().address()).isEqualTo(first.bytes().address());
    assertThat(second.bytes().get(ValueLayout.JAVA_BYTE, 127)).isZero();
    second.release();
  }

  @Test
  void bytesThatAPluginCanUseAreTheHostsOwn() {
    MemorySegment host = arena.allocate(128, 8);
    HandleBuffer buffer = HandleBuffer.forConnect(host.address(), 128);
    assertThat(buffer.bytes().address()).isEqualTo(host.address());
    buffer.keep();
  }
}
