// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.launch;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** The other end of {@link OrphanGuard}'s pipe. */
@Command(
    name = WatchdogCommand.NAME,
    hidden = true,
    description =
        "Kills the processes named on standard input when that ends; started by nitinol run.")
public final class WatchdogCommand implements Callable<Integer> {
  static final String NAME = "watchdog";

  /** Made by picocli. */
  public WatchdogCommand() {}

  @Override
  public Integer call() throws IOException {
    // Ctrl-C reaches this process as well, and it must outlive the launcher.
    Thread reader = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> outlive(reader), "watchdog-outlive"));
    Map<Long, String> watched = new HashMap<>();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.startsWith("+")) {
        int space = line.indexOf(' ');
        watched.put(Long.valueOf(line.substring(1, space)), line.substring(space + 1));
      } else {
        watched.remove(Long.valueOf(line.substring(1)));
      }
    }
    watched.forEach(WatchdogCommand::kill);
    // Past the shutdown hook, which would wait for this very thread.
    Runtime.getRuntime().halt(0);
    return 0;
  }

  private static void outlive(Thread reader) {
    try {
      reader.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void kill(long pid, String started) {
    ProcessHandle process = ProcessHandle.of(pid).orElse(null);
    if (process == null
        || !process.info().startInstant().map(Object::toString).orElse("?").equals(started)) {
      return;
    }
    List<ProcessHandle> tree = new ArrayList<>(process.descendants().toList());
    tree.add(process);
    tree.forEach(ProcessHandle::destroyForcibly);
  }
}
