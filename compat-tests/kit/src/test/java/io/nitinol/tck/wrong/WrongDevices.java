// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.samples.cpu.CpuDeviceProvider;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceGraph;
import io.nitinol.spi.device.v1.DeviceKernels;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.DeviceTeam;
import io.nitinol.spi.device.v1.MemoryRange;
import io.nitinol.spi.device.v1.TeamWindow;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A right device provider, the CPU twin, except where a subclass answers a call of it, or of any
 * object that comes from it, in its own way.
 */
abstract class WrongDevices implements DeviceProvider {
  private static final Set<Class<?>> WATCHED =
      Set.of(
          Device.class,
          DeviceEvent.class,
          DeviceGraph.class,
          DeviceKernels.class,
          DeviceMemory.class,
          DeviceStream.class,
          DeviceTeam.class,
          TeamWindow.class);

  private final DeviceProvider right = new CpuDeviceProvider();
  private final Map<Object, Object> lasting = new IdentityHashMap<>();

  /**
   * Answers a call.
   *
   * @param call the call; {@link Call#proceed} makes it as it is
   */
  abstract @Nullable Object answer(Call call);

  /** A call on its way to the twin. */
  static final class Call {
    private final Object target;
    private final Method method;
    private final @Nullable Object[] arguments;

    Call(Object target, Method method, @Nullable Object[] arguments) {
      this.target = target;
      this.method = method;
      this.arguments = arguments;
    }

    /** Returns whether it is a call of this method of this interface. */
    boolean is(Class<?> type, String... names) {
      return method.getDeclaringClass() == type && Set.of(names).contains(method.getName());
    }

    /** Returns the twin's object, for further calls. */
    <T> T on(Class<T> type) {
      return type.cast(target);
    }

    /** Returns an argument, of the twin if it is one of its objects. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    <T> T argument(int index) {
      return (T) arguments[index];
    }

    long number(int index) {
      return ((Number) java.util.Objects.requireNonNull(arguments[index])).longValue();
    }

    /** Replaces an argument. */
    Call with(int index, @Nullable Object value) {
      arguments[index] = value;
      return this;
    }

    /** Makes the call. */
    @Nullable Object proceed() {
      try {
        return method.invoke(target, arguments);
      } catch (InvocationTargetException e) {
        throw unchecked(e.getCause());
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Makes the call and returns another failure in place of the one that comes. */
    @Nullable Object failingWith(DeviceFailure other, DeviceFailure... of) {
      try {
        return proceed();
      } catch (DeviceException e) {
        if (Set.of(of).contains(e.failure())) {
          throw new DeviceException(other, "something has gone wrong", e);
        }
        throw e;
      }
    }

    private static RuntimeException unchecked(Throwable e) {
      if (e instanceof Error error) {
        throw error;
      }
      return (RuntimeException) e;
    }
  }

  static DeviceException failure(DeviceFailure failure) {
    return new DeviceException(failure, "wrong on purpose");
  }

  private @Nullable Object watched(Class<?> type, @Nullable Object result) {
    if (result == null || !WATCHED.contains(type) || bare(result) != result) {
      return result;
    }
    if (type == Device.class || type == DeviceKernels.class) {
      synchronized (lasting) {
        return lasting.computeIfAbsent(result, object -> proxy(type, object));
      }
    }
    return proxy(type, result);
  }

  /** Returns a new object in front of one of the twin's. */
  final Object proxy(Class<?> type, Object object) {
    return Proxy.newProxyInstance(
        WrongDevices.class.getClassLoader(), new Class<?>[] {type}, new Front(object));
  }

  private static @Nullable Object bare(@Nullable Object object) {
    return object != null
            && Proxy.isProxyClass(object.getClass())
            && Proxy.getInvocationHandler(object) instanceof Front front
        ? front.object
        : object;
  }

  private final class Front implements java.lang.reflect.InvocationHandler {
    private final Object object;

    Front(Object object) {
      this.object = object;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] given) {
      @Nullable Object[] arguments = new Object[given == null ? 0 : given.length];
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = bare(given[i]);
      }
      if (method.getDeclaringClass() == Object.class) {
        return switch (method.getName()) {
          case "equals" -> object == arguments[0];
          case "hashCode" -> System.identityHashCode(object);
          default -> object.toString();
        };
      }
      return watched(method.getReturnType(), answer(new Call(object, method, arguments)));
    }
  }

  /** Makes a call of the provider itself. */
  private @Nullable Object own(String name, Class<?>[] types, @Nullable Object... arguments) {
    try {
      return answer(new Call(right, DeviceProvider.class.getMethod(name, types), arguments));
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public final String name() {
    return (String) own("name", new Class<?>[0]);
  }

  @Override
  public final int priority() {
    return (int) own("priority", new Class<?>[0]);
  }

  @Override
  public final @Nullable String unavailable() {
    return (String) own("unavailable", new Class<?>[0]);
  }

  @Override
  public final PointerType memoryType() {
    return (PointerType) own("memoryType", new Class<?>[0]);
  }

  @Override
  public final List<Device> devices() {
    List<?> devices = (List<?>) own("devices", new Class<?>[0]);
    return devices.stream().map(each -> (Device) watched(Device.class, each)).toList();
  }

  @Override
  public final int memoryHandleSize() {
    return (int) own("memoryHandleSize", new Class<?>[0]);
  }

  @Override
  public final @Nullable MemoryRange find(long address) {
    return (MemoryRange) own("find", new Class<?>[] {long.class}, address);
  }
}
