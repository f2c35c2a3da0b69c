// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch.pmi;

import io.nitinol.toolkit.thread.OneThread;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Carries a text from rank 0 of a job to all its ranks, by the launcher that started them. */
@OneThread
public interface TextCarrier {
  /** Returns what it speaks, for messages. */
  String name();

  /**
   * Carries the text. Every rank calls it, once in the life of its process, and waits for all.
   *
   * @param text the text, on rank 0: printable characters of ASCII but blanks and {@code =}, 1000
   *     at most; null on the others
   * @return the text of rank 0
   * @throws IOException where the launcher does not do it; the message gives the reason
   */
  String carry(@Nullable String text) throws IOException;
}
