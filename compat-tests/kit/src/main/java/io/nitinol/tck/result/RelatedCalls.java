// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.result;

import io.nitinol.toolkit.ErrorText;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Chooses from a trace the calls that explain its end best: the last ones, the calls that made
 * their requests and comms, and others with the same comms.
 */
public final class RelatedCalls {
  private static final Pattern TOKEN = Pattern.compile("[\\w$]+@[0-9a-f]+");

  private static final Pattern FRAME =
      Pattern.compile("\\s+(at|and|- |java\\.lang\\.Thread\\.State)|\"tck-");

  /**
   * How many steps are shown, the last ones; a sequence that could not be made shorter may have
   * more.
   */
  private static final int MOST_STEPS = 40;

  /** How many lines of the plugin's log are shown, the last ones. */
  private static final int MOST_LOGGED = 12;

  /** How the line begins that is above the frames of a stack. */
  public static final String STACK = "thread ";

  /** How a line begins that is a step of the test, and no call. */
  public static final String STEP = "step ";

  /** How a line begins that the plugin has logged, and is no call. */
  public static final String LOG = "logged ";

  private RelatedCalls() {}

  /**
   * Returns the chosen lines in their order.
   *
   * @param trace calls, oldest first. A token in them is a name with {@code @} and a number; the
   *     call that made it has it behind an arrow
   * @param most how many lines to return at most
   */
  public static List<String> choose(List<String> trace, int most) {
    SortedSet<Integer> chosen = new TreeSet<>();
    Set<String> known = new HashSet<>();
    Deque<String> wanted = new ArrayDeque<>();
    for (int i = trace.size() - 1; i >= 0 && chosen.size() < most / 2; i--) {
      chosen.add(i);
      add(tokens(trace.get(i)), known, wanted);
    }
    while (!wanted.isEmpty() && chosen.size() < most) {
      String arrow = "-> " + wanted.removeFirst();
      for (int i = trace.size() - 1; i >= 0; i--) {
        if (makes(trace.get(i), arrow)) {
          chosen.add(i);
          add(tokens(trace.get(i)), known, wanted);
          break;
        }
      }
    }
    for (int i = trace.size() - 1; i >= 0 && chosen.size() < most; i--) {
      if (tokens(trace.get(i)).stream().anyMatch(known::contains)) {
        chosen.add(i);
      }
    }
    for (int i = trace.size() - 1; i >= 0 && chosen.size() < most; i--) {
      chosen.add(i);
    }
    return chosen.stream().map(trace::get).toList();
  }

  /**
   * Returns the steps of the test that stand at the beginning of the trace, what the plugin logged
   * behind them, the chosen calls, and the stacks that stand at its end, as far as there is room
   * for each.
   */
  public static List<String> chooseWithStacks(List<String> trace, int most) {
    int steps = beginningWith(STEP, trace, 0);
    int logged = beginningWith(LOG, trace, steps);
    int stacks = trace.size();
    while (stacks > 0 && isOfStack(trace.get(stacks - 1))) {
      stacks--;
    }
    List<String> lines = new ArrayList<>();
    if (steps > MOST_STEPS) {
      lines.add(ErrorText.of("%s... %s more in the JSON report", STEP, steps - MOST_STEPS));
    }
    lines.addAll(trace.subList(Math.max(0, steps - MOST_STEPS), steps));
    lines.addAll(trace.subList(Math.max(steps, logged - MOST_LOGGED), logged));
    lines.addAll(choose(trace.subList(logged, Math.max(logged, stacks)), most));
    lines.addAll(trace.subList(stacks, Math.min(trace.size(), stacks + most)));
    return lines;
  }

  /** Returns the index behind the lines from {@code at} on that begin so. */
  private static int beginningWith(String beginning, List<String> trace, int at) {
    int end = at;
    while (end < trace.size() && trace.get(end).startsWith(beginning)) {
      end++;
    }
    return end;
  }

  private static boolean isOfStack(String line) {
    return line.startsWith(STACK) || FRAME.matcher(line).lookingAt();
  }

  private static boolean makes(String line, String arrow) {
    int at = line.indexOf(arrow);
    int end = at + arrow.length();
    return at >= 0 && (end == line.length() || line.charAt(end) == ' ');
  }

  private static void add(Collection<String> tokens, Set<String> known, Deque<String> wanted) {
    for (String token : tokens) {
      if (known.add(token)) {
        wanted.addLast(token);
      }
    }
  }

  private static List<String> tokens(String line) {
    return TOKEN.matcher(line).results().map(MatchResult::group).toList();
  }
}
