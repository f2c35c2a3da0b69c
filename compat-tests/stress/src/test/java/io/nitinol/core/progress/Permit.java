// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.progress;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Tells whether a thread was unparked, which no method does. A virtual one keeps it in a field. */
final class Permit {
  private static final VarHandle PARK_PERMIT;

  static {
    try {
      Class<?> type = Class.forName("java.lang.VirtualThread");
      PARK_PERMIT =
          MethodHandles.privateLookupIn(type, MethodHandles.lookup())
              .findVarHandle(type, "parkPermit", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private Permit() {}

  static Thread thread() {
    return Thread.ofVirtual().unstarted(() -> {});
  }

  static boolean isGiven(Thread thread) {
    return (boolean) PARK_PERMIT.getVolatile(thread);
  }
}
