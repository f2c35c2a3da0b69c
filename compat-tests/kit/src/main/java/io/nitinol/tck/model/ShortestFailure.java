// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Looks for the shortest part of a sequence that still fails: leaves out whole groups of steps,
 * then runs of steps, first long ones and then single ones, and at last puts simpler steps in the
 * place of others. With a step go those that are not legal without it. One thread.
 *
 * @param <T> a step
 */
public final class ShortestFailure<T> {
  private final UnaryOperator<List<T>> legalPart;
  private final Predicate<List<T>> fails;
  private final BooleanSupplier goesOn;
  private final int mostRuns;
  private List<T> shortest;
  private int runs;
  private boolean minimal;

  /**
   * Begins with a sequence that fails.
   *
   * @param legalPart leaves out of some steps those that may not be where they are, such as the use
   *     of something that another step had made; costs nothing
   * @param fails runs a part and says whether it fails
   * @param mostRuns after so many runs the search ends with what it has
   * @param goesOn the search ends, too, when this says so
   */
  public ShortestFailure(
      List<T> failing,
      UnaryOperator<List<T>> legalPart,
      Predicate<List<T>> fails,
      int mostRuns,
      BooleanSupplier goesOn) {
    this.shortest = List.copyOf(failing);
    this.legalPart = legalPart;
    this.fails = fails;
    this.mostRuns = mostRuns;
    this.goesOn = goesOn;
  }

  /** Returns the shortest sequence so far. */
  public List<T> shortest() {
    return shortest;
  }

  /** Returns how often a part was run. */
  public int runs() {
    return runs;
  }

  /**
   * Keeps only the steps of a group, if those alone fail.
   *
   * @param group whether a step is in the group
   */
  public void keep(Predicate<T> group) {
    accept(shortest.stream().filter(group).toList());
  }

  /**
   * Leaves out what does not matter, until no single step can be left out or the search comes to
   * its bounds.
   */
  public void leaveOut() {
    for (int size = Math.max(1, shortest.size() / 2); size >= 1; ) {
      boolean shorter = leaveOut(size);
      if (!mayRun()) {
        return; // perhaps before the last steps were tried
      }
      if (size > 1) {
        size /= 2;
      } else if (!shorter) {
        minimal = true;
        return;
      }
    }
  }

  /**
   * Returns whether no single step can be left out. That is not known where the bounds have ended
   * {@link #leaveOut}, or the sequence is another one since.
   */
  public boolean isMinimal() {
    return minimal;
  }

  /** Leaves out runs of so many steps, the last ones first; returns whether any was. */
  private boolean leaveOut(int size) {
    boolean shorter = false;
    for (int end = shortest.size(); end > 0; end -= size) {
      int from = Math.max(0, end - size);
      List<T> part = new ArrayList<>(shortest.subList(0, from));
      part.addAll(shortest.subList(Math.min(end, shortest.size()), shortest.size()));
      shorter |= accept(part);
    }
    return shorter;
  }

  /**
   * Puts simpler steps in the place of others, until none can be or the search comes to its bounds.
   *
   * @param simpler what may take the place of a step, the simplest first
   */
  public void simplify(Function<T, List<T>> simpler) {
    boolean simplified = true;
    while (simplified) {
      simplified = false;
      for (int i = 0; i < shortest.size(); i++) {
        while (replace(i, simpler.apply(shortest.get(i)))) {
          simplified = true;
        }
      }
    }
  }

  /**
   * Puts another sequence in the place of this one, if that fails as well.
   *
   * @return whether it was run and does fail, or is no other
   */
  public boolean replace(List<T> other) {
    return other.equals(shortest) || (mayRun() && isLegal(other) && run(other));
  }

  private boolean replace(int index, List<T> candidates) {
    for (T candidate : candidates) {
      List<T> part = new ArrayList<>(shortest);
      part.set(index, candidate);
      if (mayRun() && isLegal(part) && run(part)) {
        return true;
      }
    }
    return false;
  }

  private boolean accept(List<T> part) {
    if (part.size() == shortest.size() || !mayRun()) {
      return false;
    }
    List<T> legal = legalPart.apply(part);
    return !legal.isEmpty() && run(legal);
  }

  private boolean isLegal(List<T> part) {
    return legalPart.apply(part).size() == part.size();
  }

  private boolean run(List<T> part) {
    runs++;
    boolean failed = fails.test(List.copyOf(part));
    if (failed) {
      shortest = List.copyOf(part);
      minimal = false;
    }
    return failed;
  }

  private boolean mayRun() {
    return runs < mostRuns && goesOn.getAsBoolean();
  }
}
