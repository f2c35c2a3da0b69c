// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.device;

import io.nitinol.core.bootstrap.Bootstrap;
import io.nitinol.core.bootstrap.BootstrapException;
import io.nitinol.core.bootstrap.Tags;
import io.nitinol.toolkit.thread.OneThread;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The word of each rank to those in other processes that its device reads their memory no more. The
 * word is one device communicator's: those of one communicator may be closed in any order, and what
 * nobody has asked for counts for none that is joined later.
 */
@OneThread
final class DoneWords {
  /** What carries words between ranks; a {@link Bootstrap} has these methods. */
  interface Post {
    void send(int peer, int tag, byte[] message);

    byte[] recv(int peer, int tag);

    boolean hasLeft(int peer);

    /** Returns what a bootstrap carries. */
    static Post of(Bootstrap bootstrap) {
      return new Post() {
        @Override
        public void send(int peer, int tag, byte[] message) {
          bootstrap.send(peer, tag, message);
        }

        @Override
        public byte[] recv(int peer, int tag) {
          return bootstrap.recv(peer, tag);
        }

        @Override
        public boolean hasLeft(int peer) {
          return bootstrap.hasLeft(peer);
        }
      };
    }
  }

  private final Post post;
  private final int tag;

  /**
   * Creates the words of one rank.
   *
   * @param number the device communicator's, the same on all ranks
   */
  DoneWords(Post post, long number) {
    this.post = post;
    this.tag = Tags.deviceDone(number);
  }

  /** Tells all of {@code others}; returns the first failure. */
  @Nullable BootstrapException tell(List<Integer> others) {
    BootstrapException first = null;
    for (int other : others) {
      try {
        if (!post.hasLeft(other)) {
          post.send(other, tag, new byte[0]);
        }
      } catch (BootstrapException e) {
        if (first == null && !post.hasLeft(other)) {
          first = e;
        }
      }
    }
    return first;
  }

  /**
   * Waits for the word of each of {@code others}; one that has left needs none. Returns the first
   * failure, behind which it waits for nobody.
   *
   * @param stopped whether the communicator has failed
   */
  @Nullable BootstrapException await(List<Integer> others, BooleanSupplier stopped) {
    for (int other : others) {
      try {
        byte[] _ = post.recv(other, tag);
      } catch (BootstrapException e) {
        if (stopped.getAsBoolean() || !post.hasLeft(other)) {
          return e;
        }
      }
    }
    return null;
  }
}
