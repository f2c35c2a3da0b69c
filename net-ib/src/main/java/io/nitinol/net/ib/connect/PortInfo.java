// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.connect;

import io.nitinol.net.ib.verbs.Gid;
import java.nio.ByteBuffer;

/**
 * What a peer has to know of one port of this side's device; NCCL's {@code ncclIbDevInfo}.
 *
 * @param linkLayer the number that verbs gives it
 * @param lid the port's LID; 0 on Ethernet
 * @param mtu the port's active MTU as {@code ibv_mtu}: 1 is 256 bytes, 5 is 4096
 * @param largestMessage the longest message that the port takes, in bytes
 * @param gid the port's GID
 * @param key the remote key of {@link EndInfo#address} for what comes in through this port
 */
record PortInfo(int linkLayer, int lid, int mtu, long largestMessage, Gid gid, int key) {
  /** The size in the exchange, in bytes. */
  static final int SIZE = 32;

  void put(ByteBuffer out) {
    out.put((byte) linkLayer)
        .put((byte) mtu)
        .putShort((short) lid)
        .putInt((int) largestMessage)
        .putLong(gid.subnetPrefix())
        .putLong(gid.interfaceId())
        .putInt(key)
        .putInt(0);
  }

  static PortInfo get(ByteBuffer in) {
    int layer = Byte.toUnsignedInt(in.get());
    int mtu = Byte.toUnsignedInt(in.get());
    int lid = Short.toUnsignedInt(in.getShort());
    long largest = Integer.toUnsignedLong(in.getInt());
    Gid gid = new Gid(in.getLong(), in.getLong());
    int key = in.getInt();
    in.getInt();
    return new PortInfo(layer, lid, mtu, largest, gid, key);
  }
}
