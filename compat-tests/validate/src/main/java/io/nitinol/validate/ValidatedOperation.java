// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.net.Request;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What is known of one operation in flight. Pooled by its comm, and grown to the pieces it had. */
final class ValidatedOperation {
  /** What kinds of operations there are. */
  enum Kind {
    SEND("send"),
    RECV("receive"),
    REDUCE("reduction"),
    GATHER("all-gather"),
    SCATTER("reduce-scatter"),
    FLUSH("flush");

    final String label;

    Kind(String label) {
      this.label = label;
    }

    /** Returns whether a whole group does it. */
    boolean isCollective() {
      return this == REDUCE || this == GATHER || this == SCATTER;
    }
  }

  Kind kind = Kind.SEND;
  long number;
  int pieces;
  private @Nullable Registration[] memory = new @Nullable Registration[1];
  private long[] offsets = new long[1];
  private long[] lengths = new long[1];
  private ValidatedArea[] areas = {new ValidatedArea()};
  private TailSamples[] tails = {};
  private int areaCount;

  /** Of the memory sent from; 0 where it cannot be read. */
  long fingerprint;

  /** Whether it may complete before its message is there (NET-RECV-18). */
  boolean optional;

  /** Bytes of a reduction's result. */
  long resultBytes;

  @Nullable Request plugins;
  Tokens.@Nullable OfRequest token;

  void reset(Kind newKind) {
    kind = newKind;
    pieces = 0;
    areaCount = 0;
    fingerprint = 0;
    resultBytes = 0;
    optional = false;
    plugins = null;
    token = null;
  }

  /** Adds a piece; it does not matter whether it lies where it should. */
  void addPiece(@Nullable Registration registration, long offset, long length) {
    if (pieces == memory.length) {
      int room = 2 * pieces;
      memory = Arrays.copyOf(memory, room);
      offsets = Arrays.copyOf(offsets, room);
      lengths = Arrays.copyOf(lengths, room);
    }
    memory[pieces] = registration;
    offsets[pieces] = offset;
    lengths[pieces] = length;
    pieces++;
  }

  @Nullable Registration memory(int piece) {
    return memory[piece];
  }

  long offset(int piece) {
    return offsets[piece];
  }

  long length(int piece) {
    return lengths[piece];
  }

  /** Returns the samples of a piece of a receive. */
  TailSamples tail(int piece) {
    if (piece >= tails.length) {
      int before = tails.length;
      tails = Arrays.copyOf(tails, Math.max(piece + 1, 2 * before));
      for (int i = before; i < tails.length; i++) {
        tails[i] = new TailSamples();
      }
    }
    return tails[piece];
  }

  /** Claims bytes of a registration; returns what they clash with, or null. */
  @Nullable String claim(Registration registration, long offset, long length, boolean writes) {
    ValidatedRegion region = registration.region;
    if (region == null || length == 0) {
      return null;
    }
    if (areaCount == areas.length) {
      int before = areas.length;
      areas = Arrays.copyOf(areas, 2 * before);
      for (int i = before; i < areas.length; i++) {
        areas[i] = new ValidatedArea();
      }
    }
    ValidatedArea area = areas[areaCount++];
    area.set(registration.memory.address() + offset, length, writes, kind.label);
    return region.add(area);
  }

  /** Gives back what was claimed. */
  void release() {
    for (int i = 0; i < areaCount; i++) {
      ValidatedRegion.remove(areas[i]);
    }
    areaCount = 0;
    Arrays.fill(memory, 0, pieces, null);
    pieces = 0;
  }
}
