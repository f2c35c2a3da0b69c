// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.spi.config.Settings;
import java.io.IOException;
import java.lang.reflect.Proxy;

/**
 * Hands on the signal of {@code NITINOL_DUMP_SIGNAL} to the process that takes it: the user knows
 * the number of the process that was started first.
 */
final class SignalRelay {
  private static final String NONE = "none";

  private SignalRelay() {}

  /** Hands the signal on to {@code process} from now on, where this system has signals. */
  static void to(Process process) {
    Settings settings = Settings.process();
    String name =
        settings.isSet(CoreVariables.DUMP_SIGNAL)
            ? settings.get(CoreVariables.DUMP_SIGNAL)
            : "USR1";
    if (name.equals(NONE)) {
      return;
    }
    try {
      listen(name, process);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return; // the process that it is for reports that it cannot be had
    }
  }

  /** Takes the signal. By reflection, since compilers warn of these classes, the only ones. */
  private static void listen(String name, Process process) throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    Object relay =
        Proxy.newProxyInstance(
            SignalRelay.class.getClassLoader(),
            new Class<?>[] {handler},
            (_, method, _) -> {
              if (method.getName().equals("handle")) {
                send(name, process);
              }
              return null;
            });
    signal
        .getMethod("handle", signal, handler)
        .invoke(null, signal.getConstructor(String.class).newInstance(name), relay);
  }

  private static void send(String name, Process process) {
    try {
      new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).inheritIO().start();
    } catch (IOException e) {
      System.err.println("nitinol: cannot hand on the signal " + name + ": " + e.getMessage());
    }
  }
}
