// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v6.NetProperties;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Networks that describe their devices wrongly. */
public final class DeviceMistakes {
  private DeviceMistakes() {}

  /** Shows one device fewer from the second time on. */
  @Breaks("NET-DEV-01")
  public static final class LosesADevice extends WrongNet {
    private final AtomicInteger calls = new AtomicInteger();

    @Override
    public int devices() {
      return calls.getAndIncrement() == 0 ? net.devices() : net.devices() - 1;
    }
  }

  /** Has a field in its properties that differs each time. */
  @Breaks(
      value = "NET-DEV-02",
      also = {"NET-THREAD-01", "NET-INIT-05"})
  public static final class CountsEachLookAtADevice extends WrongNet {
    private final AtomicInteger looks = new AtomicInteger();

    @Override
    public NetProperties getProperties(int device) {
      NetProperties p = net.getProperties(device);
      return new NetProperties(
          p.name(),
          p.pciPath(),
          p.guid(),
          p.ptrSupport(),
          p.speed(),
          looks.incrementAndGet(),
          p.latency(),
          p.maxComms(),
          p.maxRecvs());
    }
  }

  /** Reports what it measures as a property, which changes after a while. */
  @Breaks(value = "NET-DEV-02", also = "NET-THREAD-01")
  public static final class SlowsDown extends WrongNet {
    private final AtomicInteger looks = new AtomicInteger();

    @Override
    public NetProperties getProperties(int device) {
      NetProperties right = super.getProperties(device);
      return new NetProperties(
          right.name(),
          right.pciPath(),
          right.guid(),
          right.ptrSupport(),
          right.speed(),
          right.port(),
          looks.incrementAndGet() > 100 ? right.latency() + 1 : right.latency(),
          right.maxComms(),
          right.maxRecvs());
    }
  }

  /** Answers a device that does not exist with INTERNAL_ERROR. */
  @Breaks("NET-DEV-03")
  public static final class BlamesItselfForABadDevice extends WrongNet {
    @Override
    public NetProperties getProperties(int device) {
      if (device < 0 || device >= net.devices()) {
        throw new NetException(ResultCode.INTERNAL_ERROR, "no device " + device);
      }
      return net.getProperties(device);
    }
  }

  /** Says 0 where the device does not tell its speed. */
  @Breaks("NET-DEV-04")
  public static final class DoesNotKnowItsSpeed extends WrongNet {
    @Override
    public NetProperties getProperties(int device) {
      NetProperties p = net.getProperties(device);
      return new NetProperties(
          p.name(),
          p.pciPath(),
          p.guid(),
          p.ptrSupport(),
          0,
          p.port(),
          p.latency(),
          p.maxComms(),
          p.maxRecvs());
    }
  }

  /** Divides by a bandwidth of 0 and shows the result. */
  @Breaks("NET-DEV-04")
  public static final class HasNoNumberForLatency extends WrongNet {
    @Override
    public NetProperties getProperties(int device) {
      NetProperties p = net.getProperties(device);
      return new NetProperties(
          p.name(),
          p.pciPath(),
          p.guid(),
          p.ptrSupport(),
          p.speed(),
          p.port(),
          Float.NaN,
          p.maxComms(),
          p.maxRecvs());
    }
  }

  /** Leaves maxComms at 0, as if that meant any number. */
  @Breaks("NET-DEV-04")
  public static final class HasRoomForNoComms extends WrongNet {
    @Override
    public NetProperties getProperties(int device) {
      NetProperties p = net.getProperties(device);
      return new NetProperties(
          p.name(),
          p.pciPath(),
          p.guid(),
          p.ptrSupport(),
          p.speed(),
          p.port(),
          p.latency(),
          0,
          p.maxRecvs());
    }
  }

  /** Declares a kind of memory that a newer NCCL may know. */
  @Breaks("NET-DEV-05")
  public static final class SetsAnUnknownPointerBit extends WrongNet {
    @Override
    public NetProperties getProperties(int device) {
      NetProperties p = net.getProperties(device);
      return new NetProperties(
          p.name(),
          p.pciPath(),
          p.guid(),
          p.ptrSupport() | 0x8,
          p.speed(),
          p.port(),
          p.latency(),
          p.maxComms(),
          p.maxRecvs());
    }
  }

