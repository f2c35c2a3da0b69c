// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A number that changes when the memory of a message does. Up to 64 KiB every byte counts; of a
 * longer message, the first and last 4 KiB and 1,024 words spread evenly between them, so that
 * looking costs no more than a few microseconds, and a change of few bytes can go unseen.
 */
final class Fingerprint {
  private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final long WHOLE = 64 << 10;
  private static final long EDGE = 4 << 10;
  private static final long SAMPLES = 1024;
  private static final long PRIME = 0x9e3779b97f4a7c15L;

  private Fingerprint() {}

  /** Returns the fingerprint of {@code length} bytes; never 0. */
  static long of(MemorySegment memory, long offset, long length) {
    long hash;
    if (length <= WHOLE) {
      hash = dense(memory, offset, length, length);
    } else {
      hash = dense(memory, offset, EDGE, length);
      hash = dense(memory, offset + length - EDGE, EDGE, hash);
      long stride = (length - 2 * EDGE) / SAMPLES & ~7L;
      long at = offset + EDGE;
      for (long i = 0; i < SAMPLES; i++, at += stride) {
        hash = (hash ^ memory.get(WORD, at)) * PRIME;
        hash ^= hash >>> 29;
      }
    }
    hash ^= hash >>> 32;
    return hash == 0 ? PRIME : hash;
  }

  private static long dense(MemorySegment memory, long offset, long length, long seed) {
    long end = offset + length;
    long at = offset;
    // Four chains, since one multiplication would wait for the other.
    long a = seed;
    long b = ~seed;
    long c = seed + PRIME;
    long d = seed - PRIME;
    for (; at + 32 <= end; at += 32) {
      a = (a ^ memory.get(WORD, at)) * PRIME;
      b = (b ^ memory.get(WORD, at + 8)) * PRIME;
      c = (c ^ memory.get(WORD, at + 16)) * PRIME;
      d = (d ^ memory.get(WORD, at + 24)) * PRIME;
    }
    long hash = mix(mix(mix(a, b), c), d);
    for (; at + 8 <= end; at += 8) {
      hash = mix(hash, memory.get(WORD, at));
    }
    for (; at < end; at++) {
      hash = mix(hash, memory.get(ValueLayout.JAVA_BYTE, at));
    }
    return hash;
  }

  private static long mix(long hash, long word) {
    long mixed = (Long.rotateLeft(hash, 23) ^ word) * PRIME;
    return mixed ^ mixed >>> 31;
  }
}
