// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import io.nitinol.net.nativeabi.ffi.CollNetFunction;
import io.nitinol.net.nativeabi.ffi.CollNetTable;
import io.nitinol.net.nativeabi.ffi.NetFunction;
import io.nitinol.net.nativeabi.ffi.NetTable;
import io.nitinol.net.nativeabi.ffi.StructTable;
import io.nitinol.toolkit.thread.AnyThread;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes Java plugins of the structs that libraries export. */
@AnyThread
public final class NativePlugins {
  private static final Map<Long, NativePlugin<NetFunction>> NETS = new HashMap<>();
  private static final Map<Long, NativePlugin<CollNetFunction>> COLLNETS = new HashMap<>();

  private NativePlugins() {}

  private record Made(Class<?> provider, Supplier<?> factory) {}

  /**
   * Looks at an {@code ncclNetPlugin_vN}, without a call.
   *
   * @param version the struct's version
   * @param struct where the library has it
   * @param file the library's file, for messages
   * @param name what newer structs of the library call the plugin; null if there are none
   * @throws io.nitinol.spi.NetException INTERNAL_ERROR when it has no name or no {@code init}
   */
  public static NativeOffer net(
      int version, MemorySegment struct, String file, @Nullable String name) {
    NativePlugin<NetFunction> plugin = known(NETS, NetTable.of(version), struct, file, name);
    Made made = netOf(plugin);
    return new NativeOffer(
        false, version, plugin.table().symbol(), plugin.name(), made.provider(), made.factory());
  }

  /**
   * Looks at an {@code ncclCollNetPlugin_vN}, without a call.
   *
   * @param version the struct's version
   * @param struct where the library has it
   * @param file the library's file, for messages
   * @param name what newer structs of the library call the plugin; null if there are none
   * @throws io.nitinol.spi.NetException INTERNAL_ERROR when it has no name or no {@code init}
   */
  public static NativeOffer collNet(
      int version, MemorySegment struct, String file, @Nullable String name) {
    NativePlugin<CollNetFunction> plugin =
        known(COLLNETS, CollNetTable.of(version), struct, file, name);
    Made made = collNetOf(plugin);
    return new NativeOffer(
        true, version, plugin.table().symbol(), plugin.name(), made.provider(), made.factory());
  }

  private static <F extends Enum<F>> NativePlugin<F> known(
      Map<Long, NativePlugin<F>> plugins,
      StructTable<F> table,
      MemorySegment struct,
      String file,
      @Nullable String name) {
    synchronized (plugins) {
      NativePlugin<F> known = plugins.get(struct.address());
      if (known == null) {
        known = NativePlugin.of(table, struct, file, name);
        plugins.put(struct.address(), known);
      }
      return known;
    }
  }

  private static Made netOf(NativePlugin<NetFunction> plugin) {
    return switch (plugin.table().version()) {
      case 2, 3, 4 -> new Made(NativeNetV4.class, () -> new NativeNetV4(plugin));
      case 5 -> new Made(NativeNetV5.class, () -> new NativeNetV5(plugin));
      case 6 -> new Made(NativeNetV6.class, () -> new NativeNetV6(plugin));
      case 7 -> new Made(NativeNetV7.class, () -> new NativeNetV7(plugin));
      case 8 -> new Made(NativeNetV8.class, () -> new NativeNetV8(plugin));
      case 9 -> new Made(NativeNetV9.class, () -> new NativeNetV9(plugin));
      case 10 -> new Made(NativeNetV10.class, () -> new NativeNetV10(plugin));
      case 11 -> new Made(NativeNetV11.class, () -> new NativeNetV11(plugin));
      case 12 -> new Made(NativeNetV12.class, () -> new NativeNetV12(plugin));
      default -> throw new IllegalArgumentException(plugin.toString());
    };
  }

  private static Made collNetOf(NativePlugin<CollNetFunction> plugin) {
    return switch (plugin.table().version()) {
      case 4 -> new Made(NativeCollNetV4.class, () -> new NativeCollNetV4(plugin));
      case 5 -> new Made(NativeCollNetV5.class, () -> new NativeCollNetV5(plugin));
      case 6 -> new Made(NativeCollNetV6.class, () -> new NativeCollNetV6(plugin));
      case 7 -> new Made(NativeCollNetV7.class, () -> new NativeCollNetV7(plugin));
      case 8 -> new Made(NativeCollNetV8.class, () -> new NativeCollNetV8(plugin));
      case 9 -> new Made(NativeCollNetV9.class, () -> new NativeCollNetV9(plugin));
      case 10 -> new Made(NativeCollNetV10.class, () -> new NativeCollNetV10(plugin));
      case 11 -> new Made(NativeCollNetV11.class, () -> new NativeCollNetV11(plugin));
      case 12 -> new Made(NativeCollNetV12.class, () -> new NativeCollNetV12(plugin));
      default -> throw new IllegalArgumentException(plugin.toString());
    };
  }
}
