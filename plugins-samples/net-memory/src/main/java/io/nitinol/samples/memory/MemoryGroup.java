// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.memory;

import io.nitinol.spi.net.v6.Net;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The memory that the members of a group share: for each of them, its operations and contributions,
 * a chunk at a time. Each number has one writer, but for the one at 8.
 *
 * <pre>
 *    0  members            8
 *    8  refused            8   by a member that knows of another group
 *   16  digest            32   of all handles in their order
 * 4096  first member   67584   and so on:
 *        0  state            8   0: not here yet, joined, left
 *        8  started          8   operations, from the beginning
 *       16  written          8   chunks, from the beginning
 *       24  taken            8   chunks, from the beginning
 *      128  operations    1024   64 of: count 8, type 4, operator 4; number k is at k modulo 64
 *     2048  chunks       65536   8 of them; number k is at k modulo 8
 * </pre>
 */
final class MemoryGroup implements AutoCloseable {
  /** More than that are refused (COLL-05): each member looks at all the others all the time. */
  static final int MOST_MEMBERS = 64;

  static final int DIGEST_SIZE = 32;

  /** Bytes of a chunk; a multiple of every element's size. */
  static final int CHUNK_SIZE = 8192;

  /** How many chunks a member can be ahead of the slowest one. */
  static final int CHUNKS = 8;

  /**
   * How many operations are remembered. A member has {@link Net#MAX_REQUESTS} in flight at most, so
   * that the last one which it has completed, and which all have started, is not older than that;
   * and neither is, seen from there, the oldest that another member has in flight.
   */
  private static final int OPERATIONS = 2 * Net.MAX_REQUESTS;

  private static final long JOINED = 1;
  private static final long LEFT = 2;

  private static final long MEMBERS = 0;
  private static final long REFUSED = 8;
  private static final long DIGEST = 16;
  private static final long FIRST = 4096;
  private static final long MEMBER_SIZE = 2048 + CHUNKS * CHUNK_SIZE;
  private static final long STARTED = 8;
  private static final long WRITTEN = 16;
  private static final long TAKEN = 24;
  private static final long OPERATION = 128;
  private static final long OPERATION_SIZE = 16;
  private static final long CHUNK = 2048;

  final int members;

  /** All its bytes, for the contributions. */
  final MemorySegment bytes;

  private final MappedFile file;

  private MemoryGroup(MappedFile file, int members) {
    this.file = file;
    this.bytes = file.bytes;
    this.members = members;
  }

  static MemoryGroup create(Path path, int members, byte[] digest) throws IOException {
    MemoryGroup group = new MemoryGroup(MappedFile.create(path, size(members)), members);
    MemorySegment.copy(digest, 0, group.bytes, ValueLayout.JAVA_BYTE, DIGEST, DIGEST_SIZE);
    group.file.publish(MEMBERS, members);
    return group;
  }

  /** Opens what the first member has made; fails where that is for another number of members. */
  static MemoryGroup open(Path path, int members) throws IOException {
    return new MemoryGroup(MappedFile.open(path, size(members)), members);
  }

  /** Refuses a group that cannot be opened. */
  static void refuse(Path path) throws IOException {
    MappedFile.write(path, REFUSED, 1);
  }

  private static long size(int members) {
    return FIRST + members * MEMBER_SIZE;
  }

  boolean isFor(byte[] digest) {
    byte[] said = bytes.asSlice(DIGEST, DIGEST_SIZE).toArray(ValueLayout.JAVA_BYTE);
    return file.watch(MEMBERS) == members && Arrays.equals(digest, said);
  }

  void refuse() {
    file.publish(REFUSED, 1);
  }

  boolean isRefused() {
    return file.watch(REFUSED) != 0;
  }

  void join(int member) {
    file.publish(at(member), JOINED);
  }

  void leave(int member) {
    file.publish(at(member), LEFT);
  }

  /** Returns whether the member has come, if only to leave again. */
  boolean hasCome(int member) {
    return file.watch(at(member)) != 0;
  }

  boolean hasLeft(int member) {
    return file.watch(at(member)) == LEFT;
  }

  /** Tells the others about an operation of this member's. */
  void start(int member, long number, long count, int type, int operator) {
    long at = operation(member, number);
    bytes.set(ValueLayout.JAVA_LONG, at, count);
    bytes.set(ValueLayout.JAVA_INT, at + 8, type);
    bytes.set(ValueLayout.JAVA_INT, at + 12, operator);
    file.publish(at(member) + STARTED, number + 1);
  }

  long started(int member) {
    return file.watch(at(member) + STARTED);
  }

  /** Returns whether two members have started the same (COLL-10). */
  boolean agree(int member, int other, long number) {
    long at = operation(member, number);
    long there = operation(other, number);
    return bytes.get(ValueLayout.JAVA_LONG, at) == bytes.get(ValueLayout.JAVA_LONG, there)
        && bytes.get(ValueLayout.JAVA_LONG, at + 8) == bytes.get(ValueLayout.JAVA_LONG, there + 8);
  }

  /** How many chunks the member has contributed. */
  long written(int member) {
    return file.watch(at(member) + WRITTEN);
  }

  void written(int member, long chunks) {
    file.publish(at(member) + WRITTEN, chunks);
  }

  /** How many chunks the member has reduced, so that it needs no other member's any more. */
  long taken(int member) {
    return file.watch(at(member) + TAKEN);
  }

  void taken(int member, long chunks) {
    file.publish(at(member) + TAKEN, chunks);
  }

  /** Where a chunk of the member's is in {@link #bytes}. */
  long chunk(int member, long number) {
    return at(member) + CHUNK + number % CHUNKS * CHUNK_SIZE;
  }

  private static long operation(int member, long number) {
    return at(member) + OPERATION + number % OPERATIONS * OPERATION_SIZE;
  }

  private static long at(int member) {
    return FIRST + member * MEMBER_SIZE;
  }

  @Override
  public void close() {
    file.close();
  }
}
