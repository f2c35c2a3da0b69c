// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes a plugin that ends its caller's process from a signal: a thread that calls {@link
 * System#exit} stays in that call while the shutdown hooks run.
 */
public final class ExitCall {
  /** The JDK's class that ends the JVM for a signal; the thread of that signal is inside it. */
  private static final String SIGNAL_HANDLER = "java.lang.Terminator";

  private static final Set<String> ENDERS = Set.of("java.lang.System", "java.lang.Runtime");

  private ExitCall() {}

  /**
   * Finds the caller that has asked the JVM to end. For shutdown hooks.
   *
   * @return class, method and line; null if there is none, as when the JVM ends by a signal
   */
  public static @Nullable String find() {
    for (Map.Entry<Thread, StackTraceElement[]> thread : Thread.getAllStackTraces().entrySet()) {
      String caller = caller(thread.getValue());
      if (caller != null) {
        return caller + " on thread " + thread.getKey().getName();
      }
    }
    return null;
  }

  /**
   * Finds out whether a signal has asked the JVM to end: SIGHUP, SIGINT or SIGTERM. For shutdown
   * hooks. The exit status alone does not tell, since {@code exit(130)} is what SIGINT leads to.
   *
   * @return whether the JVM's own handler of signals is what ends it
   */
  public static boolean isSignal() {
    for (StackTraceElement[] stack : Thread.getAllStackTraces().values()) {
      for (StackTraceElement frame : stack) {
        if (frame.getClassName().startsWith(SIGNAL_HANDLER)) {
          return true;
        }
      }
    }
    return false;
  }

  private static @Nullable String caller(StackTraceElement[] stack) {
    for (int i = stack.length - 2; i >= 0; i--) {
      if (stack[i].getMethodName().equals("exit") && ENDERS.contains(stack[i].getClassName())) {
        return stack[i + 1].toString();
      }
    }
    return null;
  }
}
