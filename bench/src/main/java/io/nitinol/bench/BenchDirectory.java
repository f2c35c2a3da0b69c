// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Where a bench that starts processes keeps its files. */
public final class BenchDirectory {
  private BenchDirectory() {}

  /**
   * Makes a directory that goes with this process, however it ends, and with it all processes that
   * this one has started, and theirs. They end first, since they write into it.
   *
   * @param bench the name of the bench, for what cannot be deleted
   */
  public static Path make(String bench) throws IOException {
    Path directory = Files.createTempDirectory("nitinol-bench");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(bench, directory)));
    return directory;
  }

  private static void end(String bench, Path directory) {
    end(ProcessHandle.current().children().toList());
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      System.err.println("bench " + bench + ": " + directory + " is left: " + e);
    }
  }

  /**
   * Ends processes and theirs. Asks first, since launchers clean up when they are asked to end, and
   * forces after two seconds.
   */
  public static void end(List<ProcessHandle> started) {
    List<ProcessHandle> left = new ArrayList<>(started);
    started.forEach(each -> each.descendants().forEach(left::add));
    started.forEach(ProcessHandle::destroy);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
    boolean interrupted = false;
    for (ProcessHandle each : left) {
      try {
        each.onExit().get(Math.max(1, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (TimeoutException | ExecutionException e) {
        each.destroyForcibly();
      } catch (InterruptedException e) {
        each.destroyForcibly();
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
