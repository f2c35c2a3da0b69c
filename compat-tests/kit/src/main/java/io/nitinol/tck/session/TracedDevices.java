// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.NetException;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceGraph;
import io.nitinol.spi.device.v1.DeviceKernels;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.DeviceTeamConfig;
import io.nitinol.spi.device.v1.TeamWindow;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Traces the calls of a device provider and of all objects that come from it. Each object of the
 * provider has a proxy in front, which the provider never sees: arguments lose theirs on the way.
 * Any thread.
 */
public final class TracedDevices {
  private static final int MOST_TEXT = 120;

  /** The interfaces whose objects get a proxy. */
  private static final Set<Class<?>> TRACED =
      Set.of(
          Device.class,
          DeviceEvent.class,
          DeviceGraph.class,
          DeviceKernels.class,
          DeviceMemory.class,
          DeviceStream.class,
          DeviceTeam.class,
          TeamWindow.class);

  /** The methods that only describe: a line for each would hide what happened. */
  private static final Set<String> QUIET =
      Set.of("device", "address", "size", "kind", "rank", "ranks", "blocks", "index", "name");

  private final CallTrace trace;

  /** What lives as long as the provider has one proxy, so that a test can compare. */
  private final IdentityHashMap<Object, Object> lasting = new IdentityHashMap<>();

  private TracedDevices(CallTrace trace) {
    this.trace = trace;
  }

  /** Returns a provider that does what another one does, and leaves a trace. */
  public static DeviceProvider around(DeviceProvider provider, CallTrace trace) {
    return (DeviceProvider) new TracedDevices(trace).proxy(DeviceProvider.class, provider);
  }

  /** Returns the provider's own object behind a proxy; any other object as it is. */
  static @Nullable Object bare(@Nullable Object object) {
    return object != null
            && Proxy.isProxyClass(object.getClass())
            && Proxy.getInvocationHandler(object) instanceof Front front
        ? front.object
        : object;
  }

  private Object proxy(Class<?> type, Object object) {
    return Proxy.newProxyInstance(
        TracedDevices.class.getClassLoader(), new Class<?>[] {type}, new Front(object));
  }

  private @Nullable Object traced(Class<?> type, @Nullable Object result) {
    if (result == null) {
      return null;
    }
    if (type == Device.class || type == DeviceKernels.class) {
      synchronized (lasting) {
        return lasting.computeIfAbsent(result, object -> proxy(type, object));
      }
    }
    if (TRACED.contains(type)) {
      return proxy(type, result);
    }
    return result;
  }

  /** The handler of one proxy. */
  @SuppressWarnings("ReferenceEquality") // an object is equal to itself
  private final class Front implements InvocationHandler {
    private final Object object;

    Front(Object object) {
      this.object = object;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      Object[] given = arguments == null ? new Object[0] : arguments;
      if (method.getDeclaringClass() == Object.class) {
        return switch (method.getName()) {
          case "equals" -> object == bare(given[0]);
          case "hashCode" -> System.identityHashCode(object);
          default -> CallTrace.name(object);
        };
      }
      @Nullable Object[] bare = new Object[given.length];
      for (int i = 0; i < given.length; i++) {
        bare[i] = bare(given[i]);
      }
      boolean quiet = QUIET.contains(method.getName()) && given.length == 0;
      return quiet ? plain(method, bare) : call(method, bare);
    }

    private @Nullable Object plain(Method method, @Nullable Object[] bare) throws Throwable {
      try {
        return traced(method.getReturnType(), method.invoke(object, bare));
      } catch (InvocationTargetException e) {
        CallTrace.Calls calls = trace.mine();
        calls.begin(method.getName(), object, CallTrace.name(object));
        Throwable thrown = e.getTargetException();
        calls.fail(thrown, describe(thrown));
        throw thrown;
      }
    }

    private @Nullable Object call(Method method, @Nullable Object[] bare) throws Throwable {
      CallTrace.Calls calls = trace.mine();
      boolean poll = method.getName().equals("query");
      if (!poll || !calls.repeat(method.getName(), object, "false")) {
        calls.begin(method.getName(), object, words(object, bare));
      }
      Object result;
      try {
        result = method.invoke(object, bare);
      } catch (InvocationTargetException e) {
        Throwable thrown = e.getTargetException();
        calls.fail(thrown, describe(thrown));
        throw thrown;
      }
      calls.end(method.getReturnType() == void.class ? "done" : word(result));
      if (result instanceof List<?> devices && method.getName().equals("devices")) {
        return devices.stream().map(device -> traced(Device.class, device)).toList();
      }
      return traced(method.getReturnType(), result);
    }
  }

  private static String words(Object object, @Nullable Object[] arguments) {
    String name = CallTrace.name(object);
    String rest =
        Arrays.stream(arguments).map(TracedDevices::word).collect(Collectors.joining(", "));
    return rest.isEmpty() ? name : name + ": " + rest;
  }

  private static String word(@Nullable Object value) {
    String text =
        switch (value) {
          case null -> "null";
          case Long number when number > 1L << 32 -> "0x" + Long.toHexString(number);
          case byte[] bytes -> bytes.length + " bytes";
          case DeviceTeamConfig config ->
              "rank " + config.rank() + " of " + config.ranks() + ", blocks " + config.blocks();
          case Number number -> number.toString();
          case Boolean truth -> truth.toString();
          case Enum<?> constant -> constant.name();
          case String string -> string;
          case Record some -> some.toString();
          case List<?> list -> list.toString();
          default -> CallTrace.name(value);
        };
    return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT) + "...";
  }

  private static String describe(Throwable e) {
    return switch (e) {
      case DeviceException device -> device.failure() + ": " + device.getMessage();
      case NetException net -> net.result() + ": " + net.getMessage();
      default -> e.toString();
    };
  }
}
