// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.profiler;

import io.nitinol.spi.profiler.EventType;

/**
 * For each kind of event the masks with which it is reported: its own, and those of what hangs
 * below it, as in NCCL.
 */
final class Wanted {
  private static final int NET = EventType.NET_PLUGIN.mask();
  private static final int COPY_ENGINES =
      EventType.CE_COLL.mask() | EventType.CE_SYNC.mask() | EventType.CE_BATCH.mask();

  static final int PROXY_CTRL = EventType.PROXY_CTRL.mask();
  static final int KERNEL_CH = EventType.KERNEL_CH.mask();
  static final int NET_PLUGIN = NET;
  static final int PROXY_STEP = EventType.PROXY_STEP.mask() | NET;
  static final int PROXY_OP = EventType.PROXY_OP.mask() | PROXY_STEP;
  private static final int BELOW = PROXY_OP | KERNEL_CH;
  static final int COLL = EventType.COLL.mask() | BELOW;
  static final int P2P = EventType.P2P.mask() | BELOW;
  static final int GROUP = EventType.GROUP.mask() | COLL | P2P;
  static final int COLL_API = EventType.COLL_API.mask() | COLL | COPY_ENGINES;
  static final int P2P_API = EventType.P2P_API.mask() | P2P;
  static final int GROUP_API =
      EventType.GROUP_API.mask()
          | COLL_API
          | P2P_API
          | EventType.KERNEL_LAUNCH.mask()
          | EventType.GROUP.mask();

  private Wanted() {}
}
