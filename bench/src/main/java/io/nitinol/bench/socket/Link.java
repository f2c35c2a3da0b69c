// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.socket;

/**
 * A pair of connections between two threads, one each way. The methods of the near side and those
 * of the far side are called by one thread each; all of them spin until they are done.
 */
interface Link extends AutoCloseable {
  /** How many pieces of memory the messages of a stream go through in turn, on both sides. */
  int SLOTS = 8;

  /** Far side: sends {@code count} messages of {@code size} bytes. */
  void send(int size, int count);

  /** Near side: receives {@code count} messages of {@code size} bytes. */
  void receive(int size, int count);

  /** Near side: sends 8 bytes and awaits 8 bytes, {@code rounds} times. */
  void ping(int rounds);

  /** Far side: awaits 8 bytes and sends 8 bytes, {@code rounds} times. */
  void pong(int rounds);

  /** Near side: empties the memory that messages come into. */
  void clear(int size);

  /** Near side: fails where the memory does not hold what the far side sends. */
  void check(int size);

  @Override
  void close();
}
