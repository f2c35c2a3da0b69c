// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.schedule.symbolic;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A buffer or a slot. Every access must be ordered: a read after the write of what it reads, a
 * write after all earlier reads and writes of that place.
 */
final class SymbolicMemory {
  /** A run of elements: what it is, who wrote it when, and who read it when last. */
  private static final class Cell {
    long count;
    int value;
    long index;
    int writer;
    long written;
    Map<Integer, Long> readers = new HashMap<>();

    Cell tail(long from) {
      Cell tail = new Cell();
      tail.count = count - from;
      tail.value = value;
      tail.index = index + from;
      tail.writer = writer;
      tail.written = written;
      tail.readers = new HashMap<>(readers);
      count = from;
      return tail;
    }
  }

  private final String name;
  private final long length;
  private final TreeMap<Long, Cell> cells = new TreeMap<>();

  SymbolicMemory(String name, long length) {
    this.name = name;
    this.length = length;
  }

  List<SymbolicPiece> read(long offset, long count, Clock by) {
    List<SymbolicPiece> result = new ArrayList<>();
    long next = range(offset, count);

    while (next < offset + count) {
      long at = next;
      Cell cell = cells.get(at);
      Values.check(cell != null, "reads " + name + " at " + at + ", which nobody wrote");
      Values.check(
          by.hasSeen(cell.writer, cell.written),
          () -> "reads " + name + " at " + at + " without waiting for the write");
      cell.readers.put(by.thread, by.now());
      result.add(new SymbolicPiece(cell.count, cell.value, cell.index));
      next += cell.count;
    }
    return result;
  }

  void write(long offset, List<SymbolicPiece> pieces, Clock by) {
    long at = offset;
    clear(offset, SymbolicPiece.length(pieces), by);
    for (SymbolicPiece piece : pieces) {
      Cell cell = new Cell();
      cell.count = piece.count();
      cell.value = piece.value();
      cell.index = piece.index();
      cell.writer = by.thread;
      cell.written = by.now();
      cells.put(at, cell);
      at += piece.count();
    }
  }

  /** Forgets what a range holds, which is a write. */
  void clear(long offset, long count, Clock by) {
    range(offset, count);
    Map<Long, Cell> old = cells.subMap(offset, offset + count);
    old.forEach((at, cell) -> {
      Values.check(
          by.hasSeen(cell.writer, cell.written),
          () -> "writes " + name + " at " + at + " while another does");
      cell.readers.forEach((thread, time) ->
          Values.check(
              by.hasSeen(thread, time),
              () -> "writes " + name + " at " + at + ", which thread " + thread + " reads"));
    });
    old.clear();
  }

  /** Forgets everything, which is a write. */
  void clearAll(Clock by) {
    clear(0, length, by);
  }

  private long range(long offset, long count) {
    Values.check(
        offset >= 0 && count >= 0 && offset + count <= length,
        () -> "is outside of " + name + ": " + offset + "+" + count + " of " + length);
    split(offset);
    split(offset + count);
    return offset;
  }

  private void split(long at) {
    Map.Entry<Long, Cell> entry = cells.lowerEntry(at);
    if (entry != null && entry.getKey() + entry.getValue().count > at) {
      cells.put(at, entry.getValue().tail(at - entry.getKey()));
    }
  }
}
