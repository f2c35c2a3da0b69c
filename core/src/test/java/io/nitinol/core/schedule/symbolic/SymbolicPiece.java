// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.symbolic;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;

/** Elements in a row of one {@code value}, which are those from {@code index} of the collective. */
record SymbolicPiece(long count, int value, long index) {

  static long length(List<SymbolicPiece> pieces) {
    return pieces.stream().mapToLong(SymbolicPiece::count).sum();
  }

  static List<SymbolicPiece> map(List<SymbolicPiece> pieces, IntUnaryOperator to) {
    return pieces.stream()
        .map(each -> new SymbolicPiece(each.count, to.applyAsInt(each.value), each.index))
        .toList();
  }

  /** Joins what belongs together, so that equal contents are equal lists. */
  static List<SymbolicPiece> merged(List<SymbolicPiece> pieces) {
    List<SymbolicPiece> result = new ArrayList<>();
    for (SymbolicPiece each : pieces) {
      SymbolicPiece last = result.isEmpty() ? null : result.getLast();
      if (last != null && last.value == each.value && last.index + last.count == each.index) {
        result.set(
            result.size() - 1, new SymbolicPiece(last.count + each.count, last.value, last.index));
      } else {
        result.add(each);
      }
    }
    return result;
  }

  /** Combines two contents of one length, element by element. */
  static List<SymbolicPiece> zip(
      List<SymbolicPiece> left, List<SymbolicPiece> right, IntBinaryOperator with) {
    Values.check(length(left) == length(right), () -> "combines " + left + " with " + right);
    List<SymbolicPiece> result = new ArrayList<>();
    int i = 0;
    int j = 0;
    long a = 0;
    long b = 0;
    while (i < left.size()) {
      SymbolicPiece x = left.get(i);
      SymbolicPiece y = right.get(j);
      Values.check(x.index + a == y.index + b, "combines elements of different places");
      long count = Math.min(x.count - a, y.count - b);
      result.add(new SymbolicPiece(count, with.applyAsInt(x.value, y.value), x.index + a));
      a += count;
      b += count;
      if (a == x.count) {
        i++;
        a = 0;
      }
      if (b == y.count) {
        j++;
        b = 0;
      }
    }
    return result;
  }
}
