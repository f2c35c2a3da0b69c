// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.setup;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.core.progress.Engine;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.config.Settings;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Lists the engines of all communicators of this process that are not closed, and writes their
 * state to standard error on a signal where that is asked for. What {@code
 * io.nitinol.core.StateDump} is the front of.
 */
@AnyThread
public final class EngineDump {
  private static final String NONE = "none";

  private static final List<Engine> ENGINES = new CopyOnWriteArrayList<>();
  private static final List<FlightFile> FLIGHT_FILES = new CopyOnWriteArrayList<>();
  private static final Set<String> SIGNALS = ConcurrentHashMap.newKeySet();

  private EngineDump() {}

  /**
   * Makes the process write the state on the signal of {@code NITINOL_DUMP_SIGNAL}.
   *
   * @param fallback the signal where the variable is not set
   */
  public static void onSignal(Settings settings, String fallback, DebugLogger logger) {
    String name =
        settings.isSet(CoreVariables.DUMP_SIGNAL)
            ? settings.get(CoreVariables.DUMP_SIGNAL)
            : fallback;
    if (name.equals(NONE) || !SIGNALS.add(name)) {
      return;
    }
    try {
      listen(name);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      logger.warn(
          "StateDump",
          ErrorText.of(
              "%s=%s cannot be had in this process: %s", CoreVariables.DUMP_SIGNAL, name, e));
    }
  }

  /** As the other one, with no signal where the variable is not set. */
  static void onSignal(Settings settings, DebugLogger logger) {
    onSignal(settings, NONE, logger);
  }

  /** Takes the signal. By reflection, since compilers warn of these classes, the only ones. */
  private static void listen(String name) throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    Object writer =
        Proxy.newProxyInstance(
            EngineDump.class.getClassLoader(),
            new Class<?>[] {handler},
            (proxy, method, arguments) -> answer(proxy, method.getName(), arguments));
    signal
        .getMethod("handle", signal, handler)
        .invoke(null, signal.getConstructor(String.class).newInstance(name), writer);
  }

  @SuppressWarnings("ReferenceEquality") // what equals means for a handler
  private static Object answer(Object proxy, String method, Object[] arguments) {
    return switch (method) {
      case "equals" -> proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      case "toString" -> "StateDump";
      default -> {
        write();
        yield proxy; // of a method that returns nothing
      }
    };
  }

  /** Writes the state to standard error in one go; not by System.err, which has a lock. */
  private static void write() {
    byte[] text = all().getBytes(StandardCharsets.UTF_8);
    try {
      // Not closed: the descriptor belongs to the process.
      new FileOutputStream(FileDescriptor.err).write(text);
    } catch (IOException noOutputIsLeft) {
      // the files below may still be written
    }
    writeFlightFiles();
  }

  /** Returns the state of all communicators of this process that are not closed, in lines. */
  public static String all() {
    StringBuilder text = new StringBuilder();
    text.append("Nitinol, process ").append(ProcessHandle.current().pid()).append(": ");
    text.append(ENGINES.size()).append(" communicator(s)\n");
    for (Engine engine : ENGINES) {
      text.append(of(engine));
    }
    return text.toString();
  }

  /** Returns the state of one engine, in lines. */
  static String of(Engine engine) {
    try {
      String text = engine.view().dump();
      return text.endsWith("\n") ? text : text + "\n";
    } catch (RuntimeException e) {
      return "a communicator that changed while it was looked at: " + e + "\n";
    }
  }

  static void add(Engine engine) {
    ENGINES.add(engine);
  }

  /** Adds a file that is written on request, until it is removed. */
  static void add(FlightFile file) {
    FLIGHT_FILES.add(file);
  }

  static void remove(FlightFile file) {
    FLIGHT_FILES.remove(file);
  }

  /** Writes the files of the flight recorders of all communicators that are not closed. */
  static void writeFlightFiles() {
    for (FlightFile file : FLIGHT_FILES) {
      try {
        file.write();
      } catch (RuntimeException e) {
        file.failed(e); // the other files, and the thread that writes them on request, go on
      }
    }
  }

  static void remove(Engine engine) {
    ENGINES.remove(engine);
  }
}
