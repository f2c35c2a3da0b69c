// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos.soak;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of a job as the program sees it, and the footprints that it has reported. */
final class SoakMember {
  private final String name;
  private final Process process;
  private final PrintStream out;
  private final Thread reader;
  private final List<Footprint> footprints = new ArrayList<>(); // guarded by this, as the others
  private double printed = -1;
  private boolean done;

  SoakMember(String name, Process process, PrintStream out) {
    this.name = name;
    this.process = process;
    this.out = out;
    this.reader = Thread.ofPlatform().daemon().unstarted(this::read);
    reader.start();
  }

  String name() {
    return name;
  }

  private void read() {
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        take(line);
      }
    } catch (IOException e) {
      out.println(name + " cannot be read: " + e);
    }
  }

  private synchronized void take(String line) {
    String[] words = line.split(" ", 2);
    switch (words[0]) {
      case SoakWorker.DONE -> done = true;
      case SoakWorker.FOOTPRINT -> {
        Footprint footprint = Footprint.parse(words[1]);
        footprints.add(footprint);
        if (footprint.minute() >= printed + 1) { // as it comes: a soak may be ended before its time
          printed = Math.floor(footprint.minute());
          out.println(SoakVerdict.row(name, footprint));
        }
      }
      case SoakWorker.CLOSED ->
          out.println(SoakVerdict.row(name, Footprint.parse(words[1])) + ", all closed");
      default -> out.println(name + ": " + line);
    }
  }

  synchronized List<Footprint> footprints() {
    return List.copyOf(footprints);
  }

  /** Waits until it has ended; returns whether it reported before that all was done. */
  boolean awaitEnd(long seconds) throws InterruptedException {
    if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
      out.println(name + " does not end");
      return false;
    }
    reader.join();
    synchronized (this) {
      if (!done || process.exitValue() != 0) {
        out.println(name + " failed, with status " + process.exitValue());
        return false;
      }
      return true;
    }
  }

  void end() {
    process.destroyForcibly();
  }
}
