// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.core.CommException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.buffer.v1.BufferAdapter;
import io.nitinol.spi.buffer.v1.BufferView;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.WeakHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the memory of other libraries' objects by the adapters that the application has. The first
 * adapter that knows an object decides. Where none does they are looked for anew, since the object
 * may be of a class loader that came later.
 */
public final class BufferAdapters {
  /** A loader whose files cannot be read may fail at each step, without an end. */
  private static final int MAX_FAILURES = 100;

  /** Asked whether others than its own thread may use a segment. */
  private static final Thread OTHER =
      Thread.ofVirtual().inheritInheritableThreadLocals(false).unstarted(() -> {});

  /**
   * By class loader, which the adapters hold: soft, so that the classes of an application that has
   * gone may be unloaded.
   */
  private static final Map<ClassLoader, SoftReference<BufferAdapters>> BY_LOADER =
      new WeakHashMap<>();

  private final Supplier<Iterator<BufferAdapter>> finder;

  /** What was found last; null before the first look. */
  private volatile @Nullable Found found;

  /** The adapters of one look, and those that could not be made, each with the reason. */
  private record Found(List<BufferAdapter> adapters, List<String> unusable) {}

  /**
   * Nothing to be done when a segment is unreachable; until then its cleaner holds the object.
   *
   * @param memory the segment that the adapter gave, or null where it gave an address
   */
  private record Owner(Object object, @Nullable MemorySegment memory)
      implements Consumer<MemorySegment> {
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
  public static BufferAdapters ofThread() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = context == null ? ClassLoader.getSystemClassLoader() : context;
    synchronized (BY_LOADER) {
      SoftReference<BufferAdapters> known = BY_LOADER.get(loader);
      BufferAdapters adapters = known == null ? null : known.get();
      if (adapters == null) {
        adapters =
            new BufferAdapters(() -> ServiceLoader.load(BufferAdapter.class, loader).iterator());
        BY_LOADER.put(loader, new SoftReference<>(adapters));
      }
      return adapters;
    }
  }

  /**
   * Returns the host memory of an object, which stays reachable while anything holds the segment,
   * if that is native.
   *
   * @param call the name of the call, for messages
   * @throws CommException INVALID_ARGUMENT where no adapter knows the object, it has no memory to
   *     be used, or that is a device's
   */
  public BufferView.HostSegment host(String call, Object object) {
    return switch (view(call, object)) {
      case BufferView.HostSegment segment ->
          new BufferView.HostSegment(segment(call, object, segment.memory()), segment.type());
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
   * @throws CommException INVALID_ARGUMENT where no adapter knows the object, it has no native
   *     memory to be used, or that is read-only
   */
  public BufferView.DeviceAddress device(String call, Object object) {
    return switch (view(call, object)) {
      case BufferView.DeviceAddress device -> device;
      case BufferView.HostAddress host -> {
        checkWritable(call, object, host.readOnly());
        yield new BufferView.DeviceAddress(host.address(), host.bytes(), host.type());
      }
      case BufferView.HostSegment(MemorySegment memory, var type) -> {
        if (!memory.isNative()) {
          throw refused(
              call,
              object,
              "has memory in the Java heap; expected memory that a device sees",
              null);
        }
        checkWritable(call, object, memory.isReadOnly());
        yield new BufferView.DeviceAddress(memory.address(), memory.byteSize(), type);
      }
    };
  }

  /** A device's buffer does not say that it must not be written. */
  private static void checkWritable(String call, Object object, boolean readOnly) {
    if (readOnly) {
      throw refused(
          call,
          object,
          "has read-only memory; expected memory that can be written, since any call may be given"
              + " the buffer of a device to write",
          null);
    }
  }

  private static MemorySegment segment(Object object, BufferView.HostAddress host) {
    return owned(host.address(), host.bytes(), host.readOnly(), new Owner(object, null));
  }

  /** Returns the same memory, whose segment holds the object also where that made it. */
  private static MemorySegment segment(String call, Object object, MemorySegment memory) {
    if (!memory.scope().isAlive()) {
      throw refused(call, object, "has a segment that has been freed; expected live memory", null);
    }
    if (!memory.isNative() || !memory.isAccessibleBy(OTHER)) {
      return memory; // no memory to be freed; or the call refuses what is one thread's
    }
    return owned(
        memory.address(), memory.byteSize(), memory.isReadOnly(), new Owner(object, memory));
  }

  private static MemorySegment owned(long address, long bytes, boolean readOnly, Owner owner) {
    MemorySegment memory =
        MemorySegment.ofAddress(address).reinterpret(bytes, Arena.ofAuto(), owner);
    return readOnly ? memory.asReadOnly() : memory;
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
    boolean more = true;
    while (more && unusable.size() < MAX_FAILURES) {
      try {
        more = each.hasNext();
        if (more) {
          adapters.add(each.next());
        }
      } catch (ServiceConfigurationError | LinkageError e) {
        unusable.add(ErrorText.reason(e));
      }
    }
    return new Found(List.copyOf(adapters), List.copyOf(unusable));
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
        unusable.isEmpty()
            ? ""
            : "; not to be used: " + String.join(", ", new LinkedHashSet<>(unusable)));
  }

  private static String name(BufferAdapter adapter) {
    String name;
    try {
      name = adapter.name();
    } catch (RuntimeException | LinkageError e) { // in the text of an error, which must be told
      name = ErrorText.of("without a name (%s)", e);
    }
    return ErrorText.of("%s, %s", name, adapter.getClass().getName());
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
