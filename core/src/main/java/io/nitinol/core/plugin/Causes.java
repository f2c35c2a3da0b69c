// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.NetException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An exception and what caused it as one sentence, for the reason of a rejected candidate. */
final class Causes {
  private static final int DEPTH = 8;

  private Causes() {}

  /** Returns the messages from the outermost to the innermost, each once. */
  static String describe(Throwable failure) {
    List<String> parts = new ArrayList<>();
    @Nullable Throwable at = failure;
    for (int i = 0; at != null && i < DEPTH; i++, at = at.getCause()) {
      String text = oneLine(at);
      // Many exceptions repeat their cause's text in their own.
      if (parts.stream().noneMatch(part -> part.contains(text))) {
        parts.add(text);
      }
    }
    return String.join(": ", parts);
  }

  /** Throws what no plugin can be blamed for: the machine itself cannot go on. */
  static void rethrowIfFatal(Throwable failure) {
    if (failure instanceof VirtualMachineError fatal && !(fatal instanceof StackOverflowError)) {
      throw fatal;
    }
  }

  private static String oneLine(Throwable e) {
    String message = e.getMessage();
    String text;
    if (message == null || message.isBlank()) {
      text = e.getClass().getName();
    } else if (e instanceof NetException net) {
      text = net.result() + ": " + message;
    } else {
      text = e.getClass().getSimpleName() + ": " + message;
    }
    return text.strip().replaceAll("\\s+", " ");
  }
}
