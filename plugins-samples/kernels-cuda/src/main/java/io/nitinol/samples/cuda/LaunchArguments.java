// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

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

  LaunchArguments(SegmentAllocator allocator, GroupLayout layout) {
    struct = allocator.allocate(layout);
    pointers = allocator.allocate(ValueLayout.ADDRESS);
    pointers.set(ValueLayout.ADDRESS, 0, struct);
  }

  MemorySegment struct() {
    return struct;
  }

  /** Puts a kernel into a stream; the thread is in the context. */
  void launch(CudaContext context, MemorySegment function, int blocks, MemorySegment stream) {
    int result =
        cuda_h.cuLaunchKernel(
            function, blocks, 1, 1, THREADS, 1, 1, 0, stream, pointers, MemorySegment.NULL);
    if (result != 0) {
      throw context.failure(result, "cuLaunchKernel", blocks + " blocks");
    }
  }
}
