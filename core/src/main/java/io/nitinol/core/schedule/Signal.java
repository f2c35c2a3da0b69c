// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule;

/**
 * What a rank tells the other ranks of its team about a round, each a counter that only its rank
 * advances. A team is the ranks of one host that share memory; a round is one use of their slots.
 */
public enum Signal {
  /** Nothing. */
  NONE,
  /** What the others need from this rank is in its slot. */
  POSTED,
  /** This rank's part of the result is in its slot. */
  SHARED,
  /** This rank reads no slot of this round any more. */
  FREED
}
