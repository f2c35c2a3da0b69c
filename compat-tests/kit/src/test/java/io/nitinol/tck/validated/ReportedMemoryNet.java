// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.validated;

import io.nitinol.core.plugin.ValidationMode;
import io.nitinol.samples.memory.MemoryNet12;

/** {@link MemoryNet12} behind the decorator, as NITINOL_VALIDATE=1 has it. */
public final class ReportedMemoryNet extends WatchedNet {
  /** For the kit. */
  public ReportedMemoryNet() {
    super(new MemoryNet12(), ValidationMode.REPORT);
  }
}
