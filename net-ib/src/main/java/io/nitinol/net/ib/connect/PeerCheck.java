// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

import io.nitinol.net.ib.device.LinkLayer;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;

/** Looks at every number that a peer sent before a queue pair is set up with it. */
final class PeerCheck {
  private static final int MOST_LID = 0xbfff;
  private static final int MOST_QUEUE_PAIR = (1 << 24) - 1;

  private PeerCheck() {}

  /**
   * Checks what a peer says of itself.
   *
   * @param label the peer and this side's device, for messages
   * @param mine this side's link layer
   * @param lanes how many queue pairs the connection has
   * @param addressSize how many bytes of the peer's memory this side writes to
   * @param addressGrain what the address of that memory is a multiple of
   * @throws NetException REMOTE_ERROR for what cannot be; INVALID_USAGE for what does not fit
   */
  static void check(
      String label, LinkLayer mine, int lanes, long addressSize, long addressGrain, EndInfo peer) {
    if (peer.queuePairs().size() != lanes) {
      throw wrong(label, peer.queuePairs().size() + " queue pairs, expected " + lanes);
    }
    for (int number : peer.queuePairs()) {
      if (number < 1 || number > MOST_QUEUE_PAIR) {
        throw wrong(label, "queue pair 0x" + Integer.toHexString(number) + ", which has 24 bits");
      }
    }
    long address = peer.address();
    if (address == 0
        || address % addressGrain != 0
        || Long.compareUnsigned(address + addressSize, address) < 0) {
      throw wrong(
          label,
          ErrorText.of(
              "memory 0x%s where %d bytes at a multiple of %d were expected",
              Long.toHexString(address), addressSize, addressGrain));
    }
    for (PortInfo port : peer.ports()) {
      check(label, mine, peer, port);
    }
  }

  /** Checks that a listening side has as many ports as its handle says. */
  static void ports(String label, int expected, EndInfo peer) {
    if (peer.ports().size() != expected) {
      throw wrong(label, peer.ports().size() + " ports, its handle " + expected);
    }
  }

  private static void check(String label, LinkLayer mine, EndInfo peer, PortInfo port) {
    LinkLayer layer = LinkLayer.of(port.linkLayer());
    if (layer == null) {
      throw wrong(label, "link layer " + port.linkLayer() + ", expected 1 or 2");
    }
    if (layer != mine) {
      throw new NetException(
          ResultCode.INVALID_USAGE,
          ErrorText.of(
              "%s: the peer's device %s is on %s and this side's on %s: they cannot talk, see"
                  + " NCCL_IB_HCA",
              label, peer.device(), layer.label(), mine.label()));
    }
    if (port.mtu() < 1 || port.mtu() > 5) {
      throw wrong(label, "MTU " + port.mtu() + ", expected 1 (256) to 5 (4096)");
    }
    if (port.largestMessage() < 1) {
      throw wrong(label, "a port that takes no message");
    }
    if (layer == LinkLayer.ETHERNET && port.gid().isEmpty()) {
      throw wrong(label, "an empty GID: see NCCL_IB_GID_INDEX there");
    }
    if (layer == LinkLayer.INFINIBAND
        && (port.lid() < 1 || port.lid() > MOST_LID)
        && port.gid().isEmpty()) {
      throw wrong(label, "LID " + port.lid() + " and no GID");
    }
  }

  private static NetException wrong(String label, String what) {
    return new NetException(ResultCode.REMOTE_ERROR, label + ": the peer announced " + what);
  }
}
