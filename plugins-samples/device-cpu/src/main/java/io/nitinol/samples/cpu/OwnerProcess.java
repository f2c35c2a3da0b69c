// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * A process that memory belongs to. Containers may share memory and not see each other's processes,
 * so a number of a process means something in one namespace only.
 *
 * @param namespace the kernel's number of the namespace; 0 where it is not known
 * @param pid the process in there
 * @param started when it began, in milliseconds since 1970: numbers of processes return
 */
record OwnerProcess(long namespace, long pid, long started) {
  private static final Path NAMESPACE = Path.of("/proc/self/ns/pid"); // a link to pid:[4026531836]

  static final OwnerProcess SELF =
      new OwnerProcess(
          ownNamespace(), ProcessHandle.current().pid(), startOf(ProcessHandle.current()));

  /** Returns whether the process is known to have ended. */
  boolean hasEnded() {
    return namespace == SELF.namespace
        && ProcessHandle.of(pid)
            .filter(ProcessHandle::isAlive)
            .filter(process -> startOf(process) == started)
            .isEmpty();
  }

  private static long startOf(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  private static long ownNamespace() {
    try {
      String digits = Files.readSymbolicLink(NAMESPACE).toString().replaceAll("\\D", "");
      return digits.isEmpty() ? 0 : Long.parseLong(digits);
    } catch (IOException | UnsupportedOperationException e) {
      return 0; // no /proc: then there are no such namespaces, either
    }
  }
}
