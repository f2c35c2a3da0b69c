// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.scene;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.ThreadMXBean;
import io.nitinol.tck.session.Session;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures how much repeated work takes from the Java heap once it is compiled. Before, code makes
 * objects that are not needed, and memory of the compiler may be charged to the caller; on a busy
 * machine that phase lasts. And a thread of the plugin allocates when it does something for the
 * first time: when it first sleeps on a selector it makes that selector, at a moment that depends
 * on the machine, and each of its threads at another. What work takes each time is in every
 * attempt, and what it takes once in one. So the least of several attempts counts. They go on for
 * seconds, and on a machine where those are few, for more of them. They also go on while the JVM
 * compiles: beside other work its compiler gets its share of the processors late.
 */
public final class HeapUse {
  private static final int ATTEMPTS = 4;

  /** More attempts than a plugin has threads that do something for the first time. */
  static final int ENOUGH = 16;

  /** How much longer than usual it may take to come to as many as are enough. */
  static final int SLOWER = 3;

  /** The compiler has come to rest when it has finished nothing for so long. */
  static final long REST = TimeUnit.SECONDS.toNanos(2);

  private static final int BATCH = 100;

  /** After so many operations C2 has compiled what each of them calls, with room to spare. */
  private static final int COMPILED = 10_000;

  private static final long WARM_UP = TimeUnit.MILLISECONDS.toNanos(300);
  private static final long MOST = TimeUnit.SECONDS.toNanos(5);

  /**
   * What the best of several attempts took.
   *
   * @param own bytes of the thread that calls the plugin
   * @param others bytes of other threads
   * @param attempts how many there were
   * @param nanos how long the best one took
   */
  public record Use(long own, long others, int attempts, long nanos) {
    /** Returns all bytes. */
    public long bytes() {
      return own + others;
    }

    @Override
    public String toString() {
      return "%d bytes on the Java heap (calling thread %d, threads of the plugin %d; best of %d attempts)"
          .formatted(bytes(), own, others, attempts);
    }
  }

  private final int operations;
  private final IntConsumer run;
  private final LongSupplier own;
  private final LongSupplier others;
  private final LongSupplier compiled;
  private final LongSupplier clock;
  private int done;

  /**
   * Prepares a measurement of work on the calling thread.
   *
   * @param operations how many of them are measured at a time
   * @param run does so many operations
   * @param own returns the bytes that the calling thread has allocated so far
   * @param others the same of other threads; may allocate itself
   * @param compiled how long the JVM has compiled so far, in any unit
   * @param clock in nanoseconds
   */
  HeapUse(
      int operations,
      IntConsumer run,
      LongSupplier own,
      LongSupplier others,
      LongSupplier compiled,
      LongSupplier clock) {
    this.operations = operations;
    this.run = run;
    this.own = own;
    this.others = others;
    this.compiled = compiled;
    this.clock = clock;
  }

  /** Returns what tells how long the JVM has compiled; always 0 where it does not tell. */
  private static LongSupplier compilation() {
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    return compiler != null && compiler.isCompilationTimeMonitoringSupported()
        ? compiler::getTotalCompilationTime
        : () -> 0;
  }

  /**
   * Returns why code of this JVM makes objects that it does not need, or null where it makes none.
   * Only C2 removes them.
   *
   * @param level the greatest level at which the JVM compiles; C2's is 4
   * @param mode how the JVM runs, as {@code java.vm.info} says
   */
  static @Nullable String wasteful(String level, String mode) {
    if (mode.startsWith("interpreted")) {
      return "this JVM interprets all code (-Xint), which makes objects that C2 removes";
    }
    // So it is with -XX:TieredStopAtLevel=1 and with -XX:CompilationMode=quick-only.
    return level.equals("4") && !mode.contains("emulated-client")
        ? null
        : "this JVM compiles without C2, which removes objects that are not needed: %s, level %s"
            .formatted(mode, level);
  }

  private static String greatestLevel() {
    HotSpotDiagnosticMXBean hotspot =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
    try {
      return hotspot == null ? "4" : hotspot.getVMOption("TieredStopAtLevel").getValue();
    } catch (IllegalArgumentException e) {
      return "4"; // a JVM without such levels
    }
  }

  /**
   * Returns the JVM's counter of allocated bytes, or skips the rule if there is none or the JVM
   * makes objects that are not needed.
   */
  public static ThreadMXBean counter(Session session) {
    String wasteful = wasteful(greatestLevel(), System.getProperty("java.vm.info", ""));
    if (wasteful != null) {
      throw session.skip(wasteful);
    }
    if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads)
        || !threads.isThreadAllocatedMemorySupported()) {
      throw session.skip("this JVM does not count what threads allocate");
    }
    threads.setThreadAllocatedMemoryEnabled(true);
    return threads;
  }

  /**
   * Measures until it is little enough: fewer bytes than operations are none.
   *
   * @param operations how many of them are measured at a time
   * @param run does so many operations
   * @param threads counts what this thread allocates
   * @param others returns what other threads have allocated so far, and may allocate itself
   * @return what the best attempt took
   * @throws io.nitinol.tck.check.Inapplicable where the operations are so slow that the JVM has not
   *     compiled what they call: such code allocates where compiled code does not
   */
  public static Use least(
      Session session, int operations, IntConsumer run, ThreadMXBean threads, LongSupplier others) {
    HeapUse use =
        new HeapUse(
            operations,
            run,
            threads::getCurrentThreadAllocatedBytes,
            others,
            compilation(),
            System::nanoTime);
    long start = System.nanoTime();
    Use least = use.least(Math.min(session.patient(MOST), session.terms().patience().nanos()));
    if (least.bytes() >= operations && use.done < COMPILED) {
      throw session.skip(
          "too slow here: the JVM compiles what %d operations call, and %d took %d s"
              .formatted(
                  COMPILED, use.done, TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start)));
    }
    return least;
  }

  /**
   * Measures until it is little enough.
   *
   * @param limit how long to go on at least where it is not, in nanoseconds
   */
  Use least(long limit) {
    long start = clock.getAsLong();
    long compiledSoFar = compiled.getAsLong();
    long restsSince = start;
    Use least = new Use(Long.MAX_VALUE, 0, 0, 0);
    for (int attempt = 1; ; attempt++) {
      long now = clock.getAsLong();
      if (!goesOn(attempt, now - start, limit, now - restsSince >= REST)) {
        return least;
      }
      Use use = attempt(attempt);
      least =
          use.bytes() < least.bytes()
              ? use
              : new Use(least.own, least.others, attempt, least.nanos);
      if (least.bytes() < operations) {
        return least;
      }
      if (compiled.getAsLong() != compiledSoFar) {
        compiledSoFar = compiled.getAsLong();
        restsSince = clock.getAsLong();
      }
    }
  }

  private static boolean goesOn(int attempt, long elapsed, long limit, boolean rests) {
    return attempt <= ATTEMPTS
        || elapsed < limit
        || ((attempt <= ENOUGH || !rests) && elapsed < SLOWER * limit);
  }

  private Use attempt(int number) {
    long warm = clock.getAsLong();
    do {
      run.accept(BATCH);
      done += BATCH;
    } while (clock.getAsLong() - warm < WARM_UP);
    long othersBefore = others.getAsLong();
    long start = clock.getAsLong();
    long before = own.getAsLong();
    run.accept(operations);
    long mine = own.getAsLong() - before;
    long nanos = clock.getAsLong() - start;
    done += operations;
    return new Use(mine, others.getAsLong() - othersBefore, number, nanos);
  }
}
