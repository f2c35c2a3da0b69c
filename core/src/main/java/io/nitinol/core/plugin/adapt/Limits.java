// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.adapt;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.VirtualDevice;

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

  /** Checks the size of a registration. */
  static void requireIntSize(String plugin, Memory memory) {
    require(plugin, 8, "registers", memory.size(), Integer.MAX_VALUE);
  }

  /** Checks the length of a message. */
  static void requireMessage(String plugin, long length) {
    require(plugin, 9, "sends", length, MESSAGE_BYTES);
  }

  /** Checks the lengths of a receive's pieces. */
  static void requireMessages(String plugin, int n, long[] lengths) {
    for (int i = 0; i < n && i < lengths.length; i++) {
      require(plugin, 9, "receives", lengths[i], MESSAGE_BYTES);
    }
  }

  /** Checks the elements of a reduction. */
  static void requireCount(String plugin, long count) {
    if (count > MESSAGE_BYTES) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          plugin + " is older than version 9 and reduces at most 2^30 elements, not " + count);
    }
  }

  /** Checks the pieces of a gather or a scatter. */
  static void requireOnePart(String plugin, int n, long[] lengths) {
    if (n != 1) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          plugin + " is older than version 9 and takes one piece, not " + n);
    }
    require(plugin, 9, "gathers or scatters", lengths[0], COLLECTIVE_BYTES);
  }

  /** Checks how many devices are to be made one. */
  static void requireDevices(String plugin, VirtualDevice devices, int most) {
    if (devices.devices().size() > most) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          plugin
              + " is older than version 12 and makes at most "
              + most
              + " devices one, not "
              + devices.devices().size());
    }
  }

  private static void require(String plugin, int since, String deed, long bytes, long most) {
    if (bytes > most) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          plugin
              + " is older than version "
              + since
              + " and "
              + deed
              + " at most "
              + most
              + " bytes, not "
              + bytes);
    }
  }
}
