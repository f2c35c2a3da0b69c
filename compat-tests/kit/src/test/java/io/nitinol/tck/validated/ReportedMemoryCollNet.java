// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.validated;

import io.nitinol.core.plugin.ValidationMode;
import io.nitinol.samples.memory.MemoryCollNet12;

/** {@link MemoryCollNet12} behind the decorator, as NITINOL_VALIDATE=1 has it. */
public final class ReportedMemoryCollNet extends WatchedCollNet {
  /** For the kit. */
  public ReportedMemoryCollNet() {
    super(new MemoryCollNet12(), ValidationMode.REPORT);
  }
}
