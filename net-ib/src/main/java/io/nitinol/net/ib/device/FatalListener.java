// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

/** Told when what a comm is made of can no longer be used. */
@FunctionalInterface
public interface FatalListener {

  /**
   * Called for each fatal event, on the thread that reads a card's events: it takes note and
   * returns at once.
   *
   * @param event what happened and to what, for the error that the comm fails with
   */
  void fatal(String event);
}
