// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.cuda;

import io.nitinol.samples.cuda.ffi.nitinol_local_params;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The parameters of local kernels. Each stream has its own, since one thread at a time puts work
 * into a stream; so launches on several streams share nothing.
 */
final class LocalLaunch {
  private final LaunchArguments arguments =
      new LaunchArguments(Arena.ofAuto(), nitinol_local_params.layout());

  /** Fills the parameters for one destination and one or two sources. */
  LaunchArguments fill(int sources, long first, long second, long destination, long count) {
    MemorySegment struct = arguments.struct();
    nitinol_local_params.sources(struct, sources);
    nitinol_local_params.destinations(struct, 1);
    nitinol_local_params.source(struct, 0, first);
    nitinol_local_params.source(struct, 1, second);
    nitinol_local_params.destination(struct, 0, destination);
    nitinol_local_params.count(struct, count);
    scale(0, 0, 1);
    return arguments;
  }

  /** Sets what is multiplied and divided. */
  void scale(long scalar, int scaled, int divisor) {
    MemorySegment struct = arguments.struct();
    nitinol_local_params.scalar(struct, scalar);
    nitinol_local_params.scaled(struct, scaled);
    nitinol_local_params.divisor(struct, divisor);
  }
}
