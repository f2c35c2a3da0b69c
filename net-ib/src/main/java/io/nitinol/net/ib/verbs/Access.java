// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import io.nitinol.net.ib.ffi.verbs_h;

/** Bits of what may be done to a memory region or through a queue pair. */
public final class Access {
  /** The device may write for local requests; receives and READs need it. */
  public static final int LOCAL_WRITE = verbs_h.IBV_ACCESS_LOCAL_WRITE();

  /** Peers may write. */
  public static final int REMOTE_WRITE = verbs_h.IBV_ACCESS_REMOTE_WRITE();

  /** Peers may read. */
  public static final int REMOTE_READ = verbs_h.IBV_ACCESS_REMOTE_READ();

  /** Peers may use atomic operations. */
  public static final int REMOTE_ATOMIC = verbs_h.IBV_ACCESS_REMOTE_ATOMIC();

  /** PCI may order writes as it likes; only with {@link ProtectionDomain#registerIova2}. */
  public static final int RELAXED_ORDERING = verbs_h.IBV_ACCESS_RELAXED_ORDERING();

  private Access() {}
}
