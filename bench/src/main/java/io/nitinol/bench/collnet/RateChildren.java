// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.collnet;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The children, each a thread of this process: they talk to the hub by the Net plugin, and to the
 * switch by the CollNet plugin, as the lines of standard input say.
 */
final class RateChildren {
  private RateChildren() {}

  /** What a child does. */
  interface Child {
    /** Has {@code bytes} reduced, or sent there and back, so many times. */
    void run(int times);

    /** Throws where the last result is wrong. */
    void check();
  }

  /**
   * Runs until standard input ends: says its handles, reads the hub's, says {@code ready}, and then
   * answers each line {@code hub TIMES} or {@code switch TIMES} with the nanoseconds that took.
   *
   * @param arguments the number of children, bytes of a segment, segments of a child, bytes of an
   *     operation
   */
  public static void main(String[] arguments)
      throws IOException, InterruptedException, ExecutionException {
    int count = Integer.parseInt(arguments[0]);
    int segment = Integer.parseInt(arguments[1]);
    int window = Integer.parseInt(arguments[2]);
    int bytes = Integer.parseInt(arguments[3]);
    BufferedReader reader =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
      Arena arena = Arena.ofShared(); // until the process ends
      List<Child> ofHub =
          new ArrayList<>(HubChild.connect(count, segment, window, bytes, reader, arena));
      List<Child> ofSwitch =
          new ArrayList<>(BenchSwitchChild.connect(count, bytes, arena, threads));
      System.out.println("ready");
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        String[] words = line.split(" ", -1);
        List<Child> children = words[0].equals("hub") ? ofHub : ofSwitch;
        int times = Integer.parseInt(words[1]);
        long start = System.nanoTime();
        all(threads, children, child -> child.run(times));
        long nanos = System.nanoTime() - start;
        all(threads, children, Child::check);
        System.out.println(nanos);
      }
      System.exit(0); // the pool's threads and the plugins' would stay
    }
  }

  /** What all children do at the same time. */
  private interface Part {
    void of(Child child);
  }

  private static void all(ExecutorService threads, List<Child> children, Part part)
      throws InterruptedException, ExecutionException {
    List<Callable<Boolean>> calls = new ArrayList<>();
    for (Child child : children) {
      calls.add(() -> {
        part.of(child);
        return true;
      });
    }
    for (Future<Boolean> each : threads.invokeAll(calls)) {
      each.get();
    }
  }
}
