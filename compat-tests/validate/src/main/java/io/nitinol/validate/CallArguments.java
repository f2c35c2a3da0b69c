// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of one call, as the log shows them: a few numbers with their names, or a text.
 * Reused, so that a call allocates nothing. Used by one thread, or under the lock of its {@link
 * LastCalls}.
 */
final class CallArguments {
  /** The name of an argument that is printed as an address is. */
  static final String ADDRESS = "address";

  private static final int MAX = 4;

  private @Nullable String text;
  private int count;
  private final String[] names = new String[MAX];
  private final long[] values = new long[MAX];

  /** Forgets all arguments. */
  void clear() {
    text = null;
    count = 0;
  }

  /** Takes a text in place of numbers. */
  void set(String all) {
    text = all;
  }

  /** Adds a number; there is room for four. */
  void add(String name, long value) {
    names[count] = name;
    values[count] = value;
    count++;
  }

  /** Becomes a copy of others. */
  void copy(CallArguments others) {
    text = others.text;
    count = others.count;
    System.arraycopy(others.names, 0, names, 0, count);
    System.arraycopy(others.values, 0, values, 0, count);
  }

  /** Returns whether others are the same. */
  boolean matches(CallArguments others) {
    if (count != others.count || !Objects.equals(text, others.text)) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      if (values[i] != others.values[i] || !names[i].equals(others.names[i])) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    if (text != null) {
      return text;
    }
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < count; i++) {
      all.append(i == 0 ? "" : ", ").append(names[i]).append(' ');
      if (names[i].equals(ADDRESS)) {
        all.append("0x").append(Long.toHexString(values[i]));
      } else {
        all.append(values[i]);
      }
    }
    return all.toString();
  }
}
