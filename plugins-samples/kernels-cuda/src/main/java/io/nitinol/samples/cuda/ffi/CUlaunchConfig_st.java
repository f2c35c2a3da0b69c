// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda.ffi;

import static java.lang.foreign.MemoryLayout.PathElement.groupElement;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** {@code struct CUlaunchConfig_st} of {@code cuda.h}. */
public class CUlaunchConfig_st {

  CUlaunchConfig_st() {
    // Should not be called directly
  }

  private static final GroupLayout $LAYOUT =
      MemoryLayout.structLayout(
          cuda_h.C_INT.withName("gridDimX"),
          cuda_h.C_INT.withName("gridDimY"),
          cuda_h.C_INT.withName("gridDimZ"),
          cuda_h.C_INT.withName("blockDimX"),
          cuda_h.C_INT.withName("blockDimY"),
          cuda_h.C_INT.withName("blockDimZ"),
          cuda_h.C_INT.withName("sharedMemBytes"),
          MemoryLayout.paddingLayout(4),
          cuda_h.C_POINTER.withName("hStream"),
          cuda_h.C_POINTER.withName("attrs"),
          cuda_h.C_INT.withName("numAttrs"),
          MemoryLayout.paddingLayout(4))
          .withName("CUlaunchConfig_st");

  public static final GroupLayout layout() {
    return $LAYOUT;
  }

  private static final long gridDimX$OFFSET = $LAYOUT.byteOffset(groupElement("gridDimX"));
  public static final long gridDimX$offset() { return gridDimX$OFFSET; }
  public static int gridDimX(MemorySegment struct) { return struct.get(cuda_h.C_INT, gridDimX$OFFSET); }
  public static void gridDimX(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, gridDimX$OFFSET, fieldValue); }

  private static final long gridDimY$OFFSET = $LAYOUT.byteOffset(groupElement("gridDimY"));
  public static final long gridDimY$offset() { return gridDimY$OFFSET; }
  public static int gridDimY(MemorySegment struct) { return struct.get(cuda_h.C_INT, gridDimY$OFFSET); }
  public static void gridDimY(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, gridDimY$OFFSET, fieldValue); }

  private static final long gridDimZ$OFFSET = $LAYOUT.byteOffset(groupElement("gridDimZ"));
  public static final long gridDimZ$offset() { return gridDimZ$OFFSET; }
  public static int gridDimZ(MemorySegment struct) { return struct.get(cuda_h.C_INT, gridDimZ$OFFSET); }
  public static void gridDimZ(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, gridDimZ$OFFSET, fieldValue); }

  private static final long blockDimX$OFFSET = $LAYOUT.byteOffset(groupElement("blockDimX"));
  public static final long blockDimX$offset() { return blockDimX$OFFSET; }
  public static int blockDimX(MemorySegment struct) { return struct.get(cuda_h.C_INT, blockDimX$OFFSET); }
  public static void blockDimX(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, blockDimX$OFFSET, fieldValue); }

  private static final long blockDimY$OFFSET = $LAYOUT.byteOffset(groupElement("blockDimY"));
  public static final long blockDimY$offset() { return blockDimY$OFFSET; }
  public static int blockDimY(MemorySegment struct) { return struct.get(cuda_h.C_INT, blockDimY$OFFSET); }
  public static void blockDimY(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, blockDimY$OFFSET, fieldValue); }

  private static final long blockDimZ$OFFSET = $LAYOUT.byteOffset(groupElement("blockDimZ"));
  public static final long blockDimZ$offset() { return blockDimZ$OFFSET; }
  public static int blockDimZ(MemorySegment struct) { return struct.get(cuda_h.C_INT, blockDimZ$OFFSET); }
  public static void blockDimZ(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, blockDimZ$OFFSET, fieldValue); }

  private static final long sharedMemBytes$OFFSET = $LAYOUT.byteOffset(groupElement("sharedMemBytes"));
  public static final long sharedMemBytes$offset() { return sharedMemBytes$OFFSET; }
  public static int sharedMemBytes(MemorySegment struct) { return struct.get(cuda_h.C_INT, sharedMemBytes$OFFSET); }
  public static void sharedMemBytes(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, sharedMemBytes$OFFSET, fieldValue); }

  private static final long hStream$OFFSET = $LAYOUT.byteOffset(groupElement("hStream"));
  public static final long hStream$offset() { return hStream$OFFSET; }
  public static MemorySegment hStream(MemorySegment struct) { return struct.get(cuda_h.C_POINTER, hStream$OFFSET); }
  public static void hStream(MemorySegment struct, MemorySegment fieldValue) { struct.set(cuda_h.C_POINTER, hStream$OFFSET, fieldValue); }

  private static final long attrs$OFFSET = $LAYOUT.byteOffset(groupElement("attrs"));
  public static final long attrs$offset() { return attrs$OFFSET; }
  public static MemorySegment attrs(MemorySegment struct) { return struct.get(cuda_h.C_POINTER, attrs$OFFSET); }
  public static void attrs(MemorySegment struct, MemorySegment fieldValue) { struct.set(cuda_h.C_POINTER, attrs$OFFSET, fieldValue); }

  private static final long numAttrs$OFFSET = $LAYOUT.byteOffset(groupElement("numAttrs"));
  public static final long numAttrs$offset() { return numAttrs$OFFSET; }
  public static int numAttrs(MemorySegment struct) { return struct.get(cuda_h.C_INT, numAttrs$OFFSET); }
  public static void numAttrs(MemorySegment struct, int fieldValue) { struct.set(cuda_h.C_INT, numAttrs$OFFSET, fieldValue); }

  public static long sizeof() { return layout().byteSize(); }
  public static MemorySegment allocate(SegmentAllocator allocator) { return allocator.allocate(layout()); }
}
