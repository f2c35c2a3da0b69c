// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.spi.net.CollComm;

/** A member's end of a native collective network group. */
final class NativeCollComm extends NativeEnd implements CollComm {
  /** How many members the group has, 1 or more, and which of them this is. */
  final int members;

  final int rank;

  NativeCollComm(
      Object plugin,
      long address,
      DeviceFacts device,
      NativeScratch scratch,
      int members,
      int rank) {
    super(plugin, address, device, scratch);
    this.members = members;
    this.rank = rank;
  }

  /** Returns how many bytes of a window of the whole are this member's own. */
  long own(long bytesPerRank, long offset, long bytes) {
    long begin = Math.clamp(bytesPerRank * rank - offset, 0, bytes);
    return Math.clamp(bytesPerRank * (rank + 1L) - offset, 0, bytes) - begin;
  }
}
