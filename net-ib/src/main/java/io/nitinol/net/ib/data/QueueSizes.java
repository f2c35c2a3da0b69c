// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;

/**
 * How many requests the queues of one end hold. The completion queue has room for every one of
 * them, since all of them complete when a queue pair fails.
 *
 * @param clearing how many queue pairs, the first ones, carry clear-to-send entries
 * @param clearingSends how many sends those hold
 * @param otherSends how many sends the others hold
 * @param receives how many receives each queue pair holds
 * @param others how many completions there may be that are none of the connection's queue pairs
 * @param inlineBytes how many bytes can be sent inline
 */
public record QueueSizes(
    int clearing, int clearingSends, int otherSends, int receives, int others, int inlineBytes) {

  /** What the sending end needs for the data and the last write of each receive at least. */
  private static final int LEAST = 4;

  /**
   * Returns the sizes of a sending end.
   *
   * @param stripes how messages are spread over queue pairs
   * @param inlineBytes how many bytes can be sent inline
   * @param mostRequests how many requests a queue of the device holds at most
   * @param mostCompletions how many entries a completion queue of the device has at most
   * @return the sizes
   * @throws NetException INVALID_USAGE when so many queue pairs do not fit
   */
  public static QueueSizes sending(
      Stripes stripes, int inlineBytes, int mostRequests, int mostCompletions) {
    int wanted = (IbSlots.PIECES + 1) * stripes.receivesPerLane();
    // None receives, but a queue of no entry is more than some drivers expect.
    int share = mostCompletions / stripes.lanes() - 1;
    int sends = Math.min(wanted, Math.min(mostRequests, share));
    if (sends < LEAST) {
      throw tooMany(stripes, mostRequests, mostCompletions);
    }
    return new QueueSizes(0, 0, sends, 1, 0, inlineBytes);
  }

  /**
   * Returns the sizes of a receiving end.
   *
   * @param stripes how messages are spread over queue pairs
   * @param ports how many ports take turns with clear-to-send entries
   * @param flushing whether there are flushes
   * @param inlineBytes how many bytes can be sent inline
   * @param mostRequests how many requests a queue of the device holds at most
   * @param mostCompletions how many entries a completion queue of the device has at most
   * @return the sizes
   * @throws NetException INVALID_USAGE when so many queue pairs do not fit
   */
  public static QueueSizes receiving(
      Stripes stripes,
      int ports,
      boolean flushing,
      int inlineBytes,
      int mostRequests,
      int mostCompletions) {
    int receives = stripes.receivesPerLane();
    int sends = Math.min(2 * IbSlots.COUNT, mostRequests);
    // And the one receive that their queue pairs are made with.
    int flushes = flushing ? IbSlots.FLUSHES + 1 : 0;
    long all =
        (long) stripes.lanes() * receives
            + (long) ports * sends
            + stripes.lanes()
            - ports
            + (long) ports * flushes;
    if (receives > mostRequests || sends < LEAST || all > mostCompletions) {
      throw tooMany(stripes, mostRequests, mostCompletions);
    }
    return new QueueSizes(ports, sends, 1, receives, ports * flushes, inlineBytes);
  }

  private static NetException tooMany(Stripes stripes, int mostRequests, int mostCompletions) {
    return new NetException(
        ResultCode.INVALID_USAGE,
        ErrorText.of(
            "%s queue pairs are too many for a device whose queues hold %d requests and %d"
                + " completions: see NCCL_IB_QPS_PER_CONNECTION",
            stripes.lanes(), mostRequests, mostCompletions));
  }

  /**
   * Returns how many completions more there may be when a card's queue pairs have to do without
   * those of others: each of them may carry clear-to-send entries then, and every receive.
   *
   * @param lanes how many queue pairs the card has
   */
  int spare(int lanes) {
    return clearing == 0 ? 0 : lanes * (IbSlots.COUNT - receives) + clearing * clearingSends;
  }

  /** Returns the sizes where there are fewer queue pairs. */
  QueueSizes on(Stripes fewer) {
    return new QueueSizes(
        Math.min(clearing, fewer.lanes()),
        clearingSends,
        otherSends,
        clearing == 0 ? receives : fewer.receivesPerLane(),
        others,
        inlineBytes);
  }

  /** Returns how many sends a queue pair holds. */
  int sends(int lane) {
    return lane < clearing ? clearingSends : otherSends;
  }
}
