// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.team;

import io.nitinol.core.shm.SharedRegion;
import java.util.List;

/**
 * Where everything is in the memory of a team. Each member has a part of whole pages, which only it
 * writes, so that they lie near its processor; the part has all areas one behind the other, an area
 * its counters and then its slots:
 *
 * <pre>
 *    0  rounds POSTED    8   } each on two lines of its own:
 *  128  rounds SHARED    8   } the prefetcher fetches pairs
 *  256  rounds FREED     8   }
 *  384  slots, stride apart
 * </pre>
 *
 * <p>A slot begins with a line that has the following in front. In LL the data begins in that line,
 * so that what a few bytes need is all there at once; in SIMPLE it begins on the next.
 *
 * <pre>
 *    0  rounds POSTED up to this one   8   LL
 *    8  call word                      8
 *   16  call count                     8
 *   24  rounds FREED by then           8   LL
 *   32  place of the input             8   SIMPLE, of operations in place
 *   40  place of the output            8   SIMPLE, of operations in place
 * </pre>
 */
final class TeamLayout {
  static final long LINE = 64;
  private static final long PAGE = 4096;

  /** Bytes in front of the slots. */
  static final long COUNTERS = 384;

  /** Bytes from one counter to the next; their order is that of Signal, from POSTED. */
  static final long COUNTER_STRIDE = 128;

  static final long WORD = 8;
  static final long COUNT = 16;
  static final long FREED = 24;

  /** Where the buffers of the operation lie, only in SIMPLE. */
  static final long INPUT = 32;

  static final long OUTPUT = 40;
  static final long LL_FRONT = 32;

  private final int members;
  private final List<AreaShape> areas;
  private final long partBytes;

  TeamLayout(int members, List<AreaShape> areas) {
    this.members = members;
    this.areas = List.copyOf(areas);
    long bytes = 0;
    for (AreaShape area : areas) {
      bytes = Math.addExact(bytes, area.bytes());
    }
    this.partBytes = Math.ceilDiv(bytes + PAGE, PAGE) * PAGE;
  }

  /** Returns the size of the whole region. */
  long bytes() {
    return Math.addExact(SharedRegion.HEADER, Math.multiplyExact(members, partBytes));
  }

  /** Returns where the part of {@code member} begins. */
  long part(int member) {
    return SharedRegion.HEADER + member * partBytes;
  }

  /** Returns how many bytes the part of each member has. */
  long partBytes() {
    return partBytes;
  }

  /** Returns where the counters of {@code member}'s area number {@code area} begin. */
  long area(int member, int area) {
    // On a line of its own in every page: a rank that polls many members keeps all their lines in
    // cache.
    long at = part(member) + member * 7L % (PAGE / LINE) * LINE;
    for (int i = 0; i < area; i++) {
      at += areas.get(i).bytes();
    }
    return at;
  }

  /** Returns a number that differs, as far as it can, where another member has another layout. */
  long fingerprint() {
    long hash = members;
    for (AreaShape area : areas) {
      hash = hash * 31 + area.protocol().ordinal();
      hash = hash * 0x1_0000_01b3L + area.slotBytes();
      hash = hash * 31 + area.depth();
    }
    return hash;
  }

  /** Returns the areas. */
  List<AreaShape> areas() {
    return areas;
  }

  @Override
  public String toString() {
    return areas + " of " + members + " members";
  }
}
