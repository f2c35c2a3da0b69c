// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.solo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds the threads that have started since, except those of the JVM, core and the kit. */
public final class NewThreads {
  /** Threads that the JDK starts for the users of its pools. */
  private static final List<String> OF_THE_JDK =
      List.of("ForkJoinPool", "process reaper", "Attach Listener", "Read-Poller");

  private static final String OF_THE_KIT = "tck-";

  /** The names that the JDK gives the threads of {@code Cleaner.create()}. */
  private static final String CLEANER = "Cleaner-";

  /** Core's, which tells that a plugin takes long: {@code core.plugin.SlowCall}. */
  private static final String OF_CORE = "nitinol-plugin-watch";

  private final Set<Thread> old = new HashSet<>(all());

  /** Takes the threads that exist now for old ones. */
  public NewThreads() {}

  /** Returns the new threads that exist now. */
  public List<Thread> now() {
    List<Thread> found = new ArrayList<>();
    for (Thread thread : all()) {
      String name = thread.getName();
      if (!old.contains(thread)
          && !name.startsWith(OF_THE_KIT)
          && !name.equals(OF_CORE)
          && OF_THE_JDK.stream().noneMatch(name::startsWith)) {
        found.add(thread);
      }
    }
    return found;
  }

  /**
   * Returns the threads outside the group of the JVM itself, and those in it that work for a {@code
   * Cleaner} which a program has created without a thread of its own. The JDK's own has another
   * name.
   */
  private static List<Thread> all() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    List<Thread> found = new ArrayList<>(of(group));
    ThreadGroup root = group;
    for (ThreadGroup next = root.getParent(); next != null; next = root.getParent()) {
      root = next;
    }
    for (Thread thread : of(root)) {
      if (thread.getName().startsWith(CLEANER) && !found.contains(thread)) {
        found.add(thread);
      }
    }
    return found;
  }

  private static List<Thread> of(ThreadGroup group) {
    Thread[] threads = new Thread[group.activeCount() + 64];
    return Arrays.asList(Arrays.copyOf(threads, group.enumerate(threads)));
  }
}
