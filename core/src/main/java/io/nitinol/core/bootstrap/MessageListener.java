// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

/** Receives messages as they come, in place of {@link Bootstrap#recv}. */
@FunctionalInterface
public interface MessageListener {

  /**
   * Takes a message. Called on the thread that has it, the bootstrap's or a caller's, one call at a
   * time. It must not wait, and of the bootstrap it may only call {@link Bootstrap#offer} and
   * {@link Bootstrap#announceFailure}.
   *
   * @param peer the rank that sent it
   * @param message the message, which belongs to the listener
   */
  void received(int peer, byte[] message);
}
