// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import io.nitinol.net.ib.verbs.Gid;
import io.nitinol.net.ib.verbs.PortAttributes;
import org.jspecify.annotations.Nullable;

/**
 * One port of a card that was active when the plugin started, with the address chosen for it.
 *
 * @param card the card
 * @param number the port's number, from 1
 * @param attributes what the port said when the plugin started
 * @param linkLayer what kind of network it is on
 * @param gidIndex the index of the GID that queue pairs use as their own
 * @param gid that GID
 * @param speed in Mb/s, above 0
 * @param adaptiveRouting whether packets may overtake each other
 * @param pciPath where the card is below {@code /sys}, of all its functions the same; null for a
 *     virtual device
 * @param systemPath the directory of this very function; null for a virtual device
 */
public record IbPort(
    IbCard card,
    int number,
    PortAttributes attributes,
    LinkLayer linkLayer,
    int gidIndex,
    Gid gid,
    int speed,
    boolean adaptiveRouting,
    @Nullable String pciPath,
    @Nullable String systemPath) {

  /** {@return the port for messages, such as {@code mlx5_0:1}} */
  public String label() {
    return card.name() + ":" + number;
  }

  /** {@return the LID, which addresses InfiniBand ports; 0 on Ethernet} */
  public int lid() {
    return attributes.lid();
  }

  /** {@return the path MTU as {@code enum ibv_mtu} counts: 1 is 256 bytes, 5 is 4096} */
  public int activeMtu() {
    return attributes.activeMtu();
  }

  /** {@return whether the port has gone down since it was first used, and is not up again} */
  public boolean isDown() {
    return card.events().isDown(number);
  }

  @Override
  public String toString() {
    return label();
  }
}
