// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.toolkit.thread.AnyThread;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells a listener which plugins are called while plugins are looked for and tried, so that one
 * which ends the process or does not return can be named. Calls for a communicator's data are not
 * told.
 *
 * <p>Several communicators may start at once in one process: then several calls are under way, each
 * on a thread of its own, and the listener hears of all.
 */
@AnyThread
public final class PluginWatch {
  private static volatile @Nullable PluginWatch process;

  private record Call(long thread, String which) {}

  private final Consumer<String> told;
  private final List<Call> calls = new ArrayList<>(); // guarded by this, oldest first

  private PluginWatch(Consumer<String> told) {
    this.told = told;
  }

  /**
   * Names the listener of this process.
   *
   * @param told is called by the thread that calls a plugin, before and after it does, with the
   *     calls that are under way then, each with the plugin's name and origin; with an empty text
   *     where there is none. One call of it at a time
   */
  public static void listen(Consumer<String> told) {
    process = new PluginWatch(told);
  }

  /** Does something that calls a plugin, which {@code which} names with the call. */
  static <T extends @Nullable Object> T during(Supplier<String> which, Supplier<T> call) {
    PluginWatch watch = process;
    if (watch == null) {
      return call.get();
    }
    Call begun = watch.begin(which.get());
    try {
      return call.get();
    } finally {
      watch.end(begun);
    }
  }

  private synchronized Call begin(String which) {
    Call begun = new Call(Thread.currentThread().threadId(), which);
    calls.add(begun);
    tell();
    return begun;
  }

  private synchronized void end(Call over) {
    calls.remove(calls.lastIndexOf(over));
    tell();
  }

  /** Tells the innermost call of each thread. */
  private void tell() {
    List<String> innermost = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      Call call = calls.get(i);
      if (calls.subList(i + 1, calls.size()).stream()
          .noneMatch(later -> later.thread() == call.thread())) {
        innermost.add(call.which());
      }
    }
    told.accept(String.join(", ", innermost));
  }
}
