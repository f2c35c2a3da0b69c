// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.bootstrap;

/** Is given messages as they come, in place of {@link Bootstrap#recv}. */
@FunctionalInterface
public interface MessageListener {

  /**
   * Takes a message. Called on whichever thread has it, one call at a time; it must not wait and
   * not call the bootstrap, but for {@link Bootstrap#offer} and {@link Bootstrap#announceFailure}.
   *
   * @param peer the rank that sent it
   * @param message the listener's own
   */
  void received(int peer, byte[] message);
}
