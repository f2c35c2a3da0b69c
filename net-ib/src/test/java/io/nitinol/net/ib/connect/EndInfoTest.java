// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.nitinol.net.ib.data.ClearToSend;
import io.nitinol.net.ib.device.LinkLayer;
import io.nitinol.net.ib.frames.IbFrameKind;
import io.nitinol.net.ib.verbs.Ece;
import io.nitinol.net.ib.verbs.Gid;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.control.FrameException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EndInfoTest {
  private static final Gid GID = new Gid(0, 0x0000_ffff_0a4d_0001L);
  private static final PortInfo PORT = new PortInfo(2, 0, 5, 1L << 31, GID, 0xcafe);
  private static final EndInfo INFO =
      new EndInfo(
          "rxe0",
          true,
          106,
          200,
          3,
          (1 << 24) - 1,
          0x7f00_0000_1000L,
          List.of(PORT),
          List.of(17, 18),
          List.of(Ece.NONE, new Ece(0x2c9, -1, 0)));

  @Test
  void whatIsSaidIsHeard() throws Exception {
    assertThat(EndInfo.decode(INFO.encode())).isEqualTo(INFO);
    List<PortInfo> ports = new ArrayList<>();
    List<Integer> pairs = new ArrayList<>();
    List<Ece> enhancements = new ArrayList<>();
    for (int i = 0; i < EndInfo.MOST_QUEUE_PAIRS; i++) {
      pairs.add(i);
      enhancements.add(new Ece(i, -i, 1));
      if (i < ClearToSend.KEYS) {
        ports.add(new PortInfo(1, 0xbfff, 1, 1, new Gid(-1, i), i));
      }
    }
    EndInfo large =
        new EndInfo("x".repeat(255), false, 255, 0, 15, 0, -4096, ports, pairs, enhancements);
    ByteBuffer bytes = large.encode();
    assertThat(bytes.remaining()).isEqualTo(EndInfo.MOST_BYTES).isLessThan(IbFrameKind.MOST_BODY);
    assertThat(EndInfo.decode(bytes)).isEqualTo(large);
  }

  @Test
  void everythingElseIsRefused() {
    byte[] good = bytes(INFO);
    for (int length = 0; length < good.length; length++) {
      ByteBuffer part = ByteBuffer.wrap(good, 0, length).slice();
      assertThatThrownBy(() -> EndInfo.decode(part)).isInstanceOf(FrameException.class);
    }
    ByteBuffer longer = ByteBuffer.allocate(good.length + 1).put(good).rewind();
    assertThatThrownBy(() -> EndInfo.decode(longer))
        .isInstanceOf(FrameException.class)
        .hasMessageContaining("1 bytes more");
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      byte[] bad = good.clone();
      bad[random.nextInt(bad.length)] = (byte) random.nextInt();
      Throwable thrown = catchThrowable(() -> check(EndInfo.decode(ByteBuffer.wrap(bad))));
      if (thrown != null) {
        assertThat(thrown).isInstanceOfAny(FrameException.class, NetException.class);
      }
    }
  }

  @Test
  void anotherVersionsTablesAreNamed() {
    byte[] bytes = bytes(INFO);
    bytes[1] = 64;
    assertThatThrownBy(() -> EndInfo.decode(ByteBuffer.wrap(bytes)))
        .hasMessageContainingAll("64 slots", "32", "version");
  }

  @Test
  void aPacketNumberOfMoreThan24BitsIsRefused() {
    byte[] bytes = bytes(INFO);
    bytes[12] = 1;
    assertThatThrownBy(() -> EndInfo.decode(ByteBuffer.wrap(bytes)))
        .isInstanceOf(FrameException.class)
        .hasMessageContaining("24 bits");
  }

  @Test
  void numbersThatCannotBeAreRefused() {
    check(INFO);
    refused(ResultCode.REMOTE_ERROR, "queue pairs", with(PORT, 0x1000, 17));
    refused(ResultCode.REMOTE_ERROR, "0x1000000", with(PORT, 0x1000, 17, 1 << 24));
    refused(ResultCode.REMOTE_ERROR, "queue pair 0x0", with(PORT, 0x1000, 0, 1));
    refused(ResultCode.REMOTE_ERROR, "memory 0x0", with(PORT, 0, 17, 18));
    refused(ResultCode.REMOTE_ERROR, "multiple of 64", with(PORT, 0x1008, 17, 18));
    refused(ResultCode.REMOTE_ERROR, "memory", with(PORT, -64, 17, 18));
    refused(ResultCode.REMOTE_ERROR, "link layer 3", with(port(3, 5, GID, 1), 64, 1, 2));
    refused(ResultCode.INVALID_USAGE, "IB", with(port(1, 5, GID, 1), 64, 1, 2));
    refused(ResultCode.REMOTE_ERROR, "MTU 0", with(port(2, 0, GID, 1), 64, 1, 2));
    refused(ResultCode.REMOTE_ERROR, "MTU 6", with(port(2, 6, GID, 1), 64, 1, 2));
    refused(ResultCode.REMOTE_ERROR, "no message", with(port(2, 5, GID, 0), 64, 1, 2));
    refused(
        ResultCode.REMOTE_ERROR, "NCCL_IB_GID_INDEX", with(port(2, 5, new Gid(0, 0), 1), 64, 1, 2));
  }

  private static PortInfo port(int layer, int mtu, Gid gid, long largest) {
    return new PortInfo(layer, 0, mtu, largest, gid, 1);
  }

  private static EndInfo with(PortInfo port, long address, Integer... pairs) {
    return new EndInfo(
        "d",
        false,
        0,
        0,
        0,
        0,
        address,
        List.of(port),
        List.of(pairs),
        Collections.nCopies(pairs.length, Ece.NONE));
  }

  private static void check(EndInfo info) {
    PeerCheck.check("peer", LinkLayer.ETHERNET, 2, ClearToSend.SIZE, ClearToSend.ENTRY, info);
  }

  private static void refused(ResultCode code, String named, EndInfo info) {
    assertThatThrownBy(() -> check(info))
        .hasMessageContaining(named)
        .extracting(failure -> ((NetException) failure).result())
        .isEqualTo(code);
  }

  private static byte[] bytes(EndInfo info) {
    ByteBuffer encoded = info.encode();
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    return bytes;
  }
}
