// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.perf;

import io.nitinol.cli.perf.collective.PerfJob;
import io.nitinol.cli.perf.collective.Piece;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The content that a buffer must have before an operation and after it: contributions, results, and
 * poison in between and around.
 */
final class BufferImage {
  /** No result looks like this over many elements. */
  static final byte POISON = (byte) 0xA5;

  /**
   * A piece of the image; those of an image do not overlap and are in order.
   *
   * @param result whether the operation writes it
   */
  private record Part(Piece piece, boolean result) {}

  /**
   * The elements that are not as they must be.
   *
   * @param results wrong elements of the result; the first is described
   * @param contributions elements of the contribution that were written
   * @param poison bytes that were written though they belong to neither
   */
  record Damage(TestData.Outcome results, long contributions, long poison) {}

  private final PerfJob job;
  private final long seed;
  private List<Part> parts = new ArrayList<>();

  /**
   * Starts with nothing but poison.
   *
   * @param seed what the test data depends on
   */
  BufferImage(PerfJob job, long seed) {
    this.job = job;
    this.seed = seed;
  }

  /** Adds contributions, {@code offset} elements behind the start of the buffer. */
  void contribute(List<Piece> pieces, long offset) {
    pieces.forEach(piece -> put(new Part(piece.shifted(offset), false)));
  }

  /** Adds results, which replace what was there. */
  void expect(List<Piece> pieces, long offset) {
    pieces.forEach(piece -> put(new Part(piece.shifted(offset), true)));
  }

  private void put(Part added) {
    long begin = added.piece.at();
    long end = added.piece.end();
    List<Part> all = new ArrayList<>();
    for (Part old : parts) {
      Piece piece = old.piece;
      if (piece.at() < begin) {
        all.add(new Part(piece.cut(piece.at(), Math.min(piece.end(), begin)), old.result));
      }
    }
    if (begin < end) {
      all.add(added);
    }
    for (Part old : parts) {
      Piece piece = old.piece;
      if (piece.end() > end) {
        all.add(new Part(piece.cut(Math.max(piece.at(), end), piece.end()), old.result));
      }
    }
    parts = all;
  }

  /**
   * Writes the image; results have to be added later.
   *
   * @param buffer with the image's beginning at {@code start}; all of it is written
   */
  void write(MemorySegment buffer, long start) {
    buffer.fill(POISON);
    for (Part part : parts) {
      TestData.fill(data(part.piece), buffer, start + bytes(part.piece.at()), part.piece.count());
    }
  }

  /** Compares a buffer with the image. */
  Damage compare(MemorySegment buffer, long start) {
    TestData.Outcome results = TestData.Outcome.RIGHT;
    long contributions = 0;
    long poison = 0;
    long at = 0;
    for (Part part : parts) {
      Piece piece = part.piece;
      long begin = start + bytes(piece.at());
      poison += TestData.notFilledWith(POISON, buffer, at, begin);
      at = start + bytes(piece.end());
      TestData.Outcome outcome = TestData.check(data(piece), buffer, begin, piece.count());
      if (part.result) {
        results = results.and(outcome, piece.at());
      } else {
        contributions += outcome.wrong();
      }
    }
    poison += TestData.notFilledWith(POISON, buffer, at, buffer.byteSize());
    return new Damage(results, contributions, poison);
  }

  private TestData data(Piece piece) {
    return new TestData(TestValues.of(job, seed), piece.source(), piece.from());
  }

  private long bytes(long elements) {
    return elements * job.type().size();
  }
}
