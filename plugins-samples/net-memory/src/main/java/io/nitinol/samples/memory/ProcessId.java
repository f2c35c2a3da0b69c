// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Names a process of this host for good: its number may be given to another process once it has
 * ended, but not together with the time it was started.
 *
 * @param pid its number
 * @param start when it was started, in the kernel's ticks since the machine was
 * @param space the process namespace that the number is good in, by the kernel's number for it
 */
record ProcessId(int pid, long start, long space) {

  /** Returns this process; fails where the system has no /proc as Linux has it. */
  static ProcessId self() throws IOException {
    Path self = Path.of("/proc/self").toRealPath(); // a link to the process's number
    Path stat = self.resolve("stat");
    Path space = self.resolve("ns/pid");
    try (ProcessStat file = ProcessStat.open(stat.toString())) {
      String name = Files.readSymbolicLink(space).toString(); // pid:[4026531836]
      String number = name.substring(name.indexOf('[') + 1, name.length() - 1);
      return new ProcessId(
          Integer.parseInt(self.toString().substring("/proc/".length())),
          file.start(),
          Long.parseLong(number));
    } catch (IndexOutOfBoundsException | NumberFormatException e) {
      throw new IOException(stat + " or " + space + " is not what Linux has there", e);
    }
  }

  /** Where the kernel tells about the process. */
  String statFile() {
    return "/proc/" + pid + "/stat";
  }

  @Override
  public String toString() {
    return "process " + pid;
  }
}
