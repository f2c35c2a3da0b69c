// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cpu;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;

/**
 * A process that memory belongs to. Containers may share memory and not see each other's processes,
 * so a number of a process means something in one namespace only. Numbers of processes return, so
 * its start belongs to it; not by the clock, which can be set: the start of one process would be
 * another one afterwards.
 *
 * @param namespace the kernel's number of the namespace; 0 where it is not known
 * @param pid the process in there
 * @param started when it began: which boot of the machine, and how many ticks after that. Where
 *     there is no {@code /proc}, in milliseconds since 1970. Not negative
 */
record OwnerProcess(long namespace, long pid, long started) {
  private static final Path NAMESPACE = Path.of("/proc/self/ns/pid"); // a link to pid:[4026531836]
  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

  /** The place of the start among the fields of {@code /proc/PID/stat} behind the name. */
  private static final int START = 19;

  private static final long NOT_THERE = -1;
  private static final long NOT_KNOWN = -2;
  private static final long BOOT_ID = bootId();

  static final OwnerProcess SELF =
      new OwnerProcess(
          ownNamespace(),
          ProcessHandle.current().pid(),
          Math.max(0, startOf(ProcessHandle.current().pid())));

  /** Returns whether the process is known to have ended. */
  boolean hasEnded() {
    if (namespace != SELF.namespace) {
      return false;
    }
    long start = startOf(pid);
    return start == NOT_THERE || (start != NOT_KNOWN && start != started);
  }

  private static long startOf(long process) {
    if (BOOT_ID == NOT_THERE) {
      return ProcessHandle.of(process)
          .filter(ProcessHandle::isAlive)
          .map(found -> found.info().startInstant().map(Instant::toEpochMilli).orElse(NOT_KNOWN))
          .orElse(NOT_THERE);
    }
    try {
      return startIn(
          Files.readString(Path.of("/proc/" + process + "/stat"), StandardCharsets.ISO_8859_1));
    } catch (NoSuchFileException e) {
      return NOT_THERE;
    } catch (IOException e) {
      // It ended while the file was read, or is another user's and hidden.
      return ProcessHandle.of(process).isPresent() ? NOT_KNOWN : NOT_THERE;
    }
  }

  /**
   * Reads the start of a process.
   *
   * @param stat the content of its {@code stat}: the name in parentheses, which may have blanks and
   *     parentheses in it, then the state and numbers
   */
  static long startIn(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    if (fields[0].equals("Z") || fields[0].equals("X")) {
      return NOT_THERE; // it has ended, and its parent has not asked yet
    }
    return fields.length > START
        ? (BOOT_ID << Integer.SIZE) | (Long.parseLong(fields[START]) & 0xFFFF_FFFFL)
        : NOT_KNOWN;
  }

  /** Returns 31 bits of this boot's name. */
  private static long bootId() {
    try {
      return Files.readString(BOOT, StandardCharsets.ISO_8859_1).strip().hashCode()
          & Integer.MAX_VALUE;
    } catch (IOException e) {
      return NOT_THERE; // no /proc
    }
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
