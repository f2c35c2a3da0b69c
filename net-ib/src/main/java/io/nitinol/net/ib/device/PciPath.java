// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a card is on the PCI bus; mirrors {@code ncclIbGetPciPath}. The functions of a card, one
 * per port, have one path: that of function 0. With {@code NCCL_IB_MERGE_VFS} so have its virtual
 * functions, whose device numbers differ too.
 */
final class PciPath {
  private static final Pattern ADDRESS =
      Pattern.compile("([0-9a-f]{4,}:[0-9a-f]{2}:)([0-9a-f]{2})\\.[0-7]");

  private PciPath() {}

  /**
   * Returns the path that stands for the whole card.
   *
   * @param device the real directory of one function
   * @param mergeVfs whether virtual functions belong to the card
   * @return the path of device and function 0, or of function 0; {@code device} as it is where it
   *     does not end with a PCI address
   */
  static String ofCard(Path device, boolean mergeVfs) {
    Path last = device.getFileName();
    Matcher address = ADDRESS.matcher(last == null ? "" : last.toString());
    return address.matches()
        ? device
            .resolveSibling(address.group(1) + (mergeVfs ? "00" : address.group(2)) + ".0")
            .toString()
        : device.toString();
  }
}
