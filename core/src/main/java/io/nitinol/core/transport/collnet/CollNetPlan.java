// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.collnet;

import io.nitinol.core.schedule.ChunkShape;
import io.nitinol.core.schedule.HostLayout;
import io.nitinol.core.schedule.collnet.CollNetHeads;
import io.nitinol.core.schedule.collnet.CollNetShape;
import io.nitinol.core.tuning.NetworkCosts;
import io.nitinol.toolkit.ErrorText;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How the ranks of a communicator use a collective network, as all of them find it by themselves. A
 * host has a head for each device, but no more than the smallest host has ranks; the heads of one
 * number, one on each host, are a group of the network's, on each channel. All use the device of
 * the same number, since devices of others may be on a network of their own. Of the ranks of a host
 * one is the head that is near most of the devices that the head uses.
 *
 * @param heads the ranks of each host that talk to the network
 * @param devices how many devices each host has at the least
 * @param slotBytes the most bytes of an operation
 * @param costs the way of a message to the network, or back
 */
public record CollNetPlan(CollNetHeads heads, int devices, int slotBytes, NetworkCosts costs) {
  /** NCCL's limit of heads. */
  private static final int MOST_HEADS = 8;

  /**
   * The most bytes of an operation. Results cross what is on its way to the network, and over TCP
   * are held up by it: their acknowledgements queue behind it. So no more should be under way than
   * keeps the network busy.
   */
  private static final int MOST_BYTES = 128 << 10;

  /**
   * Makes the plan; mirrors {@code canConnect} of {@code collNetTransport}.
   *
   * @param all the terms by rank
   * @param shape the sizes of messages between ranks
   * @param whyNot told why there is no plan, where that is not what anybody would expect
   * @return null where the network is not to be used, the same on all ranks
   */
  public static @Nullable CollNetPlan of(
      CollNetTerms[] all, HostLayout layout, ChunkShape shape, Consumer<String> whyNot) {
    String name = all[0].name();
    int devices = Integer.MAX_VALUE;
    long longest = Math.min(MOST_BYTES, shape.slotBytes());
    for (int rank = 0; rank < all.length; rank++) {
      CollNetTerms terms = all[rank];
      if (!terms.name().toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT))) {
        whyNot.accept("rank " + rank + " has " + named(terms.name()) + ", rank 0 " + named(name));
        return null;
      }
      devices = Math.min(devices, terms.devices());
      longest = Math.min(longest, terms.longest());
    }
    int fewest = Math.max(2, all[0].threshold());
    if (name.isEmpty()) {
      return null;
    }
    if (layout.hosts() < fewest) {
      whyNot.accept(layout.hosts() + " host(s), fewer than " + fewest);
      return null;
    }
    int slotBytes = (int) (longest / ChunkShape.ALIGNMENT * ChunkShape.ALIGNMENT);
    if (slotBytes <= 0) {
      whyNot.accept(
          ErrorText.of(
              "%s takes operations of at most %s bytes (maxCollBytes), expected %s or more",
              name, longest, ChunkShape.ALIGNMENT));
      return null;
    }
    int heads = Math.min(MOST_HEADS, Math.min(devices, layout.smallestHost()));
    int[][] places = new int[layout.hosts()][];
    for (int host = 0; host < places.length; host++) {
      places[host] = places(all, layout.members(host), heads, devices);
    }
    return new CollNetPlan(CollNetHeads.at(places), devices, slotBytes, all[0].costs());
  }

  /**
   * Chooses the heads of a host, one after the other: of the ranks that are none yet the one that
   * is near most of the head's devices, of those that are alike in that the one that is near the
   * fewest, which others may need, and of these the first.
   */
  private static int[] places(CollNetTerms[] all, int[] members, int heads, int devices) {
    int[] places = new int[heads];
    boolean[] taken = new boolean[members.length];
    for (int head = 0; head < heads; head++) {
      int most = -1;
      int fewest = 0;
      for (int place = 0; place < members.length; place++) {
        CollNetTerms terms = all[members[place]];
        int near = terms.near(first(head, heads, devices), first(head + 1, heads, devices));
        int any = terms.near(0, devices);
        if (!taken[place] && (near > most || (near == most && any < fewest))) {
          most = near;
          fewest = any;
          places[head] = place;
        }
      }
      taken[places[head]] = true;
    }
    return places;
  }

  /** Returns the first of the devices of a head; behind them are those of the next one. */
  private static int first(int head, int heads, int devices) {
    return (int) ((long) head * devices / heads);
  }

  private static String named(String name) {
    return name.isEmpty() ? "no collective network" : "the collective network " + name;
  }

  /** Returns what schedules need to know of the plan. */
  public CollNetShape shape() {
    return new CollNetShape(heads, slotBytes);
  }

  /** Returns which of the devices of a host a group uses. */
  int device(int head, int channel) {
    int first = first(head, heads.count(), devices);
    int count = first(head + 1, heads.count(), devices) - first;
    return first + channel % count;
  }
}
