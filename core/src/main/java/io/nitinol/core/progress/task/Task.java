// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress.task;

/**
 * A part of an operation that advances in its own order beside the others. Never waits: what cannot
 * be done yet is tried again. Belongs to one thread at a time; what describes it may be called by
 * any at any time, so it changes nothing, and is approximate then.
 */
public abstract class Task {
  /** What {@link #waitsFor} returns where it is no rank in particular. */
  public static final int NOBODY = -1;

  /** Whether everything is done. */
  public boolean done = true;

  /** Does what can be done now; returns how many things that was. */
  public abstract int advance();

  /** Stops the events that a profiler knows this by, where it will not be done. */
  public void endEvents() {}

  /** Returns the rank that this waits for, or {@link #NOBODY}. Only while it is not done. */
  public abstract int waitsFor();

  /** Returns what this waits for, to follow "waits for". */
  public abstract String describeWait();

  /** Returns what this is and how far, for a dump. */
  public abstract String describe();
}
