// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.data;

/**
 * The 64-bit {@code wr_id} of a work request, which leads from its completion back to it. Of a
 * completion that failed only this number, the status and the queue pair can be trusted.
 *
 * <pre>
 * bits 56-63 kind   48-55 queue pair   40-47 generation   32-39 slot   0-31 how many were posted on the queue so far
 * </pre>
 *
 * <p>The generation counts how often the connection has got new queue pairs, around; those of
 * flushes are never replaced, and theirs is 0.
 */
final class WorkId {
  /** A part of a message, behind which more comes. */
  static final int DATA = 1;

  /** The last write of a receive's messages on one queue pair, with the immediate. */
  static final int LAST = 2;

  /** Clear-to-send entries. */
  static final int CLEAR = 3;

  /** A posted receive, which the immediate uses up. */
  static final int RECEIVE = 4;

  /** A flush. */
  static final int FLUSH = 5;

  private static final String[] VERBS = {
    "unknown", "RDMA_WRITE", "RDMA_WRITE_WITH_IMM", "RDMA_WRITE", "RECV_RDMA_WITH_IMM", "RDMA_READ"
  };

  private WorkId() {}

  /**
   * Puts a number together.
   *
   * @param posted how many requests have been posted on the queue, this one included; counts around
   */
  static long of(int kind, int lane, int generation, int slot, int posted) {
    return (long) kind << 56
        | (long) lane << 48
        | (long) (generation & 0xff) << 40
        | (long) slot << 32
        | Integer.toUnsignedLong(posted);
  }

  static int kind(long id) {
    return (int) (id >>> 56);
  }

  static int lane(long id) {
    return (int) (id >>> 48) & 0xff;
  }

  static int generation(long id) {
    return (int) (id >>> 40) & 0xff;
  }

  static int slot(long id) {
    return (int) (id >>> 32) & 0xff;
  }

  static int posted(long id) {
    return (int) id;
  }

  /** Returns the operation's name, as verbs has it. */
  static String verb(long id) {
    int kind = kind(id);
    return kind < VERBS.length ? VERBS[kind] : VERBS[0];
  }
}
