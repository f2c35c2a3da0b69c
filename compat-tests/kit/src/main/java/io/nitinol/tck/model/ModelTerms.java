// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

import io.nitinol.toolkit.ErrorText;
import java.util.List;
import java.util.Set;

/**
 * What the model has to know of a plugin.
 *
 * @param maxRecvs how many pieces a receive may have. Where it is 1, tags may be ignored
 *     (NET-RECV-13), and the messages of a connection all have one tag
 * @param window how many messages of several tags may be under way on a connection. Sends that run
 *     ahead of their receives must not take all the room there is from those that fit
 * @param mostBytes how many bytes a message, and the room for it, may have (maxP2pBytes)
 * @param scope what happens in a sequence beside messages
 */
public record ModelTerms(int maxRecvs, int window, long mostBytes, Scope scope) {
  /** Checks the numbers. */
  public ModelTerms {
    if (maxRecvs < 1 || window < maxRecvs || mostBytes < 0) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "maxRecvs %s, a window of %s and messages of %s bytes at the most, expected"
                  + " 1 <= maxRecvs <= window, and no negative length",
              maxRecvs, window, mostBytes));
    }
  }

  /** Terms for sequences of messages alone. */
  public ModelTerms(int maxRecvs, int window, long mostBytes) {
    this(maxRecvs, window, mostBytes, Scope.MESSAGES);
  }

  /** What may happen in a sequence beside messages. */
  public enum Happening {
    /** Connections are given up, fail, and follow one another, and memory is registered in part. */
    LIVES,
    /** Attempts to connect are given up, and receives have too many pieces: v5 or newer. */
    SINCE_V5,
    /** Calls are made that the plugin has to refuse. */
    REFUSALS,
    /** Receives have hints: interface v9 or newer. */
    HINTS,
    /** Further contexts come and go: interface v11 or newer. */
    CONTEXTS
  }

  /**
   * What happens in a sequence beside messages. Where that is nothing, its connections live from
   * their first message to their last, in one context and on one device.
   *
   * @param happenings what may happen
   * @param devices the devices that are alike, so that any of them may be used for any connection
   */
  public record Scope(Set<Happening> happenings, List<Integer> devices) {
    /** Messages alone, on device 0. */
    public static final Scope MESSAGES = new Scope(Set.of(), List.of(0));

    /** Copies the devices, of which there is one at least. */
    public Scope {
      happenings = Set.copyOf(happenings);
      devices = List.copyOf(devices);
      if (devices.isEmpty()) {
        throw new IllegalArgumentException("no device");
      }
    }

    /** Returns whether this may happen. */
    boolean has(Happening happening) {
      return happenings.contains(happening);
    }
  }
}
