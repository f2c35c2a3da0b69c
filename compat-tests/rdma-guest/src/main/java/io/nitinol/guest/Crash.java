// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

/** A crash in a guest, of a JVM or of its kernel; printed as one line of a report. */
public sealed interface Crash permits CrashLog, KernelOops {
  /** Returns whether the emulation is to blame and not the program, as the trace shows. */
  boolean isOfEmulation();
}
