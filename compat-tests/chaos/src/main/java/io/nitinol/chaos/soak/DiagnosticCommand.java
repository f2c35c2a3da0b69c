// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos.soak;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** The commands that {@code jcmd} has, for this JVM. */
final class DiagnosticCommand {
  private DiagnosticCommand() {}

  /**
   * Runs a command.
   *
   * @param name as the JVM's bean names it: {@code vmNativeMemory} for {@code VM.native_memory}
   * @return what {@code jcmd} would print
   */
  static String run(String name, String... arguments) {
    try {
      return (String)
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  name,
                  new Object[] {arguments},
                  new String[] {String[].class.getName()});
    } catch (JMException e) {
      throw new IllegalStateException("the JVM does not run " + name, e);
    }
  }
}
