// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Finds which of the existing names somebody may have meant. */
final class CloseNames {
  private CloseNames() {}

  /** Returns {@code "; did you mean X or Y?"}, or nothing where no name is close. */
  static String hint(String wanted, Collection<String> names) {
    List<String> close =
        names.stream()
            .distinct()
            .filter(name -> isClose(fold(wanted), fold(name)))
            .sorted(Comparator.comparingInt(name -> distance(fold(wanted), fold(name))))
            .limit(3)
            .toList();
    return close.isEmpty()
        ? ""
        : close.stream().collect(Collectors.joining(" or ", "; did you mean ", "?"));
  }

  private static String fold(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[\\s_-]", "");
  }

  private static boolean isClose(String wanted, String name) {
    int shorter = Math.min(wanted.length(), name.length());
    boolean partOf = shorter >= 2 && (wanted.contains(name) || name.contains(wanted));
    return partOf || distance(wanted, name) <= Math.max(1, shorter / 3);
  }

  /** The number of letters to insert, delete or replace to get from one to the other. */
  static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replace = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replace, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
