// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

import io.nitinol.net.ib.device.IbDevice;
import io.nitinol.spi.net.v12.Net;

/**
 * How much one connection has under way. Both sides count receives from 0 on, and receive {@code k}
 * lives in slot {@code k mod COUNT} of every table.
 */
public final class IbSlots {
  /** How many receives a comm has posted and not completed, at most. */
  public static final int COUNT = Net.MAX_REQUESTS;

  /** How many pieces a receive has at most: as many as callers are told. */
  public static final int PIECES = IbDevice.MAX_RECVS;

  /** How many sends a comm has under way at most: one for each piece of each receive. */
  static final int SENDS = COUNT * PIECES;

  /** How many flushes a comm has under way at most. */
  public static final int FLUSHES = COUNT;

  private static final int MASK = COUNT - 1;

  static {
    if (Integer.bitCount(COUNT) != 1 || COUNT > Integer.SIZE) {
      // The mask, the sets of slots that two sides tell each other, and WorkId rely on it.
      throw new ExceptionInInitializerError(COUNT + " slots: no power of 2, or more than 32");
    }
  }

  private IbSlots() {}

  /** Returns the slot of receive {@code number}. */
  static int index(long number) {
    return (int) number & MASK;
  }
}
