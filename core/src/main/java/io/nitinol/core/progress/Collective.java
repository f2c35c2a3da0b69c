// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import org.jspecify.annotations.Nullable;

/** The collectives, with the number that messages carry. */
public enum Collective {
  /** Every rank ends with the reduction of all ranks' inputs. */
  ALL_REDUCE(1, "all_reduce");

  private static final Collective[] VALUES = values();

  private final int code;
  private final String label;

  Collective(int code, String label) {
    this.code = code;
    this.label = label;
  }

  /** Returns the number in message headers. */
  public int code() {
    return code;
  }

  /** Returns the name for messages. */
  public String label() {
    return label;
  }

  /** Returns the collective with the number {@code code}, or null. */
  public static @Nullable Collective ofCode(int code) {
    for (Collective value : VALUES) {
      if (value.code == code) {
        return value;
      }
    }
    return null;
  }
}