  /** Makes up a path for a virtual device. */
  @Breaks("NET-DEV-06")
  public static final class InventsAPciPath extends WrongNet {
    @Override
    public NetProperties getProperties(int device) {
      NetProperties p = net.getProperties(device);
      return new NetProperties(
          p.name(),
          "/sys/devices/pci0000:00/ffff:ff:1f.7",
          p.guid(),
          p.ptrSupport(),
          p.speed(),
          p.port(),
          p.latency(),
          p.maxComms(),
          p.maxRecvs());
    }
  }

  /** Declares CUDA since its library knows it, GPU or not. */
  @Breaks("NET-DEV-08")
  public static final class DeclaresCudaEverywhere extends WrongNet {
    @Override
    public NetProperties getProperties(int device) {
      NetProperties p = net.getProperties(device);
      return new NetProperties(
          p.name(),
          p.pciPath(),
          p.guid(),
          p.ptrSupport() | PointerType.CUDA.mask(),
          p.speed(),
          p.port(),
          p.latency(),
          p.maxComms(),
          p.maxRecvs());
    }
  }

  /** Has room for fewer comms than its maxComms says. */
  @Breaks("NET-DEV-09")
  public static final class RefusesTheHundredthComm extends WrongNet {
    private final AtomicInteger open = new AtomicInteger();

    @Override
    public @Nullable SendComm connect(int device, MemorySegment handle) {
      if (open.get() >= 100) {
        throw new NetException(ResultCode.SYSTEM_ERROR, "no room for more than 100 connections");
      }
      SendComm comm = net.connect(device, handle);
      if (comm != null) {
        open.incrementAndGet();
      }
      return comm;
    }

    @Override
    public void closeSend(SendComm comm) {
      net.closeSend(comm);
      open.decrementAndGet();
    }
  }

  /** Says of each device that it is the first one. */
  @Breaks(value = "NET-DEV-10", also = "NET-VDEV-01")
  public static final class ConsistsOfItsNeighbour extends WrongNewestNet {
    @Override
    public io.nitinol.spi.net.v12.NetProperties getProperties(int device) {
      io.nitinol.spi.net.v12.NetProperties p = super.getProperties(device);
      return new io.nitinol.spi.net.v12.NetProperties(
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
          p.maxRecvs(),
          p.netDeviceType(),
          p.netDeviceVersion(),
          VirtualDevice.physical(0),
          p.maxP2pBytes(),
          p.maxCollBytes(),
          p.maxMultiRequestSize(),
          p.railId(),
          p.planeId());
    }
  }

  /** Has room for collective operations of no bytes. */
  @Breaks(value = "NET-DEV-11", also = "NET-VDEV-03")
  public static final class ReducesNothing extends WrongNewestNet {
    @Override
    public io.nitinol.spi.net.v12.NetProperties getProperties(int device) {
      io.nitinol.spi.net.v12.NetProperties p = super.getProperties(device);
      return new io.nitinol.spi.net.v12.NetProperties(
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
          p.maxRecvs(),
          p.netDeviceType(),
          p.netDeviceVersion(),
          p.virtualDevice(),
          p.maxP2pBytes(),
          0,
          p.maxMultiRequestSize(),
          p.railId(),
          p.planeId());
    }
  }

  /** Makes a virtual device that is not among the devices. */
  @Breaks("NET-VDEV-01")
  public static final class DoesNotCountVirtualDevices extends WrongNewestNet {
    @Override
    public int devices() {
      return Math.min(2, super.devices());
    }
  }

  /** Makes a device of others than those that were named. */
  @Breaks(value = "NET-VDEV-02", also = "NET-VDEV-01")
  public static final class JoinsWhatItLikes extends WrongNewestNet {
    @Override
    public int makeVDevice(VirtualDevice devices) {
      return super.makeVDevice(new VirtualDevice(List.of(0, 1)));
    }
  }

  /** Has virtual devices for show. */
  @Breaks("NET-VDEV-03")
  public static final class VirtualDevicesDoNotConnect extends WrongNewestNet {
    @Override
    public @Nullable SendComm connect(
        NetContext context,
        int device,
        MemorySegment handle,
        @Nullable DeviceHandle[] deviceHandle) {
      if (device > 1 && device < devices()) {
        throw new NetException(ResultCode.SYSTEM_ERROR, "no port of device " + device);
      }
      return super.connect(context, device, handle, deviceHandle);
    }
  }
}
