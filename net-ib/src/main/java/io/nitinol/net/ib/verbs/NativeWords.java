// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Words of native memory by their address, in the machine's order, for what is written and read
 * with each message: {@code NativeWords.INT.set(NativeWords.ALL, address, value)}. With a segment
 * that is a constant even the first of the JVM's compilers makes a move of that; with one from a
 * field it makes some ten calls, and a message has dozens of words. Nothing here checks bounds and
 * life: the calling class has memory of a fixed size, checks indexes, and makes no call once that
 * is freed.
 */
public final class NativeWords {
  /** All memory. */
  public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

  /** 32 bits, aligned. */
  static final VarHandle INT = ValueLayout.JAVA_INT.varHandle().withInvokeExactBehavior();

  /** 64 bits, aligned. */
  static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle().withInvokeExactBehavior();

  private NativeWords() {}
}
