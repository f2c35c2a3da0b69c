// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

/** What has crashed in a guest, a JVM or its kernel; printed as one line of a report. */
public sealed interface Crash permits CrashLog, KernelOops {
  /** Returns whether the emulation is to blame, rather than what was run: known by its traces. */
  boolean isOfEmulation();
}
