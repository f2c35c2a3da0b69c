// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.device;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Makes objects of the interfaces that belong to no provider which the kit tests. */
@SuppressWarnings("ReferenceEquality") // the very object is what is asked for
public final class Foreign {
  private Foreign() {}

  /** Returns an object that answers 0, false and null, and objects of its own kind. */
  public static <T> T object(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            Foreign.class.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "equals" -> proxy == arguments[0];
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "toString" -> "a " + type.getSimpleName() + " of another provider";
                  default -> answer(method);
                }));
  }

  private static @Nullable Object answer(Method method) {
    Class<?> type = method.getReturnType();
    if (type == boolean.class) {
      return false;
    }
    if (type == int.class) {
      return 0;
    }
    if (type == long.class) {
      return 0L;
    }
    if (type == String.class) {
      return "foreign";
    }
    if (type.isInterface() && type.getPackageName().equals("io.nitinol.spi.device.v1")) {
      return object(type);
    }
    return null;
  }
}
