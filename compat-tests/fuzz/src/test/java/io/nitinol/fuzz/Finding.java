// SPDX-License-Identifier: Apache-2.0
package io.nitinol.fuzz;

import java.util.HexFormat;

/**
 * An input with an effect that it must not have.
 *
 * @param target the target's name
 * @param input the shortest one found
 * @param effect what came out of the target
 */
record Finding(String target, byte[] input, Throwable effect) {
  /** Returns where it came from, the same for inputs that show the same defect. */
  static String place(Throwable effect) {
    for (StackTraceElement frame : effect.getStackTrace()) {
      if (frame.getClassName().startsWith("io.nitinol.")
          && !frame.getClassName().equals(FuzzTarget.class.getName())) {
        return effect.getClass().getName() + " at " + frame;
      }
    }
    return effect.getClass().getName();
  }

  /** Returns what a reader needs to repeat it. */
  @Override
  public String toString() {
    return "%s: %s%n  %s%n  repeat it: compat-tests/fuzz/run --target %s --replay %s"
        .formatted(target, effect, place(effect), target, HexFormat.of().formatHex(input));
  }
}
