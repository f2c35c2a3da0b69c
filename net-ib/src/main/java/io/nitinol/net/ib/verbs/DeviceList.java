// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.verbs;

import io.nitinol.net.ib.ffi.CLibrary;
import io.nitinol.net.ib.ffi.verbs_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The devices of this machine as they are now, in the library's order ({@code
 * ibv_get_device_list}). The list is closed when all wanted devices are open; those stay open.
 */
public final class DeviceList implements AutoCloseable {
  private final MemorySegment list;
  private final List<VerbsDevice> devices;
  private final @Nullable String reason;
  private boolean closed;

  private DeviceList(MemorySegment list, List<VerbsDevice> devices, @Nullable String reason) {
    this.list = list;
    this.devices = devices;
    this.reason = reason;
  }

  /** Reads the devices. Never throws: if there are none, {@link #emptyReason} has the reason. */
  public static DeviceList read() {
    String absence = Verbs.absence();
    if (absence != null) {
      return new DeviceList(MemorySegment.NULL, List.of(), absence);
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment errno = ErrnoSegment.in(arena);
      MemorySegment count = arena.allocate(ValueLayout.JAVA_INT);
      MemorySegment list = verbs_h.ibv_get_device_list(errno, count);
      if (list.address() == 0) {
        // Not an empty list, and not to be freed.
        int number = ErrnoSegment.of(errno);
        String text =
            number == Errno.ENOSYS || number == 0
                ? "the kernel has no RDMA device class (modules ib_core, ib_uverbs)"
                : CLibrary.strerror(number) + " (errno " + number + ")";
        return new DeviceList(list, List.of(), "ibv_get_device_list gave nothing: " + text);
      }
      int found = count.get(ValueLayout.JAVA_INT, 0);
      MemorySegment pointers = list.reinterpret(ValueLayout.ADDRESS.byteSize() * found);
      List<VerbsDevice> devices = new ArrayList<>();
      for (int i = 0; i < found; i++) {
        devices.add(new VerbsDevice(pointers.getAtIndex(ValueLayout.ADDRESS, i), errno));
      }
      String reason = found == 0 ? "the machine has no RDMA device" : null;
      return new DeviceList(list, List.copyOf(devices), reason);
    }
  }

  /** {@return the devices, not yet open; valid until this list is closed} */
  public List<VerbsDevice> devices() {
    return devices;
  }

  /** {@return why there are none, or null where there are some} */
  public @Nullable String emptyReason() {
    return reason;
  }

  /** Frees the list and those devices that were not opened. */
  @Override
  public void close() {
    if (list.address() != 0 && !closed) {
      closed = true;
      devices.forEach(VerbsDevice::freed);
      try (Arena arena = Arena.ofConfined()) {
        verbs_h.ibv_free_device_list(ErrnoSegment.in(arena), list);
      }
    }
  }
}
