// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a check has found out.
 *
 * @param name what was looked at, human-readable, such as {@code clock source}
 * @param state how it is
 * @param seen what is there; empty where it could not be found out
 * @param why why it matters, in one sentence; of an unknown one, why it is not known; null where
 *     there is nothing to say
 * @param mend a command that mends it; null where there is nothing to mend, or no command for it
 */
record DoctorFinding(
    String name, State state, String seen, @Nullable String why, @Nullable String mend) {

  /** How something is. */
  enum State {
    /** It is as it should be. */
    OK,
    /** A fact that is neither good nor bad, such as a device that is absent. */
    NOTE,
    /** Jobs run, but slower than they could, or not in all sizes, or without a device. */
    WARNING,
    /** Jobs of this machine fail. */
    PROBLEM,
    /** It could not be found out. */
    UNKNOWN;

    /** Returns the word for tables and JSON. */
    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static DoctorFinding ok(String name, String seen) {
    return new DoctorFinding(name, State.OK, seen, null, null);
  }

  static DoctorFinding note(String name, String seen) {
    return new DoctorFinding(name, State.NOTE, seen, null, null);
  }

  static DoctorFinding note(String name, String seen, String why) {
    return new DoctorFinding(name, State.NOTE, seen, why, null);
  }

  static DoctorFinding warning(String name, String seen, String why, @Nullable String mend) {
    return new DoctorFinding(name, State.WARNING, seen, why, mend);
  }

  static DoctorFinding problem(String name, String seen, String why, @Nullable String mend) {
    return new DoctorFinding(name, State.PROBLEM, seen, why, mend);
  }

  static DoctorFinding unknown(String name, String why) {
    return new DoctorFinding(name, State.UNKNOWN, "", why, null);
  }
}
