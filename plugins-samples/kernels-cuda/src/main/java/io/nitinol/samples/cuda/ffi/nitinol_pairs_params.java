// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** {@code nitinol_pairs_params} of {@code params.h}. */
public class nitinol_pairs_params {

  nitinol_pairs_params() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          MemoryLayout.sequenceLayout(4, nitinol_pair_params.layout()).withName("pair"))
          .withName("nitinol_pairs_params");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final long pair$OFFSET = $LAYOUT.byteOffset(groupElement("pair"));
  public static final long pair$offset() { return pair$OFFSET; }
  public static MemorySegment pair(MemorySegment struct, long index0) { return struct.asSlice(pair$OFFSET + index0 * nitinol_pair_params.sizeof(), nitinol_pair_params.sizeof()); }

  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
}
