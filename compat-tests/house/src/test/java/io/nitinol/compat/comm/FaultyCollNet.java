// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.comm;

import io.nitinol.core.plugin.jars.PluginClass;
import io.nitinol.core.plugin.jars.PluginJar;
import io.nitinol.samples.memory.MemoryCollNet12;
import io.nitinol.spi.collnet.v12.CollNet;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The collective network of the reference plugin, with faults that a test puts in. A jar that
 * {@link #write} makes has a plugin of this name, which calls {@link #NET}.
 */
public final class FaultyCollNet {
  /** Calls the network. */
  interface Real {
    @Nullable Object call() throws Throwable;
  }

  /** Stands between the plugin and the network. */
  interface Fault {
    @Nullable Object call(String method, Object[] arguments, Real real) throws Throwable;
  }

  /** What is open: contexts, listeners, comms and registrations. */
  static final AtomicInteger OPEN = new AtomicInteger();

  private static volatile Fault fault = (method, arguments, real) -> real.call();

  private static final CollNet REAL = new MemoryCollNet12();

  /** What the plugin in the jar calls. */
  public static final CollNet NET =
      (CollNet)
          Proxy.newProxyInstance(
              FaultyCollNet.class.getClassLoader(),
              new Class<?>[] {CollNet.class},
              (proxy, method, arguments) -> invoke(method, arguments));

  private FaultyCollNet() {}

  static void put(Fault newFault) {
    fault = newFault;
  }

  private static @Nullable Object invoke(Method method, Object @Nullable [] arguments)
      throws Throwable {
    Object[] given = arguments == null ? new Object[0] : arguments;
    return fault.call(method.getName(), given, () -> real(method, given));
  }

  private static @Nullable Object real(Method method, Object[] arguments) throws Throwable {
    try {
      Object result = method.invoke(REAL, arguments);
      switch (method.getName()) {
        case "init" -> { // with 0 the plugin is tried, for the life of the process
          if ((long) arguments[0] != 0) {
            OPEN.incrementAndGet();
          }
        }
        case "listen", "connect", "regMr" -> OPEN.incrementAndGet();
        case "finalizeContext", "closeListen", "closeColl", "deregMr" -> OPEN.decrementAndGet();
        default -> {}
      }
      return result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** Writes a jar with the plugin "Faulty" into a directory. */
  static void write(Path plugins, Path work) {
    PluginClass plugin =
        PluginClass.collNet(12, "faulty.Faulty", "Faulty")
            .members(
                """
                static io.nitinol.spi.collnet.v12.CollNet net() {
                  try {
                    return (io.nitinol.spi.collnet.v12.CollNet)
                        Class.forName(
                                "io.nitinol.compat.comm.FaultyCollNet",
                                true,
                                ClassLoader.getSystemClassLoader())
                            .getField("NET")
                            .get(null);
                  } catch (ReflectiveOperationException e) {
                    throw new IllegalStateException(e);
                  }
                }
                """);
    for (Method method : CollNet.class.getMethods()) {
      if (!Modifier.isStatic(method.getModifiers()) && !method.getName().equals("name")) {
        String call =
            IntStream.range(0, method.getParameterCount())
                .mapToObj(i -> "a" + i)
                .collect(Collectors.joining(", ", "net()." + method.getName() + "(", ");"));
        plugin.body(method.getName(), statements(method, call));
      }
    }
    new PluginJar(work).plugin(plugin).write(plugins.resolve("faulty.jar"));
  }

  private static String statements(Method method, String call) {
    if (method.getReturnType() == void.class) {
      return call;
    }
    return method.getName().equals("init")
        ? "if (a1 != null) { return " + call + " }"
        : "return " + call;
  }
}
