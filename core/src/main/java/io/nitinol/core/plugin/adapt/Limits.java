// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.adapt;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.toolkit.ErrorText;

/**
 * What versions take whose sizes are 32 bits wide in C, with the numbers that NCCL's own adapters
 * assume. Larger values fail here: cut to 32 bits they would move the wrong bytes.
 */
final class Limits {

  /** The longest message of versions before 9 (NCCL's MAX_NET_SIZE). */
  static final long MESSAGE_BYTES = 1L << 30;

  /** The largest collective operation of versions before 9 (NCCL's MAX_COLLNET_SIZE). */
  static final long COLLECTIVE_BYTES = 512L << 20;

  private Limits() {}

  /** Returns the first length of a receive's pieces that is too long; 0 where none is. */
  static long tooLong(int n, long[] lengths) {
    for (int i = 0; i < n && i < lengths.length; i++) {
      if (lengths[i] > MESSAGE_BYTES) {
        return lengths[i];
      }
    }
    return 0;
  }

  /** Returns the exception for a registration. */
  static NetException registration(String plugin, long bytes) {
    return exceeded(plugin, 8, "registers", bytes, Integer.MAX_VALUE);
  }

  /** Returns the exception for a message; {@code deed} is what was asked for. */
  static NetException message(String plugin, String deed, long bytes) {
    return exceeded(plugin, 9, deed, bytes, MESSAGE_BYTES);
  }

  /** Returns the exception for the elements of a reduction. */
  static NetException count(String plugin, long count) {
    return new NetException(
        ResultCode.INVALID_ARGUMENT,
        plugin + " is older than version 9 and reduces at most 2^30 elements, not " + count);
  }

  /** Returns whether pieces of a gather or a scatter are more or larger than version 8 takes. */
  static boolean isTooMuch(int n, long[] lengths) {
    return n != 1 || lengths.length < 1 || lengths[0] > COLLECTIVE_BYTES;
  }

  /** Returns the exception for them. */
  static NetException pieces(String plugin, int n, long[] lengths) {
    if (n != 1 || lengths.length < 1) {
      return new NetException(
          ResultCode.INVALID_ARGUMENT,
          plugin + " is older than version 9 and takes one piece, not " + n);
    }
    return exceeded(plugin, 9, "gathers or scatters", lengths[0], COLLECTIVE_BYTES);
  }

  /** Returns the exception for too many devices to be made one. */
  static NetException devices(String plugin, VirtualDevice devices, int most) {
    return new NetException(
        ResultCode.INVALID_ARGUMENT,
        ErrorText.of(
            "%s is older than version 12 and makes at most %d devices one, not %d",
            plugin, most, devices.devices().size()));
  }

  private static NetException exceeded(
      String plugin, int since, String deed, long bytes, long most) {
    return new NetException(
        ResultCode.INVALID_ARGUMENT,
        ErrorText.of(
            "%s is older than version %d and %s at most %d bytes, not %d",
            plugin, since, deed, most, bytes));
  }
}
