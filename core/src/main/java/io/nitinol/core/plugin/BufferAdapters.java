// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.CommException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.buffer.v1.BufferAdapter;
import io.nitinol.spi.buffer.v1.BufferView;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the memory of other libraries' objects by the adapters that the application has. The first
 * adapter that knows an object decides. Where none does they are looked for anew, since the object
 * may be of a class loader that came later.
 */
public final class BufferAdapters {
  private static final BufferAdapters PROCESS =
      new BufferAdapters(() -> ServiceLoader.load(BufferAdapter.class).iterator());

  private final Supplier<Iterator<BufferAdapter>> finder;

  /** What was found last; null before the first look. */
  private volatile @Nullable Found found;

  /** The adapters of one look, and those that could not be made, each with the reason. */
  private record Found(List<BufferAdapter> adapters, List<String> unusable) {}

  /** Nothing to be done when a segment is unreachable; until then its cleaner holds the object. */
  private record Owner(Object object) implements Consumer<MemorySegment> {
    @Override
    public void accept(MemorySegment segment) {}
  }

  /**
   * Creates adapters that are looked for at the first use.
   *
   * @param finder gives them; may throw ServiceConfigurationError at each step
   */
  BufferAdapters(Supplier<Iterator<BufferAdapter>> finder) {
    this.finder = finder;
  }

  /** Returns those that ServiceLoader finds by the context class loader of the calling thread. */
  public static BufferAdapters process() {
    return PROCESS;
  }

  /**
   * Returns the host memory of an object, which stays reachable while anything holds the segment.
   *
   * @param call the name of the call, for messages
   * @throws CommException INVALID_ARGUMENT where no adapter knows the object, it has no memory to
   *     be used, or that is a device's
   */
  public BufferView.HostSegment host(String call, Object object) {
    return switch (view(call, object)) {
      case BufferView.HostSegment segment -> segment;
      case BufferView.HostAddress host ->
          new BufferView.HostSegment(segment(object, host), host.type());
      case BufferView.DeviceAddress device ->
          throw refused(
              call,
              object,
              ErrorText.of(
                  "has memory of a device, at 0x%x; expected memory of the host, since a"
                      + " DeviceCommunicator is for that of devices",
                  device.address()),
              null);
    };
  }

  /**
   * Returns where a device finds the memory of an object; only a driver knows whether it does.
   *
   * @param call the name of the call, for messages
   * @throws CommException INVALID_ARGUMENT where no adapter knows the object, or it has no native
   *     memory to be used
   */
  public BufferView.DeviceAddress device(String call, Object object) {
    return switch (view(call, object)) {
      case BufferView.DeviceAddress device -> device;
      case BufferView.HostAddress host ->
          new BufferView.DeviceAddress(host.address(), host.bytes(), host.type());
      case BufferView.HostSegment(MemorySegment memory, var type) -> {
        if (!memory.isNative()) {
          throw refused(
              call,
              object,
              "has memory in the Java heap; expected memory that a device sees",
              null);
        }
        yield new BufferView.DeviceAddress(memory.address(), memory.byteSize(), type);
      }
    };
  }

  private static MemorySegment segment(Object owner, BufferView.HostAddress host) {
    MemorySegment memory =
        MemorySegment.ofAddress(host.address())
            .reinterpret(host.bytes(), Arena.ofAuto(), new Owner(owner));
    return host.readOnly() ? memory.asReadOnly() : memory;
  }

  private BufferView view(String call, Object object) {
    List<String> failed = new ArrayList<>();
    Found known = found;
    BufferView view = known == null ? null : ask(known, call, object, failed);
    if (view != null) {
      return view;
    }
    Found now = look();
    found = now;
    failed.clear();
    view = ask(now, call, object, failed);
    if (view == null) {
      throw refused(call, object, unknown(now, failed), null);
    }
    return view;
  }

  private Found look() {
    List<BufferAdapter> adapters = new ArrayList<>();
    List<String> unusable = new ArrayList<>();
    Iterator<BufferAdapter> each = finder.get();
    while (true) {
      try {
        if (!each.hasNext()) {
          return new Found(List.copyOf(adapters), List.copyOf(unusable));
        }
        adapters.add(each.next());
      } catch (ServiceConfigurationError | LinkageError e) {
        unusable.add(ErrorText.reason(e));
      }
    }
  }

  /** Returns what the first adapter says that knows the object; null where none does. */
  private static @Nullable BufferView ask(
      Found known, String call, Object object, List<String> failed) {
    for (BufferAdapter adapter : known.adapters()) {
      try {
        BufferView view = adapter.view(object);
        if (view != null) {
          return view;
        }
      } catch (LinkageError e) { // its library is not there, so the object is another's
        failed.add(ErrorText.of("%s (%s)", name(adapter), ErrorText.reason(e)));
      } catch (IllegalArgumentException e) {
        throw refused(
            call, object, ErrorText.of("%s (adapter %s)", e.getMessage(), name(adapter)), e);
      } catch (RuntimeException e) {
        throw new CommException(
            ResultCode.INTERNAL_ERROR,
            -1,
            ErrorText.of(
                "%s: adapter %s, asked for the memory of an object of %s, threw %s",
                call, name(adapter), object.getClass().getTypeName(), e),
            e);
      }
    }
    return null;
  }

  private static String unknown(Found known, List<String> failed) {
    List<String> names = new ArrayList<>();
    known.adapters().forEach(adapter -> names.add(name(adapter)));
    List<String> unusable = new ArrayList<>(known.unusable());
    unusable.addAll(failed);
    return ErrorText.of(
        "is none that a buffer adapter takes; %s%s",
        names.isEmpty()
            ? "none was found: add the artifact with the BufferAdapter of its library"
            : "found: " + String.join(", ", names),
        unusable.isEmpty() ? "" : "; not to be used: " + String.join(", ", unusable));
  }

  private static String name(BufferAdapter adapter) {
    return ErrorText.of("%s, %s", adapter.name(), adapter.getClass().getName());
  }

  private static CommException refused(
      String call, Object object, String text, @Nullable Throwable cause) {
    return new CommException(
        ResultCode.INVALID_ARGUMENT,
        -1,
        ErrorText.of("%s: the %s %s", call, object.getClass().getTypeName(), text),
        cause);
  }
}
