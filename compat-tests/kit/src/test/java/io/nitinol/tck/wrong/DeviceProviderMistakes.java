// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceException;
import io.nitinol.spi.device.v1.DeviceFailure;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceLink;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceProvider;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.MemoryKind;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Device providers that are wrong about themselves, their devices, errors and threads. */
public final class DeviceProviderMistakes {
  private DeviceProviderMistakes() {}

  private static void startThread(String name, boolean daemon) {
    CountDownLatch never = new CountDownLatch(1);
    Thread.ofPlatform()
        .name(name)
        .daemon(daemon)
        .start(() -> {
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  /** Starts a thread when it is constructed. */
  @Breaks("DEV-01")
  public static final class StartsAThreadWhenMade extends WrongDevices {
    public StartsAThreadWhenMade() {
      startThread("cpu-early", true);
    }

    @Override
    @Nullable Object answer(Call call) {
      return call.proceed();
    }
  }

  /** Needs its driver for its priority. */
  @Breaks(value = "DEV-01", also = "DEV-02")
  public static final class AsksItsDriverForThePriority extends WrongDevices {
    private volatile boolean loaded;

    @Override
    @Nullable Object answer(Call call) {
      loaded |= call.is(DeviceProvider.class, "unavailable");
      if (call.is(DeviceProvider.class, "priority") && !loaded) {
        throw failure(DeviceFailure.DRIVER_ERROR);
      }
      return call.proceed();
    }
  }

  /** Has a name with a space. */
  @Breaks("DEV-02")
  public static final class NameWithASpace extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return call.is(DeviceProvider.class, "name") ? "the twin" : call.proceed();
    }
  }

  /** Wants to be chosen more and more. */
  @Breaks("DEV-02")
  public static final class PriorityGrows extends WrongDevices {
    private final AtomicInteger asked = new AtomicInteger();

    @Override
    @Nullable Object answer(Call call) {
      return call.is(DeviceProvider.class, "priority") ? asked.getAndIncrement() : call.proceed();
    }
  }

  /** Throws where it has a reason. */
  @Breaks("DEV-03")
  public static final class UnavailableThrows extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      if (call.is(DeviceProvider.class, "unavailable")) {
        throw failure(DeviceFailure.DRIVER_ERROR);
      }
      return call.proceed();
    }
  }

  /** Finds a reason when it is asked again. */
  @Breaks(value = "DEV-03", also = "DEV-04")
  public static final class ReasonComesLater extends WrongDevices {
    private final AtomicInteger asked = new AtomicInteger();

    @Override
    @Nullable Object answer(Call call) {
      return call.is(DeviceProvider.class, "unavailable") && asked.getAndIncrement() > 0
          ? "the card has been removed"
          : call.proceed();
    }
  }

  /** Has devices though it cannot work. */
  @Breaks("DEV-04")
  public static final class UnavailableWithDevices extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return call.is(DeviceProvider.class, "unavailable") ? "no driver" : call.proceed();
    }
  }

  /** Makes its devices anew each time. */
  @Breaks(
      value = "DEV-05",
      also = {"DEV-14", "DEVMEM-01", "DEVSTREAM-09", "DEVSTREAM-13", "DEVSTREAM-14", "DEVTEAM-02"})
  public static final class NewDevicesEachTime extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      if (!call.is(DeviceProvider.class, "devices")) {
        return answer;
      }
      List<Object> fresh = new ArrayList<>();
      ((List<?>) answer).forEach(device -> fresh.add(proxy(Device.class, device)));
      return fresh;
    }
  }

  /** Keeps the memory of its devices to itself, which it calls host memory. */
  @Breaks("DEV-06")
  public static final class HostMemoryWithoutSegments extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      boolean hidden =
          call.is(DeviceMemory.class, "segment")
              && call.on(DeviceMemory.class).kind() == MemoryKind.DEVICE;
      return hidden ? null : call.proceed();
    }
  }

  /** Writes PCI addresses in capitals. */
  @Breaks("DEV-07")
  public static final class PciIdInCapitals extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return call.is(Device.class, "pciId") ? "0000:4E:00.0" : call.proceed();
    }
  }

  /** Takes the model for the identity. */
  @Breaks("DEV-08")
  public static final class OneUuidForAll extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return call.is(Device.class, "uuid") ? "CPU-TWIN" : call.proceed();
    }
  }

  /** Has other identities in each process. */
  @Breaks("DEV-08")
  public static final class UuidOfTheProcess extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      return call.is(Device.class, "uuid") ? answer + "-" + ProcessHandle.current().pid() : answer;
    }
  }

  /** Reaches itself by a bus. */
  @Breaks("DEV-09")
  public static final class LinkToItselfIsPci extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      return answer instanceof DeviceLink ? new DeviceLink(DeviceLink.Kind.PCI, 0, false) : answer;
    }
  }

  /** Enables access once, as the driver does, and fails then. */
  @Breaks(value = "DEV-09", also = "DEVKERNEL-05")
  public static final class EnablesAccessOnce extends WrongDevices {
    private final Map<List<Object>, Boolean> enabled = new ConcurrentHashMap<>();

    @Override
    @Nullable Object answer(Call call) {
      Object answer = call.proceed();
      if (call.is(Device.class, "enablePeerAccess")
          && enabled.put(List.of(call.on(Device.class), call.argument(0)), true) != null) {
        throw failure(DeviceFailure.DRIVER_ERROR);
      }
      return answer;
    }
  }

  /** Promises streams of other libraries, and takes none. */
  @Breaks(value = "DEV-10", also = "DEVSTREAM-13")
  public static final class PromisesForeignStreams extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      if (call.is(Device.class, "wrapStream")) {
        throw failure(DeviceFailure.UNSUPPORTED);
      }
      return call.proceed();
    }
  }

  /** Denies graphs, and makes them. */
  @Breaks("DEV-10")
  public static final class DeniesGraphs extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return call.is(Device.class, "supports") && call.argument(0) == DeviceFeature.GRAPHS
          ? false
          : call.proceed();
    }
  }

  /** Does not look whether an event is there. */
  @Breaks("DEV-12")
  public static final class NullPointer extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      if (call.is(DeviceStream.class, "record") && call.argument(0) == null) {
        throw new NullPointerException("event");
      }
      return call.proceed();
    }
  }

  /** Says of a wrong argument that the driver failed. */
  @Breaks("DEV-12")
  public static final class BlamesItsDriver extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      return call.is(Device.class, "canAccess", "link", "enablePeerAccess")
          ? call.failingWith(DeviceFailure.DRIVER_ERROR, DeviceFailure.INVALID_ARGUMENT)
          : call.proceed();
    }
  }

  /** Writes a byte before it finds out that the size is negative. */
  @Breaks(value = "DEV-13", also = "DEVSTREAM-06")
  public static final class WritesAndThenFails extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      if (call.is(DeviceStream.class, "fill") && call.number(2) < 0) {
        call.on(DeviceStream.class).fill(call.number(0), (byte) 0x5A, 1);
      }
      return call.proceed();
    }
  }

  /** Takes work for a stream that is closed, and does none of it. */
  @Breaks("DEV-14")
  public static final class TakesWorkAfterClose extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      if (!call.is(DeviceStream.class, "copy", "fill", "record")) {
        return call.proceed();
      }
      try {
        return call.proceed();
      } catch (DeviceException e) {
        if (e.failure() == DeviceFailure.INVALID_STATE) {
          return null;
        }
        throw e;
      }
    }
  }

  /** Frees memory once more when it is closed once more. */
  @Breaks("DEV-14")
  public static final class FreesTwice extends WrongDevices {
    private final Set<Object> closed = new HashSet<>();

    @Override
    @Nullable Object answer(Call call) {
      if (call.is(DeviceMemory.class, "close")) {
        synchronized (closed) {
          if (!closed.add(call.on(DeviceMemory.class))) {
            throw failure(DeviceFailure.DRIVER_ERROR);
          }
        }
      }
      return call.proceed();
    }
  }

  /** Serves a stream on the thread that made it, and drops what comes from others. */
  @Breaks("DEV-16")
  public static final class KnowsOneThread extends WrongDevices {
    private final Map<Object, Thread> makers = new ConcurrentHashMap<>();

    @Override
    @Nullable Object answer(Call call) {
      if (call.is(DeviceStream.class, "copy", "fill")
          && makers.computeIfAbsent(call.on(DeviceStream.class), stream -> Thread.currentThread())
              != Thread.currentThread()) {
        return null;
      }
      return call.proceed();
    }
  }

  /** Has a thread that keeps the process. */
  @Breaks("DEV-17")
  public static final class ThreadKeepsTheProcess extends WrongDevices {
    private final AtomicInteger streams = new AtomicInteger();

    @Override
    @Nullable Object answer(Call call) {
      if (call.is(Device.class, "createStream") && streams.getAndIncrement() == 0) {
        startThread("cpu-watch", false);
      }
      return call.proceed();
    }
  }

  /** Starts a thread for each stream. */
  @Breaks("DEV-17")
  public static final class ThreadForEachStream extends WrongDevices {
    @Override
    @Nullable Object answer(Call call) {
      if (call.is(Device.class, "createStream")) {
        startThread("cpu-stream", true);
      }
      return call.proceed();
    }
  }

  /** Greets. */
  @Breaks("DEV-18")
  public static final class Prints extends WrongDevices {
    @Override
    @SuppressWarnings("SystemOut")
    @Nullable Object answer(Call call) {
      if (call.is(DeviceProvider.class, "unavailable")) {
        System.out.println("twin: found 4 devices");
      }
      return call.proceed();
    }
  }

  /** Opens a file for each event and never closes it. */
  @Breaks("DEV-19")
  public static final class LeavesDescriptors extends WrongDevices {
    private static final List<FileInputStream> OPEN = new ArrayList<>();

    @Override
    @Nullable Object answer(Call call) {
      if (call.is(Device.class, "createEvent")) {
        synchronized (OPEN) {
          try {
            OPEN.add(new FileInputStream(Path.of("/proc/self/stat").toFile()));
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      }
      return call.proceed();
    }
  }
}
