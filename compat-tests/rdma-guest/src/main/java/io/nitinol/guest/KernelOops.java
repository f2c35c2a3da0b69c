// SPDX-License-Identifier: Apache-2.0
package io.nitinol.guest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An error of the guest's kernel, as the kernel printed it, which ends the machine. A panic on
 * request does not count.
 *
 * @param console the file with what the guest printed
 * @param reason what happened, in the kernel's words
 * @param frames the function where it did, and those that had called it; each with its module
 */
public record KernelOops(Path console, String reason, List<String> frames) implements Crash {
  private static final String PREFIX = "(?m)^\\[ *\\d+\\.\\d+\\] ";
  private static final Pattern OOPS = Pattern.compile(PREFIX + "Oops: (.*)");
  private static final Pattern REASON = Pattern.compile(PREFIX + "(?:BUG|Oops): (.*)");

  /** A line of the trace; a question mark before a function means that it only lay on the stack. */
  private static final Pattern FRAME =
      Pattern.compile(
          PREFIX + "(?:RIP: 0010:| +)(?!\\?)(\\S+)\\+0x[0-9a-f]+/0x[0-9a-f]+( \\[\\w+\\])?");

  private static final String END = "---[ end trace";
  private static final String SOFT_ROCE = " [rdma_rxe]";
  private static final String BREAKPOINT = "int3:";

  /** Reads the console of a guest; returns empty if its kernel had no error. */
  static Optional<KernelOops> in(Path console) throws IOException {
    String text = new String(Files.readAllBytes(console), StandardCharsets.UTF_8);
    Matcher reason = REASON.matcher(text);
    if (!OOPS.matcher(text).find() || !reason.find()) {
      return Optional.empty();
    }
    int end = text.indexOf(END, reason.end());
    Matcher frame = FRAME.matcher(text).region(reason.end(), end < 0 ? text.length() : end);
    List<String> frames = new ArrayList<>();
    while (frame.find()) {
      frames.add(frame.group(1) + (frame.group(2) == null ? "" : frame.group(2)));
    }
    return Optional.of(new KernelOops(console, reason.group(1).strip(), List.copyOf(frames)));
  }

  /**
   * Returns whether the emulation is to blame. One case is Soft-RoCE, whose races an emulated
   * machine is slow enough to meet and which no program may bring down. The other is a processor
   * that executed code while another was patching it, which the kernel does by breakpoints.
   */
  @Override
  public boolean isOfEmulation() {
    return reason.startsWith(BREAKPOINT)
        || frames.stream().anyMatch(frame -> frame.endsWith(SOFT_ROCE));
  }

  @Override
  public String toString() {
    return "kernel: %s in %s (%s)"
        .formatted(reason, frames.isEmpty() ? "?" : frames.getFirst(), console);
  }
}
