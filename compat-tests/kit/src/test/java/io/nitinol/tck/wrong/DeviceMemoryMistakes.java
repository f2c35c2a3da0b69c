// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.MemoryKind;
import io.nitinol.spi.device.v1.MemoryRange;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Device providers whose memory is wrong. */
public final class DeviceMemoryMistakes {
  private DeviceMemoryMistakes() {}

  /** Rounds sizes up, and says so. */
  @Breaks(
      value = "DEVMEM-01",
      also = {"DEV-06", "DEV-14"})
  public static final class RoundsSizesUp extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      boolean odd = call.is(Device.class, "allocate") && call.number(0) % 256 > 0;
      return (odd && call.number(0) < 1 << 21
              ? call.with(0, (call.number(0) / 256 + 1) * 256)
              : call)
          .proceed();
    }
  }

  /** Takes 0 bytes for one. */
  @Breaks("DEVMEM-02")
  public static final class AllocatesNothing extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return (call.is(Device.class, "allocate", "allocateHost") && call.number(0) == 0
              ? call.with(0, 1L)
              : call)
          .proceed();
    }
  }

  /** Does not tell a lack of memory from other failures. */
  @Breaks("DEVMEM-02")
  public static final class LackOfMemoryIsAnError extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return call.is(Device.class, "allocate")
          ? call.failingWith(DeviceFailure.DRIVER_ERROR, DeviceFailure.OUT_OF_MEMORY)
          : call.proceed();
    }
  }

  /** Calls pinned memory managed. */
  @Breaks(value = "DEVMEM-03", also = "DEVMEM-07")
  public static final class HostMemoryIsManaged extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      return answer == MemoryKind.HOST ? MemoryKind.MANAGED : answer;
    }
  }

  /** Gives a segment that nothing ends. */
  @Breaks("DEVMEM-04")
  public static final class SegmentStaysAlive extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      if (call.is(DeviceMemory.class, "segment")) {
        DeviceMemory memory = call.on(DeviceMemory.class);
        return MemorySegment.ofAddress(memory.address()).reinterpret(memory.size());
      }
      return call.proceed();
    }
  }

  /** Finds memory by its first byte. */
  @Breaks(value = "DEVMEM-05", also = "DEVMEM-07")
  public static final class FindsTheFirstByte extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      return answer instanceof MemoryRange range && range.address() != call.number(0)
          ? null
          : answer;
    }
  }

  /** Takes all device memory for that of device 0. */
  @Breaks("DEVMEM-05")
  public static final class FindsTheFirstDevice extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      return answer instanceof MemoryRange range && range.device() > 0
          ? new MemoryRange(range.kind(), 0, range.address(), range.size())
          : answer;
    }
  }

  /** Remembers what it has once found. */
  @Breaks("DEVMEM-06")
  public static final class RemembersClosedMemory extends WrongDevices {
    private final Queue<MemoryRange> known = new ConcurrentLinkedQueue<>();

    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      if (call.is(Device.class, "allocate") && answer instanceof DeviceMemory memory) {
        known.add(
            new MemoryRange(
                MemoryKind.DEVICE, memory.device().index(), memory.address(), memory.size()));
      }
      if (call.is(DeviceProvider.class, "find") && answer == null) {
        long address = call.number(0);
        return known.stream().filter(each -> each.contains(address, 1)).findFirst().orElse(null);
      }
      return answer;
    }
  }

  /** Clears what it pins. */
  @Breaks("DEVMEM-07")
  public static final class ClearsWhatItPins extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      if (call.is(Device.class, "registerHost")) {
        call.<MemorySegment>argument(0).fill((byte) 0);
      }
      return answer;
    }
  }

  /** Exports allocations from their beginning, as the driver does. */
  @Breaks(
      value = "DEVMEM-09",
      also = {"DEV-10", "DEVMEM-12"})
  public static final class ExportsFromTheBeginning extends WrongDevices {
    private final Map<Long, Long> live = new ConcurrentHashMap<>();

    @Override
    @Nullable Object answer(Call call) {
      if (call.is(Device.class, "exportMemory")) {
        for (Map.Entry<Long, Long> each : live.entrySet()) {
          long offset = call.number(0) - each.getKey();
          if (offset > 0 && offset + call.number(1) <= each.getValue()) {
            return call.with(0, each.getKey()).proceed();
          }
        }
      }
      Object answer = call.proceed();
      if (call.is(Device.class, "allocate") && answer instanceof DeviceMemory memory) {
        live.put(memory.address(), memory.size());
      }
      return answer;
    }
  }

  /** Exports as much as there is where more is asked for. */
  @Breaks("DEVMEM-10")
  public static final class ExportsWhatThereIs extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return (call.is(Device.class, "exportMemory")
                  && call.number(1) > 1 << 12
                  && call.number(1) < 1 << 14
              ? call.with(1, 1L << 12)
              : call)
          .proceed();
    }
  }

  /** Says of bytes that are no handle that the driver failed. */
  @Breaks("DEVMEM-11")
  public static final class NoHandleIsADriverError extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return call.is(Device.class, "importMemory") && call.argument(0) != null
          ? call.failingWith(
              DeviceFailure.DRIVER_ERROR, DeviceFailure.INVALID_ARGUMENT, DeviceFailure.IPC_REFUSED)
          : call.proceed();
    }
  }

  /** Reads as many bytes of a handle as it needs. */
  @Breaks("DEVMEM-11")
  public static final class TakesLongHandles extends WrongDevices {
    private int size;

    @Override
    @Nullable Object answer(Call call) {
      if (call.is(Device.class, "exportMemory")) {
        byte[] handle = (byte[]) call.proceed();
        size = handle.length;
        return handle;
      }
      if (call.is(Device.class, "importMemory") && call.<byte[]>argument(0) != null) {
        byte[] handle = call.argument(0);
        return (size > 0 && handle.length > size ? call.with(0, Arrays.copyOf(handle, size)) : call)
            .proceed();
      }
      return call.proceed();
    }
  }

  /** Closes an allocation of another process with the first of its pieces. */
  @Breaks("DEVMEM-12")
  public static final class ClosesAllPieces extends WrongDevices {
    private final Map<Object, Queue<DeviceMemory>> opened = new HashMap<>();

    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      synchronized (opened) {
        if (call.is(Device.class, "importMemory") && answer instanceof DeviceMemory memory) {
          opened
              .computeIfAbsent(call.on(Device.class), device -> new ConcurrentLinkedQueue<>())
              .add(memory);
        }
        if (call.is(DeviceMemory.class, "close")) {
          for (Queue<DeviceMemory> each : List.copyOf(opened.values())) {
            if (each.contains(call.on(DeviceMemory.class))) {
              each.forEach(DeviceMemory::close);
            }
          }
        }
      }
      return answer;
    }
  }

  /** Reaches only what a peer had allocated when access was enabled. */
  @Breaks(
      value = "DEVMEM-14",
      also = {"DEV-13", "DEVSTREAM-05", "DEVSTREAM-10"})
  public static final class ReachesWhatWasThereBefore extends WrongDevices {
    private final Map<Long, Long> late = new ConcurrentHashMap<>();
    private final Set<Object> enabled = ConcurrentHashMap.newKeySet();

    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      if (call.is(Device.class, "enablePeerAccess") && call.argument(0) != call.on(Device.class)) {
        enabled.add(call.argument(0));
      }
      if (call.is(Device.class, "allocate")
          && enabled.contains(call.on(Device.class))
          && answer instanceof DeviceMemory memory) {
        late.put(memory.address(), memory.size());
      }
      if (call.is(DeviceStream.class, "fill")
          && call.on(DeviceStream.class).device().index() == 0
          && late.entrySet().stream()
              .anyMatch(each ->
                  call.number(0) - each.getKey() >= 0
                      && call.number(0) - each.getKey() < each.getValue())) {
        throw failure(DeviceFailure.INVALID_ARGUMENT);
      }
      return answer;
    }
  }
}
