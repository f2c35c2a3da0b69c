// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import io.nitinol.net.ib.ffi.ibv_port_attr;
import io.nitinol.net.ib.ffi.verbs_h;
import java.lang.foreign.MemorySegment;

/**
 * A port's state and limits ({@code struct ibv_port_attr}, those fields that are used).
 *
 * @param state one of {@code ibv_port_state}; see {@link #active}
 * @param maxMtu largest path MTU as {@code ibv_mtu}: 1 is 256 bytes, 5 is 4096
 * @param activeMtu path MTU in use as {@code ibv_mtu}
 * @param gidCount entries of the table of GIDs
 * @param pkeyCount entries of the table of partition keys
 * @param maxMessageBytes largest message, unsigned 32 bits
 * @param lid local identifier; 0 on Ethernet
 * @param lidMask low bits of the LID that the port ignores
 * @param activeWidth lanes as the bit of {@code ibv_port_attr.active_width}: 1, 2 (4 lanes), 4 (8),
 *     8 (12), 16 (2)
 * @param activeSpeed speed of a lane as the bit of {@code ibv_port_attr.active_speed}
 * @param linkLayer 0 unspecified, 1 InfiniBand, 2 Ethernet; see {@link #ethernet}
 * @param flags flags of the port, bit 0 of which says that a GRH is required
 */
public record PortAttributes(
    int state,
    int maxMtu,
    int activeMtu,
    int gidCount,
    int pkeyCount,
    long maxMessageBytes,
    int lid,
    int lidMask,
    int activeWidth,
    int activeSpeed,
    int linkLayer,
    int flags) {

  static PortAttributes of(MemorySegment attributes) {
    return new PortAttributes(
        ibv_port_attr.state(attributes),
        ibv_port_attr.max_mtu(attributes),
        ibv_port_attr.active_mtu(attributes),
        ibv_port_attr.gid_tbl_len(attributes),
        Short.toUnsignedInt(ibv_port_attr.pkey_tbl_len(attributes)),
        Integer.toUnsignedLong(ibv_port_attr.max_msg_sz(attributes)),
        Short.toUnsignedInt(ibv_port_attr.lid(attributes)),
        Byte.toUnsignedInt(ibv_port_attr.lmc(attributes)),
        Byte.toUnsignedInt(ibv_port_attr.active_width(attributes)),
        Byte.toUnsignedInt(ibv_port_attr.active_speed(attributes)),
        Byte.toUnsignedInt(ibv_port_attr.link_layer(attributes)),
        Byte.toUnsignedInt(ibv_port_attr.flags(attributes)));
  }

  /** {@return whether the port carries traffic} */
  public boolean active() {
    return state == verbs_h.IBV_PORT_ACTIVE();
  }

  /** {@return whether it is an InfiniBand link} */
  public boolean infiniBand() {
    return linkLayer == verbs_h.IBV_LINK_LAYER_INFINIBAND();
  }

  /** {@return whether it is an Ethernet link, that is RoCE} */
  public boolean ethernet() {
    return linkLayer == verbs_h.IBV_LINK_LAYER_ETHERNET();
  }
}
