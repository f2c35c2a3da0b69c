// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.CUlaunchAttribute_st;
import io.nitinol.samples.cuda.ffi.CUlaunchConfig_st;
import io.nitinol.samples.cuda.ffi.cuda_h;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;

/**
 * The struct of one family's parameters and the pointer to it that a launch takes. It is filled
 * again for each launch, since the driver copies it during the call.
 */
final class LaunchArguments {
  /** Threads of a block, of every kernel. */
  static final int THREADS = 512;

  private final MemorySegment struct;
  private final MemorySegment pointers;
  private final MemorySegment config;

  LaunchArguments(SegmentAllocator allocator, GroupLayout layout) {
    struct = allocator.allocate(layout);
    pointers = allocator.allocate(ValueLayout.ADDRESS);
    pointers.set(ValueLayout.ADDRESS, 0, struct);
    MemorySegment attribute = CUlaunchAttribute_st.allocate(allocator);
    CUlaunchAttribute_st.id(
        attribute, cuda_h.CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION());
    CUlaunchAttribute_st.value(attribute).set(ValueLayout.JAVA_INT, 0, 1);
    config = CUlaunchConfig_st.allocate(allocator);
    CUlaunchConfig_st.gridDimZ(config, 1);
    CUlaunchConfig_st.blockDimY(config, 1);
    CUlaunchConfig_st.blockDimZ(config, 1);
    CUlaunchConfig_st.attrs(config, attribute);
    CUlaunchConfig_st.numAttrs(config, 1);
  }

  MemorySegment struct() {
    return struct;
  }

  /** Puts a kernel into a stream; the thread is in the context. */
  void launch(CudaContext context, MemorySegment function, int blocks, MemorySegment stream) {
    launch(context, function, blocks, 1, THREADS, stream);
  }

  /** The same for several pairs, each of which has so many blocks, which have a size. */
  void launch(
      CudaContext context,
      MemorySegment function,
      int blocks,
      int pairs,
      int threads,
      MemorySegment stream) {
    int result =
        cuda_h.cuLaunchKernel(
            function, blocks, pairs, 1, threads, 1, 1, 0, stream, pointers, MemorySegment.NULL);
    if (result != 0) {
      throw context.failure(result, "cuLaunchKernel", blocks + " blocks");
    }
  }

  /**
   * The same for a kernel that itself waits for what the stream did before, with blocks of a size:
   * it comes on the device while the last launch before it ends.
   */
  void launchOverlapping(
      CudaContext context,
      MemorySegment function,
      int blocks,
      int pairs,
      int threads,
      MemorySegment stream) {
    CUlaunchConfig_st.gridDimX(config, blocks);
    CUlaunchConfig_st.gridDimY(config, pairs);
    CUlaunchConfig_st.blockDimX(config, threads);
    CUlaunchConfig_st.hStream(config, stream);
    int result = cuda_h.cuLaunchKernelEx(config, function, pointers, MemorySegment.NULL);
    if (result != 0) {
      throw context.failure(result, "cuLaunchKernelEx", blocks + " blocks");
    }
  }
}
