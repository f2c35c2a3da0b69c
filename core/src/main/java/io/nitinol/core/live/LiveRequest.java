// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.live;

import org.jspecify.annotations.Nullable;

/** What a process can be asked by its socket: one line. */
public enum LiveRequest {
  /** Where the communicators of the process stand. */
  STATE("nitinol-top 1 state\n"),

  /**
   * Where the other ranks of these communicators listen, and the key for {@code MemberLook}. It
   * opens nothing else, and goes to the processes' user alone, as all that is answered here.
   */
  JOB("nitinol-top 1 job\n"),

  /** As {@link #STATE}, with more operations of the past. */
  HISTORY("nitinol-top 1 history\n");

  /** No request is longer, so no client is heard for longer. */
  static final int MOST_BYTES = 64;

  private final String line;

  LiveRequest(String line) {
    this.line = line;
  }

  String line() {
    return line;
  }

  /** Returns the request that a line, with its end, makes; null for none. */
  static @Nullable LiveRequest of(String line) {
    for (LiveRequest request : values()) {
      if (request.line.equals(line)) {
        return request;
      }
    }
    return null;
  }
}
