// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import io.nitinol.net.ib.ffi.ibv_context;
import io.nitinol.net.ib.ffi.ibv_context_ops;
import io.nitinol.net.ib.ffi.ibv_qp;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;

/** Queue pairs of no device, on which functions of the C library post. */
public final class StandIn {
  private StandIn() {}

  /** Returns one that takes whatever is posted. */
  public static QueuePair taking(Arena arena) {
    return pair(arena, "sched_yield"); // looks at no argument, and returns 0
  }

  /** Returns one that refuses whatever is posted. */
  public static QueuePair refusing(Arena arena) {
    return pair(arena, "labs"); // returns its argument, which is an address
  }

  private static QueuePair pair(Arena arena, String function) {
    MemorySegment context = ibv_context.allocate(arena).fill((byte) 0);
    ibv_context_ops.post_send(
        ibv_context.ops(context), Linker.nativeLinker().defaultLookup().findOrThrow(function));
    MemorySegment pair = ibv_qp.allocate(arena).fill((byte) 0);
    ibv_qp.qp_num(pair, 17);
    return new QueuePair(new VerbsContext(context, "none0"), pair, 0);
  }
}
