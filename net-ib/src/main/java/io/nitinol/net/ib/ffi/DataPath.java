// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.ffi;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The verbs that are inline functions in C and so have no symbol: calls through the pointers in
 * {@link ibv_context_ops}. One handle each serves every device, since the function is an argument.
 * They call nothing back, and with a hardware driver they return within a microsecond, hence {@code
 * critical}; soft devices (rxe, siw) enter the kernel, which may send the packets before it returns
 * and keep a safepoint waiting so long. Addresses are plain longs.
 */
public final class DataPath {
  private DataPath() {}

  private static final Linker.Option SHORT = Linker.Option.critical(false);

  private static final MethodHandle POLL_CQ =
      Linker.nativeLinker()
          .downcallHandle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_LONG), SHORT);

  private static final MethodHandle POST =
      Linker.nativeLinker()
          .downcallHandle(
              FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG), SHORT);

  // Enters the kernel where the device has no doorbell for it.
  private static final MethodHandle REQ_NOTIFY_CQ =
      Linker.nativeLinker()
          .downcallHandle(FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));

  /** {@code int poll_cq(struct ibv_cq *cq, int num_entries, struct ibv_wc *wc)}. */
  public static int pollCq(MemorySegment function, long cq, int entries, long wc) {
    try {
      return (int) POLL_CQ.invokeExact(function, cq, entries, wc);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** {@code int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, ...)}; post_recv likewise. */
  public static int post(MemorySegment function, long qp, long wr, long bad) {
    try {
      return (int) POST.invokeExact(function, qp, wr, bad);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }

  /** {@code int req_notify_cq(struct ibv_cq *cq, int solicited_only)}. */
  public static int reqNotifyCq(MemorySegment function, MemorySegment cq, int solicitedOnly) {
    try {
      return (int) REQ_NOTIFY_CQ.invokeExact(function, cq, solicitedOnly);
    } catch (Throwable ex$) {
      throw new AssertionError("should not reach here", ex$);
    }
  }
}
