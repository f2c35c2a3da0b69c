// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.NcclLimits;
import io.nitinol.net.nativeabi.ffi.PieceLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The memory in which the calls on one comm put their arguments and find the answers, laid out
 * once, so that a call allocates nothing. A closed comm leaves its own to the next.
 *
 * <p>The lists are for up to {@link #pieces} pieces each; after the sizes that a test writes there
 * is room for as many as NCCL would have.
 */
final class NativeScratch {
  private static final Map<Integer, ConcurrentLinkedDeque<NativeScratch>> IDLE =
      new ConcurrentHashMap<>();

  private final int pieces;
  private final MemorySegment memory;
  private final long request = 0;
  private final long done = 8;
  private final long data = 16;
  private final long mhandles;
  private final long phandles;
  private final long wideSizes;
  private final long narrowSizes;
  private final long tags;
  private final long parts;
  private final long sizes;

  private NativeScratch(int pieces) {
    this.pieces = pieces;
    mhandles = data + 8L * pieces;
    phandles = mhandles + 8L * pieces;
    wideSizes = phandles + 8L * pieces;
    narrowSizes = wideSizes + 8L * pieces;
    tags = narrowSizes + 8L * pieces;
    parts = tags + 8L * pieces;
    sizes = parts + PieceLayout.BYTES * pieces;
    memory = Arena.global().allocate(sizes + 4L * Math.max(pieces, NcclLimits.MAX_RECVS), 64);
  }

  /** Returns memory for operations of up to {@code pieces} pieces, its content undefined. */
  static NativeScratch of(int pieces) {
    NativeScratch idle = IDLE.computeIfAbsent(pieces, n -> new ConcurrentLinkedDeque<>()).poll();
    return idle != null ? idle : new NativeScratch(pieces);
  }

  /** Leaves the memory to another comm. */
  void release() {
    IDLE.computeIfAbsent(pieces, n -> new ConcurrentLinkedDeque<>()).push(this);
  }

  int pieces() {
    return pieces;
  }

  /** Sets {@code *request} before a call, and returns its address. */
  long request(long before) {
    memory.set(ValueLayout.JAVA_LONG, request, before);
    return memory.address() + request;
  }

  /** Returns {@code *request}. */
  long request() {
    return memory.get(ValueLayout.JAVA_LONG, request);
  }

  /** Clears {@code *done} before a call, and returns its address. */
  long done() {
    memory.set(ValueLayout.JAVA_INT, done, 0);
    return memory.address() + done;
  }

  /** Returns {@code *done}. */
  boolean isDone() {
    return memory.get(ValueLayout.JAVA_INT, done) != 0;
  }

  /** Sets the first {@code n} sizes before a test, and returns their address. */
  long sizes(int n, int before) {
    for (long i = 0; i < n; i++) {
      memory.set(ValueLayout.JAVA_INT, sizes + 4 * i, before);
    }
    return memory.address() + sizes;
  }

  /** Returns a size that a test wrote. */
  int size(long i) {
    return memory.get(ValueLayout.JAVA_INT, sizes + 4 * i);
  }

  /** Sets a piece of a receive or flush; the size in both widths. */
  void piece(long i, long address, long size, long mhandle) {
    memory.set(ValueLayout.JAVA_LONG, data + 8 * i, address);
    memory.set(ValueLayout.JAVA_LONG, mhandles + 8 * i, mhandle);
    memory.set(ValueLayout.JAVA_LONG, wideSizes + 8 * i, size);
    memory.set(ValueLayout.JAVA_INT, narrowSizes + 4 * i, (int) size);
  }

  /** Sets the tag of a piece. */
  void tag(long i, int tag) {
    memory.set(ValueLayout.JAVA_INT, tags + 4 * i, tag);
  }

  /** Sets the profiler handle of a piece. */
  void phandle(long i, long phandle) {
    memory.set(ValueLayout.JAVA_LONG, phandles + 8 * i, phandle);
  }

  /** Sets a piece of a collective operation. */
  void part(long i, long mhandle, long address, long size) {
    long at = parts + PieceLayout.BYTES * i;
    memory.set(ValueLayout.JAVA_LONG, at + PieceLayout.MHANDLE, mhandle);
    memory.set(ValueLayout.JAVA_LONG, at + PieceLayout.ADDRESS, address);
    // Little-endian: the 32-bit size of version 8 is the lower half, and the rest is padding.
    memory.set(ValueLayout.JAVA_LONG, at + PieceLayout.SIZE, size);
  }

  long parts() {
    return memory.address() + parts;
  }

  long data() {
    return memory.address() + data;
  }

  long mhandles() {
    return memory.address() + mhandles;
  }

  long phandles() {
    return memory.address() + phandles;
  }

  long wideSizes() {
    return memory.address() + wideSizes;
  }

  long narrowSizes() {
    return memory.address() + narrowSizes;
  }

  long tags() {
    return memory.address() + tags;
  }
}
