// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.solo;

/** What a plugin is made to do in a process of its own. */
public enum Errand {
  /** It is constructed many times and not initialized: says {@code thread}, {@code descriptor}. */
  CONSTRUCT,
  /** It is constructed, the configuration changes, it is initialized: says {@code read}. */
  READ_SETTINGS,
  /** Connections are made, used, broken and closed: says {@code thread} for each new one. */
  WORK,
  /** Everything is left open and in flight when main returns: says {@code returning}. */
  LEAVE_OPEN,
  /** It is initialized again and again while descriptors are lacking: says {@code attempts}. */
  INITIALIZE_STARVED,
  /** It listens and connects while descriptors are lacking: says {@code refused}. */
  WORK_STARVED
}
