// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetDeviceType;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Networks whose call is right, but for what it has changed for the calls that follow. */
public final class AfterwardsMistakes {
  /** The largest class that is one. */
  private static final int CLASSES = 63;

  private AfterwardsMistakes() {}

  private static NetException noClass(NetCommConfig config) {
    return new NetException(ResultCode.INVALID_USAGE, "no class " + config.trafficClass());
  }

  /** Counts a context down that it refuses to finalize, and shuts down when none is left. */
  @Breaks("NET-INIT-11")
  public static final class CountsARefusedFinalize extends WrongNewestNet {
    private int open;

    @Override
    public NetContext init(
        long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
      NetContext context = super.init(commId, config, logger, profiler);
      open++;
      return context;
    }

    @Override
    public void finalizeContext(NetContext context) {
      try {
        super.finalizeContext(context);
      } finally {
        open--;
      }
    }

    @Override
    public ListenComm listen(NetContext context, int device, MemorySegment handle) {
      if (open <= 0) {
        throw new NetException(ResultCode.INVALID_ARGUMENT, "no device " + device);
      }
      return super.listen(context, device, handle);
    }
  }

  /** Keeps the class of the context that was made last for all contexts. */
  @Breaks("NET-INIT-12")
  public static final class KeepsTheLatestClass extends WrongNewestNet {
    private NetCommConfig latest = NetCommConfig.DEFAULT;

    @Override
    public NetContext init(
        long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
      NetContext context = super.init(commId, NetCommConfig.DEFAULT, logger, profiler);
      latest = config;
      return context;
    }

    @Override
    public @Nullable SendComm connect(
        NetContext context,
        int device,
        MemorySegment handle,
        @Nullable DeviceHandle[] deviceHandle) {
      if (latest.trafficClass() > CLASSES) {
        throw noClass(latest);
      }
      return super.connect(context, device, handle, deviceHandle);
    }
  }

  /** Starts a thread for a class, and looks afterwards whether there is such a class. */
  @Breaks("NET-INIT-02")
  public static final class StartsBeforeItRefuses extends WrongNewestNet {
    @Override
    public NetContext init(
        long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
      if (config.trafficClass() > CLASSES) {
        Thread.ofPlatform().daemon().name("pacer").start(StartsBeforeItRefuses::pace);
        throw noClass(config);
      }
      return super.init(commId, config, logger, profiler);
    }

    private static void pace() {
      try {
        Thread.sleep(Duration.ofHours(1));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Answers with the device that it has made of the same parts before. */
  @Breaks("NET-VDEV-01")
  public static final class MakesEachDeviceOnce extends WrongNewestNet {
    private final Map<VirtualDevice, Integer> made = new ConcurrentHashMap<>();

    @Override
    public int makeVDevice(VirtualDevice devices) {
      return made.computeIfAbsent(devices, super::makeVDevice);
    }

    @Override
    public void finalizeContext(NetContext context) {
      super.finalizeContext(context);
      made.values().removeIf(number -> number >= devices());
    }
  }

  /** Promises for a virtual device the receives of all its parts, and takes those of one. */
  @Breaks("NET-VDEV-03")
  public static final class AddsUpReceives extends WrongNewestNet {
    @Override
    public NetProperties getProperties(int device) {
      NetProperties p = super.getProperties(device);
      return new NetProperties(
          p.name(),
          p.pciPath(),
          p.guid(),
          p.ptrSupport(),
          p.regIsGlobal(),
          p.forceFlush(),
          p.speed(),
          p.port(),
          p.latency(),
          p.maxComms(),
          p.maxRecvs() * p.virtualDevice().devices().size(),
          p.netDeviceType(),
          p.netDeviceVersion(),
          p.virtualDevice(),
          p.maxP2pBytes(),
          p.maxCollBytes(),
          p.maxMultiRequestSize(),
          p.railId(),
          p.planeId());
    }
  }

  /** Describes each comm that connect answers with, as one whose data the host moves. */
  @Breaks("NET-OPT-04")
  public static final class DescribesEachComm extends WrongNewestNet {
    @Override
    public @Nullable SendComm connect(
        NetContext context,
        int device,
        MemorySegment handle,
        @Nullable DeviceHandle[] deviceHandle) {
      SendComm comm = super.connect(context, device, handle, deviceHandle);
      if (comm != null && deviceHandle.length > 0) {
        deviceHandle[0] = new DeviceHandle(NetDeviceType.HOST, 0, 0, 0, false);
      }
      return comm;
    }
  }
}
