// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.kernel;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Reads how much the calling thread has allocated. By method handle, because core does not read the
 * management modules and needs them for this test only; exact, because a boxed result would count.
 */
public final class ThreadAllocation {

  private static final Object BEAN;
  private static final MethodHandle READ;

  static {
    try {
      Object bean =
          Class.forName("java.lang.management.ManagementFactory")
              .getMethod("getThreadMXBean")
              .invoke(null);
      Class<?> type = Class.forName("com.sun.management.ThreadMXBean");
      READ =
          MethodHandles.publicLookup()
              .findVirtual(
                  type, "getCurrentThreadAllocatedBytes", MethodType.methodType(long.class))
              .asType(MethodType.methodType(long.class, Object.class));
      BEAN = bean;
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private ThreadAllocation() {}

  /** Returns the bytes that the calling thread has allocated since it began. */
  public static long bytes() throws Throwable {
    return (long) READ.invokeExact(BEAN);
  }
}
