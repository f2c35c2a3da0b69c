// SPDX-License-Identifier: Apache-2.0
package io.nitinol.chaos;

import io.nitinol.core.log.Log;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.v12.Net;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A network plugin of which one call fails when it is told to. */
final class FaultyNet implements InvocationHandler {
  /** The calls that move data; to fail in others says less. */
  private static final Set<String> FAILING = Set.of("isend", "irecv", "test");

  static final String MESSAGE = "the card has fallen out, says chaos";

  private final Net plugin;
  private final AtomicBoolean failing = new AtomicBoolean();

  /** Takes the plugin with this name. */
  FaultyNet(String name) {
    this.plugin =
        ServiceLoader.load(Net.class).stream()
            .map(ServiceLoader.Provider::get)
            .filter(net -> net.name().equals(name))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("there is no plugin " + name));
    plugin.init(0, NetCommConfig.DEFAULT, Log.process(), null); // it must have devices
  }

  /** Returns the plugin to choose. */
  Net net() {
    return (Net)
        Proxy.newProxyInstance(Net.class.getClassLoader(), new Class<?>[] {Net.class}, this);
  }

  /** Lets the next call that moves data fail. */
  void failNext() {
    failing.set(true);
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    if (FAILING.contains(method.getName()) && failing.compareAndSet(true, false)) {
      throw new NetException(ResultCode.SYSTEM_ERROR, MESSAGE);
    }
    try {
      return method.invoke(plugin, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
