// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.mutants;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the kit says of one jar. A run ends at the first broken rule: a mutant is dead then.
 *
 * @param verdict the broken rule; or {@link #SURVIVED}; or what else ended the run
 * @param line what the kit printed of it
 * @param seconds how long the run took
 */
record Trial(String verdict, String line, long seconds) {
  /** The kit found nothing. */
  static final String SURVIVED = "survived";

  /** The kit has tried a test again and had no verdict. The mutant counts as alive. */
  static final String INCONCLUSIVE = "inconclusive";

  /** Its own end, or a signal: the kit has said nothing of the plugin. Alive, too. */
  private static final String NO_END = "exit status ";

  private static final int CONFORMS = 0;
  private static final int BAD_NAME = 2;
  private static final int NOTHING_TESTED = 3;
  private static final int NO_VERDICT = 6;

  /** What the kit prints when a test has failed, such as "0:07 NET-SEND-04 is broken: ...". */
  private static final Pattern IS_BROKEN = Pattern.compile("([A-Z]+(?:-[A-Z0-9]+)+) is broken");

  /**
   * Runs the kit.
   *
   * @param command the command line up to the plugin
   * @param jar the plugin
   * @param limit how long it may take before it is ended; the mutant counts as alive then, since
   *     the kit has bounds of its own
   */
  static Trial of(List<String> command, Path jar, Duration limit)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(command);
    line.add(jar.toString());
    long begin = System.nanoTime();
    Process kit = new ProcessBuilder(line).redirectErrorStream(true).start();
    Thread watch =
        Thread.ofVirtual()
            .start(() -> {
              try {
                if (!kit.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
                  end(kit);
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the run has ended
              }
            });
    try {
      return read(kit, begin);
    } finally {
      watch.interrupt();
      end(kit);
    }
  }

  private static Trial read(Process kit, long begin) throws IOException, InterruptedException {
    String last = "";
    try (BufferedReader lines = kit.inputReader()) {
      for (String each; (each = lines.readLine()) != null; ) {
        Matcher broken = IS_BROKEN.matcher(each);
        if (broken.find()) {
          return new Trial(broken.group(1), each.strip(), seconds(begin));
        }
        last = each.isBlank() ? last : each.strip();
      }
    }
    return new Trial(verdict(kit.waitFor()), last, seconds(begin));
  }

  private static String verdict(int status) {
    return switch (status) {
      case CONFORMS -> SURVIVED;
      case BAD_NAME -> "it cannot be named";
      case NOTHING_TESTED -> "nothing could be tested";
      case NO_VERDICT -> INCONCLUSIVE;
      default -> NO_END + status;
    };
  }

  private static long seconds(long begin) {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
  }

  /** The kit ends its own processes when it is told to end. */
  private static void end(Process kit) throws InterruptedException {
    List<ProcessHandle> below = kit.descendants().toList();
    kit.toHandle().destroy();
    if (!kit.waitFor(20, TimeUnit.SECONDS)) {
      kit.toHandle().destroyForcibly();
    }
    below.forEach(ProcessHandle::destroyForcibly);
  }

  /** Returns whether the kit has refused the jar. */
  boolean isKilled() {
    return !verdict.equals(SURVIVED)
        && !verdict.equals(INCONCLUSIVE)
        && !verdict.startsWith(NO_END);
  }
}
