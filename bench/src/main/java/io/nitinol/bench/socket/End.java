// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.socket;

/**
 * One end of some connections. The near end receives streams and sends pings, the far end sends
 * streams and answers pings. A connection goes one way, from far to near, and there is one more for
 * the way back. One thread calls an end; all methods spin until they are done.
 */
public interface End extends AutoCloseable {
  /** How many pieces of memory the messages of a stream go through in turn, on both ends. */
  int SLOTS = 8;

  /** How an end is made. */
  interface Maker {
    /**
     * Makes an end.
     *
     * @param near whether it is the near one
     * @param connections how many connections streams go by
     * @param largest bytes of the largest message
     */
    End make(boolean near, int connections, int largest);
  }

  /** Returns a word by which the other end connects to this one. */
  String handles();

  /** Connects both ways to the end with these handles. */
  void connect(String handles);

  /**
   * Far end: sends {@code count} messages of {@code size} bytes; message {@code i} from slot {@code
   * i % SLOTS} on connection {@code i % connections}, not before the message {@code SLOTS} earlier
   * has ended.
   */
  void send(int size, long count);

  /** Near end: receives them in the same way. */
  void receive(int size, long count);

  /** Near end: sends 8 bytes on the way back. */
  void call();

  /** Far end: awaits 8 bytes on the way back. */
  void awaitCall();

  /** Near end: sends 8 bytes on the way back and awaits 8 bytes, {@code rounds} times. */
  void ping(long rounds);

  /** Far end: awaits 8 bytes and sends 8 bytes, {@code rounds} times. */
  void pong(long rounds);

  /** Near end: empties the memory that messages of {@code size} bytes come into. */
  void clear(int size);

  /** Near end: returns what is wrong in the first {@code slots} slots; empty where nothing is. */
  String check(int size, int slots);

  @Override
  void close();
}
