// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.net.ib.data.ClearToSend;
import io.nitinol.net.ib.device.LinkLayer;
import io.nitinol.net.ib.verbs.Ece;
import io.nitinol.net.ib.verbs.Gid;
import io.nitinol.spi.NetException;
import io.nitinol.toolkit.control.FrameException;
import io.nitinol.toolkit.control.PeerReason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What an IB peer says of its end, behind the code of its frame, and why it has failed. */
public final class EndInfoTarget implements FuzzTarget {
  @Override
  public void run(byte[] input) {
    try {
      EndInfo info = EndInfo.decode(ByteBuffer.wrap(input));
      FuzzTarget.require(EndInfo.decode(info.encode()).equals(info), "another end");
      FuzzTarget.require(info.ports().size() <= ClearToSend.KEYS, "too many ports");
      FuzzTarget.require(
          info.queuePairs().size() <= EndInfo.MOST_QUEUE_PAIRS, "too many queue pairs");
      FuzzTarget.require(info.serviceLevel() < 16 && info.firstPacket() >>> 24 == 0, "too large");
      for (LinkLayer mine : LinkLayer.values()) {
        check(info, mine);
      }
    } catch (FrameException e) {
      FuzzTarget.require(e.getMessage() != null, "no reason");
    }
    try {
      PeerReason reason = PeerReason.decode(ByteBuffer.wrap(input));
      FuzzTarget.require(
          reason.text().chars().noneMatch(Character::isISOControl), "control characters");
    } catch (FrameException e) {
      FuzzTarget.require(input.length < 2, "no reason");
    }
  }

  private static void check(EndInfo info, LinkLayer mine) {
    try {
      PeerCheck.check("the peer", mine, info.queuePairs().size(), 64, 4, info);
      PeerCheck.ports("the peer", 1, info);
    } catch (NetException e) {
      return;
    }
    FuzzTarget.require(info.queuePairs().stream().allMatch(pair -> pair > 0), "a queue pair");
    FuzzTarget.require(
        info.ports().stream().allMatch(port -> port.largestMessage() > 0), "no message");
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(EndInfo.class, PortInfo.class, PeerCheck.class, PeerReason.class);
  }

  @Override
  public List<byte[]> seeds() {
    EndInfo info =
        new EndInfo(
            "mlx5_0",
            true,
            1,
            2,
            3,
            4,
            4096,
            List.of(new PortInfo(2, 0, 5, 1 << 30, new Gid(1, 2), 7)),
            List.of(17, 18),
            List.of(new Ece(1, 2, 3), new Ece(0, 0, 0)));
    ByteBuffer encoded = info.encode();
    byte[] bytes = new byte[encoded.remaining()];
    encoded.get(bytes);
    return List.of(bytes, "\0\2it has failed".getBytes(StandardCharsets.UTF_8));
  }
}
