// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.symbolic;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * What an element can be: a rank's contribution, the reduction of two values, left and right, or a
 * completed result. Equal numbers are equal expressions, so the same bits.
 */
final class Values {
  private record Node(int left, int right, long ranks, boolean complete) {}

  private final List<Node> nodes = new ArrayList<>();
  private final Map<Node, Integer> numbers = new HashMap<>();

  private int number(Node node) {
    return numbers.computeIfAbsent(
        node,
        added -> {
          nodes.add(added);
          return nodes.size() - 1;
        });
  }

  int contribution(int rank) {
    return number(new Node(-1, rank, 1L << rank, false));
  }

  /** What memory holds that nobody may rely on. */
  int garbage() {
    return number(new Node(-2, -2, 0, false));
  }

  int reduce(int left, int right) {
    Node a = nodes.get(left);
    Node b = nodes.get(right);
    check(!a.complete() && !b.complete(), "adds to a complete result");
    check(a.ranks() != 0 && b.ranks() != 0, "adds garbage");
    check((a.ranks() & b.ranks()) == 0, "adds a contribution twice");
    return number(new Node(left, right, a.ranks() | b.ranks(), false));
  }

  int complete(int value, long all) {
    Node node = nodes.get(value);
    check(!node.complete(), "completes a result twice");
    check(node.ranks() == all, "completes a result that lacks contributions");
    return number(new Node(value, -3, node.ranks(), true));
  }

  boolean isComplete(int value, long all) {
    return nodes.get(value).complete() && nodes.get(value).ranks() == all;
  }

  String describe(int value) {
    Node node = nodes.get(value);
    if (node.complete()) {
      return "complete" + describe(node.left());
    }
    return switch (node.left()) {
      case -1 -> "r" + node.right();
      case -2 -> "garbage";
      default -> "(" + describe(node.left()) + "+" + describe(node.right()) + ")";
    };
  }

  /** As the other, for descriptions that take long to make. */
  static void check(boolean holds, Supplier<String> what) {
    if (!holds) {
      throw new AssertionError(what.get());
    }
  }

  static void check(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
