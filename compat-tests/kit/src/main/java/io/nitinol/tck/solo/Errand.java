// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.solo;

/** A task of a plugin in a process of its own. */
public enum Errand {
  /**
   * It is constructed many times and not initialized; reports {@code thread}, {@code descriptor},
   * {@code library}.
   */
  CONSTRUCT,
  /** It is constructed, the configuration changes, it is initialized; reports {@code read}. */
  READ_SETTINGS,
  /** Connections are made, used, broken and closed; reports {@code thread} for each new thread. */
  WORK,
  /** Everything is left open and in flight when main returns; reports {@code returning}. */
  LEAVE_OPEN,
  /** It is initialized again and again while descriptors are lacking; reports {@code attempts}. */
  INITIALIZE_STARVED,
  /** It listens and connects while descriptors are lacking; reports {@code refused}. */
  WORK_STARVED
}
