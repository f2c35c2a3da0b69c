// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import org.jspecify.annotations.Nullable;

/** What kind of network a port is on; mirrors {@code IBV_LINK_LAYER_*}. */
public enum LinkLayer {
  /** InfiniBand: queue pairs are addressed by LID. */
  INFINIBAND(1, "IB"),
  /** Ethernet: RoCE, queue pairs are addressed by GID. */
  ETHERNET(2, "RoCE");

  private final int code;
  private final String label;

  LinkLayer(int code, String label) {
    this.code = code;
    this.label = label;
  }

  /**
   * Finds a link layer by its number.
   *
   * @param code as {@code ibv_port_attr.link_layer} has it; 0, which old drivers leave there, is
   *     InfiniBand
   * @return the link layer, or null for a number without meaning
   */
  public static @Nullable LinkLayer of(int code) {
    return switch (code) {
      case 0, 1 -> INFINIBAND;
      case 2 -> ETHERNET;
      default -> null;
    };
  }

  /** {@return the number that verbs gives it} */
  public int code() {
    return code;
  }

  /** {@return what NCCL's log calls it: {@code IB} or {@code RoCE}} */
  public String label() {
    return label;
  }
}
