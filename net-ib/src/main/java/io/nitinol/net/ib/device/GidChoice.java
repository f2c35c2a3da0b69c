// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import io.nitinol.net.ib.config.IbOptions.PortOptions;
import io.nitinol.net.ib.config.IbVariables;
import io.nitinol.net.ib.verbs.Gid;
import io.nitinol.toolkit.ErrorText;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Which of a port's GIDs is its address; mirrors {@code ncclIbGetGidIndex}.
 *
 * <p>An InfiniBand port uses index 0, or that of {@code NCCL_IB_ROUTABLE_FLID_GID_INDEX} where it
 * holds a FLID. A RoCE port uses the index that {@code NCCL_IB_GID_INDEX} names. Where that is
 * negative, the first of those that are best is taken: an address of the wanted family, in the
 * wanted range and good beyond its link counts most, then any that is good beyond its link, then
 * the wanted RoCE version.
 *
 * @param index the index in the port's table
 * @param gid the GID at that index
 * @param remark what the log should report about the choice, or null
 */
record GidChoice(int index, Gid gid, @Nullable String remark) {
  /** fe80::/10. */
  private static final long LINK_LOCAL = 0xfe80_0000_0000_0000L;

  private static final long LINK_LOCAL_MASK = 0xffc0_0000_0000_0000L;

  /** The port has no GID to use. */
  static final class NoGidException extends Exception {
    private static final long serialVersionUID = 1L;

    NoGidException(String reason) {
      super(reason);
    }
  }

  /**
   * Chooses for an InfiniBand port.
   *
   * @param table the port's GIDs by index
   * @param count how many there are
   */
  static GidChoice infiniBand(IntFunction<Gid> table, int count, PortOptions options) {
    int routable = options.flidGidIndex();
    if (routable < count) {
      Gid gid = table.apply(routable);
      if (gid.flid() != 0) {
        return new GidChoice(routable, gid, null);
      }
    }
    return new GidChoice(0, table.apply(0), null);
  }

  /**
   * Chooses for a RoCE port.
   *
   * @param table the port's GIDs by index
   * @param count how many there are
   * @param versions the RoCE version of each: 1, 2, or 0 where it is not known
   * @param range where the address has to be, or null
   * @throws NoGidException when there is none, or not at the index that was asked for
   */
  static GidChoice roce(
      IntFunction<Gid> table,
      int count,
      IntUnaryOperator versions,
      PortOptions options,
      @Nullable AddressRange range)
      throws NoGidException {
    if (options.gidIndex() >= 0) {
      return fixed(table, count, options.gidIndex());
    }
    GidChoice best = null;
    int bestRank = -1;
    for (int index = 0; index < count; index++) {
      Gid gid = table.apply(index);
      if (!gid.isEmpty()) {
        int rank = rank(gid, versions.applyAsInt(index), options, range);
        if (rank > bestRank) {
          bestRank = rank;
          best = new GidChoice(index, gid, null);
        }
      }
    }
    if (best == null) {
      throw new NoGidException(
          "it has no GID: its network interface has no address, or is in another network namespace");
    }
    return bestRank >= WANTED ? best : best.with(remark(best.gid, options, range));
  }

  private static final int WANTED = 8;
  private static final int FAR = 4;
  private static final int VERSION = 2;
  private static final int VERSION_KNOWN = 1;

  private static int rank(Gid gid, int version, PortOptions options, @Nullable AddressRange range) {
    boolean inRange = range == null || range.contains(gid);
    // Only a range that contains link-local addresses wants one.
    boolean wanted =
        gid.isIpv4() != options.ipv6() && inRange && (range != null || !isLinkLocal(gid));
    return (wanted ? WANTED : 0)
        + (isLinkLocal(gid) ? 0 : FAR)
        + (version == options.roceVersion() ? VERSION : version != 0 ? VERSION_KNOWN : 0);
  }

  private static GidChoice fixed(IntFunction<Gid> table, int count, int index)
      throws NoGidException {
    if (index >= count) {
      throw new NoGidException(
          ErrorText.of(
              "%s=%d is no index of its table of GIDs, which go from 0 to %d",
              IbVariables.GID_INDEX, index, count - 1));
    }
    Gid gid = table.apply(index);
    if (gid.isEmpty()) {
      throw new NoGidException(
          IbVariables.GID_INDEX + "=" + index + " is an empty entry of its table of GIDs");
    }
    return new GidChoice(index, gid, null);
  }

  private static String remark(Gid gid, PortOptions options, @Nullable AddressRange range) {
    return ErrorText.of(
        "no GID is %s address%s, so %s is used",
        options.ipv6() ? "an IPv6" : "an IPv4",
        range == null
            ? " good beyond its link (" + IbVariables.ADDR_FAMILY + ")"
            : " in " + IbVariables.ADDR_RANGE + "=" + options.addressRange(),
        text(gid));
  }

  private GidChoice with(String why) {
    return new GidChoice(index, gid, why);
  }

  /** Returns whether an address is only good on its own link. */
  static boolean isLinkLocal(Gid gid) {
    return (gid.subnetPrefix() & LINK_LOCAL_MASK) == LINK_LOCAL;
  }

  /** Returns a GID as an address is usually written, as IPv4 if it stands for one. */
  static String text(Gid gid) {
    try {
      return InetAddress.getByAddress(gid.toBytes()).getHostAddress();
    } catch (UnknownHostException e) {
      throw new AssertionError(e); // 16 bytes are an address
    }
  }
}
