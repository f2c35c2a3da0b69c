// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Finds the existing names that a misspelt one may stand for. */
public final class CloseNames {
  private CloseNames() {}

  /** Returns {@code "; did you mean X or Y?"}, or nothing where no name is close. */
  public static String hint(String wanted, Collection<String> names) {
    return suggest(
        wanted, names.stream().filter(name -> isClose(fold(wanted), fold(name))).toList());
  }

  /** Returns the same of names that are known to be close. */
  static String suggest(String wanted, Collection<String> names) {
    List<String> close =
        names.stream()
            .distinct()
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
    boolean partOf = shorter >= 3 && (wanted.contains(name) || name.contains(wanted));
    int distance = distance(wanted, name);
    return partOf
        || distance <= Math.max(1, shorter / 3)
        || (shorter >= 3 && distance == 2 && leavesOut(wanted, name));
  }

  /** Returns whether only letters behind the first one were left out. */
  private static boolean leavesOut(String wanted, String name) {
    int found = 0;
    for (int i = 0; i < name.length() && found < wanted.length(); i++) {
      if (name.charAt(i) == wanted.charAt(found)) {
        found++;
      } else if (i == 0) {
        return false;
      }
    }
    return found == wanted.length();
  }

  /** The number of letters to insert, drop or replace, or to swap with the next one. */
  static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int replaced = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        cost[i][j] = Math.min(replaced, Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (swapped) {
          cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
      }
    }
    return cost[a.length()][b.length()];
  }
}
