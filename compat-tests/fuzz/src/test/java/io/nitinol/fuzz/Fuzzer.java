// SPDX-License-Identifier: Apache-2.0
package io.nitinol.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tries inputs on one target, on the thread that calls it. An input is kept if it reaches a branch
 * that none before it has reached, or one much more often; the inputs to come are changes of those
 * that are kept. Not more than one fuzzer of a process is used at a time.
 */
final class Fuzzer {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** How many of the latest kept inputs are changed as often as all the others. */
  private static final int LATEST = 16;

  /** Tries of one input: the first uses of classes and texts allocate, later ones do not. */
  private static final int TRIES = 4;

  private static final int MOST_FINDINGS = 20;

  private final String name;
  private final String className;
  private final Coverage coverage = new Coverage();
  private final ProbeLoader loader = new ProbeLoader();
  private final FuzzTarget target;
  private final SplittableRandom random;
  private final Mutator mutator;
  private final List<byte[]> kept = new ArrayList<>();
  private final Map<String, Finding> findings = new LinkedHashMap<>();
  private final Watch watch;
  private long inputs;
  private long nanos;

  /**
   * Loads a target.
   *
   * @param name one of {@link Targets}
   * @param seed from which the changes follow
   */
  Fuzzer(String name, long seed, Watch watch) throws ReflectiveOperationException {
    this(name, Targets.className(name), seed, watch);
  }

  /** Loads a target of any class. */
  Fuzzer(String name, String className, long seed, Watch watch)
      throws ReflectiveOperationException {
    this.name = name;
    this.className = className;
    this.watch = watch;
    this.random = new SplittableRandom(seed);
    Thread.currentThread().setContextClassLoader(loader);
    this.target = (FuzzTarget) loader.loadClass(className).getDeclaredConstructor().newInstance();
    this.mutator = new Mutator(random, target.mostBytes());
    coverage.begin();
  }

  /** Tries inputs as they are, and keeps what reaches something new. */
  void replay(List<byte[]> given) {
    for (byte[] input : given) {
      tryAndKeep(input, false);
    }
  }

  /** Tries the seeds and the corpus. */
  void begin() {
    replay(target.seeds());
    replay(Corpus.read(name));
    mutator.learn(loader.constants());
  }

  /** Tries changes of what is kept. */
  void run(long count) {
    long began = System.nanoTime();
    if (kept.isEmpty()) {
      kept.add(new byte[0]);
    }
    for (long i = 0; i < count && findings.size() < MOST_FINDINGS; i++) {
      if (i % (1 << 16) == (1 << 12)) {
        mutator.learn(loader.constants()); // of classes that were loaded meanwhile
      }
      byte[] from = pick();
      tryAndKeep(mutator.change(from, kept.get(random.nextInt(kept.size()))), true);
    }
    nanos += System.nanoTime() - began;
  }

  private byte[] pick() {
    int size = kept.size();
    return size > LATEST && random.nextBoolean()
        ? kept.get(size - 1 - random.nextInt(LATEST))
        : kept.get(random.nextInt(size));
  }

  private void tryAndKeep(byte[] input, boolean shortens) {
    Throwable effect = effect(input);
    if (effect != null) {
      found(input, effect);
    } else if (coverage.isNew()) {
      kept.add(shortens ? shortened(input) : input);
    }
  }

  /** Runs the target; returns what came out of it, or null. */
  private @Nullable Throwable effect(byte[] input) {
    inputs++;
    Throwable effect = once(input);
    if (effect instanceof TooMuchMemory) {
      for (int i = 1; i < TRIES && effect instanceof TooMuchMemory; i++) {
        effect = once(input);
      }
    }
    return effect;
  }

  private @Nullable Throwable once(byte[] input) {
    byte[] own = input.clone();
    watch.begin(name, input);
    coverage.begin();
    long before = THREADS.getCurrentThreadAllocatedBytes();
    try {
      target.run(own);
    } catch (VirtualMachineError | Exception | AssertionError | LinkageError e) {
      return e;
    } finally {
      watch.end();
    }
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    long most = target.mostAllocated() + 64L * input.length;
    return allocated > most ? new TooMuchMemory(allocated, most) : null;
  }

  private void found(byte[] input, Throwable effect) {
    String place = Finding.place(effect);
    if (!findings.containsKey(place)) {
      byte[] shorter =
          shorter(
              input,
              part -> {
                Throwable again = once(part);
                return again != null && Finding.place(again).equals(place);
              });
      findings.put(place, new Finding(name, shorter, effect));
    }
  }

  /** Returns a part of an input that reaches the same. */
  private byte[] shortened(byte[] input) {
    long signature = coverage.signature();
    return shorter(input, part -> once(part) == null && coverage.signature() == signature);
  }

  private static byte[] shorter(byte[] input, Predicate<byte[]> isSame) {
    byte[] best = input;
    for (int count = Integer.highestOneBit(Math.max(1, best.length / 2)); count > 0; count /= 2) {
      for (int at = 0; at + count <= best.length && best.length > 0; ) {
        byte[] part = new byte[best.length - count];
        System.arraycopy(best, 0, part, 0, at);
        System.arraycopy(best, at + count, part, at, part.length - at);
        if (isSame.test(part)) {
          best = part;
        } else {
          at += count;
        }
      }
    }
    return best;
  }

  /** Returns the fewest and shortest of the kept inputs that reach the same branches. */
  List<byte[]> smallest() throws ReflectiveOperationException {
    List<byte[]> byLength = new ArrayList<>(kept);
    byLength.sort(
        Comparator.<byte[]>comparingInt(each -> each.length).thenComparing(Arrays::compare));
    Fuzzer anew = new Fuzzer(name, className, 0, watch);
    for (int i = 0; i < 2; i++) { // the first time classes are loaded, which other inputs then lack
      anew.replay(target.seeds());
    }
    anew.kept.clear();
    for (byte[] input : byLength) {
      anew.once(input);
      if (anew.coverage.reachesNewBranch()) {
        anew.kept.add(input);
      }
    }
    return anew.kept;
  }

  List<Finding> findings() {
    return List.copyOf(findings.values());
  }

  /** Returns for each parser what {@link ProbeLoader#reached} does. */
  Map<String, int[]> reached() {
    Map<String, int[]> counts = new LinkedHashMap<>();
    for (Class<?> parser : target.parsers()) {
      counts.put(parser.getSimpleName(), loader.reached(parser, coverage));
    }
    return counts;
  }

  /** Returns a line of figures: inputs, inputs a minute, what is kept, what was reached. */
  String figures() {
    int reached = 0;
    int all = 0;
    int called = 0;
    int methods = 0;
    StringBuilder each = new StringBuilder();
    for (Map.Entry<String, int[]> parser : reached().entrySet()) {
      int[] counts = parser.getValue();
      reached += counts[0];
      all += counts[1];
      each.append(" %s %d/%d".formatted(parser.getKey(), counts[0], counts[1]));
      called += counts[2];
      methods += counts[3];
    }
    long millis = Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos));
    return "%-20s %,12d inputs, %,12d a minute, %4d kept, %d/%d branches (%d%%) of %d/%d methods:%s"
        .formatted(
            name,
            inputs,
            inputs * 60_000 / millis,
            kept.size(),
            reached,
            all,
            100 * reached / Math.max(1, all),
            called,
            methods,
            each);
  }

  /** An input that makes the target allocate more than it may. */
  private static final class TooMuchMemory extends AssertionError {
    private static final long serialVersionUID = 1L;

    TooMuchMemory(long bytes, long most) {
      super("%d bytes were allocated, at most %d are expected".formatted(bytes, most));
    }
  }
}
