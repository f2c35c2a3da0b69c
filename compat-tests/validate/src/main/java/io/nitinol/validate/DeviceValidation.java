// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Devices and what is optional: NET-DEV-01 to NET-DEV-06, NET-DEV-10, NET-OPT-01, NET-VDEV-*. */
final class DeviceValidation {
  /** The upper bound of sizes; mirrors {@code NCCL_MAX_NET_SIZE_BYTES}. */
  private static final long MAX_BYTES = 1L << 40;

  private static final int KNOWN_POINTERS =
      PointerType.HOST.mask() | PointerType.CUDA.mask() | PointerType.DMABUF.mask();

  private final ValidatedPlugin plugin;
  private final Validation validation;
  private final StartValidation start;
  private final Map<OptionalOperation, Boolean> supported = new ConcurrentHashMap<>();
  private final Map<Integer, NetProperties> properties = new ConcurrentHashMap<>();
  private volatile int devices = -1;

  DeviceValidation(ValidatedPlugin plugin, Validation validation, StartValidation start) {
    this.plugin = plugin;
    this.validation = validation;
    this.start = start;
  }

  int devices() {
    try (ValidatedCall call = validation.setup.beside(PluginMethod.DEVICES)) {
      call.begins();
      call.admit();
      start.requireStarted(call);
      int answer = call.ask(plugin::devices);
      call.returned("", answer);
      int known = devices;
      devices = answer;
      if (answer < 0) {
        call.plugin("NET-DEV-01", answer + " devices");
      } else if (known >= 0 && known != answer) {
        call.plugin("NET-DEV-01", known + " devices before, " + answer + " now");
      }
      return answer;
    }
  }

  /** Checks a device number that the plugin has to refuse where there is no such device. */
  void requireDevice(ValidatedCall call, int device) {
    if (devices < 0 && start.isStarted() && device >= 0) {
      return; // the caller has not asked how many there are
    }
    if (device < 0 || device >= devices) {
      call.mistake("NET-DEV-03", "device " + device + " of " + Math.max(devices, 0));
    }
  }

  NetProperties getProperties(int device) {
    try (ValidatedCall call = validation.setup.beside(PluginMethod.GET_PROPERTIES)) {
      call.with("device", device).begins();
      call.admit();
      start.requireStarted(call);
      requireDevice(call, device);
      NetProperties answer = call.ask(() -> plugin.getProperties(device));
      call.returned(String.valueOf(answer));
      check(call, device, answer);
      return answer;
    }
  }

  /** Returns the properties of a device for other rules, or null where the plugin does not tell. */
  @Nullable NetProperties known(int device) {
    NetProperties known = properties.get(device);
    if (known == null && device >= 0) {
      try {
        known = getProperties(device);
      } catch (RuntimeException e) {
        return null; // reported, or the answer to a wrong device number; the caller will see it too
      }
    }
    return known;
  }

  private void check(ValidatedCall call, int device, @Nullable NetProperties answer) {
    if (answer == null) {
      call.plugin("NET-DEV-02", "the properties of device " + device + " are null");
      return;
    }
    NetProperties before = properties.put(device, answer);
    if (before != null) {
      if (!before.equals(answer)) {
        call.plugin("NET-DEV-02", before + " before, " + answer + " now");
      }
      return;
    }
    if (answer.name() == null
        || answer.name().isBlank()
        || answer.speed() <= 0
        || !(answer.latency() >= 0)
        || Float.isInfinite(answer.latency())
        || answer.maxComms() < 1
        || answer.maxRecvs() < 1) {
      call.plugin("NET-DEV-04", "device " + device + ": " + answer);
    }
    int pointers = answer.ptrSupport();
    boolean somewhere = PointerType.HOST.in(pointers) || PointerType.CUDA.in(pointers);
    boolean dmaBufAlone = PointerType.DMABUF.in(pointers) && !PointerType.CUDA.in(pointers);
    if (!somewhere || dmaBufAlone || (pointers & ~KNOWN_POINTERS) != 0) {
      call.plugin("NET-DEV-05", "device " + device + " has ptrSupport " + pointers);
    }
    checkVirtual(call, device, answer);
    checkNumbers(call, device, answer);
    String path = answer.pciPath();
    if (path != null && !exists(path)) {
      call.plugin("NET-DEV-06", "device " + device + " has pciPath " + path);
    }
  }

  private static void checkVirtual(ValidatedCall call, int device, NetProperties answer) {
    VirtualDevice parts = answer.virtualDevice();
    if (parts == null || answer.netDeviceType() == null) {
      call.plugin("NET-DEV-10", "device " + device + ": " + answer);
    } else if (parts.devices().size() > Net.MAX_DEVS_PER_NIC
        || (parts.devices().size() == 1 && parts.devices().getFirst() != device)) {
      call.plugin("NET-DEV-10", "device " + device + " consists of devices " + parts.devices());
    }
  }

  private static void checkNumbers(ValidatedCall call, int device, NetProperties answer) {
    if (answer.maxP2pBytes() < 1
        || answer.maxP2pBytes() > MAX_BYTES
        || answer.maxCollBytes() < 1
        || answer.maxCollBytes() > MAX_BYTES
        || answer.maxMultiRequestSize() < 1
        || answer.railId() < NetProperties.ID_UNDEFINED
        || answer.planeId() < NetProperties.ID_UNDEFINED) {
      call.plugin("NET-DEV-11", "device " + device + ": " + answer);
    }
  }

  int makeVDevice(VirtualDevice parts) {
    try (ValidatedCall call = validation.setup.beside(PluginMethod.MAKE_VDEVICE)) {
      call.with(parts.devices().toString()).begins();
      call.admit();
      start.requireStarted(call);
      requireSupported(call, OptionalOperation.MAKE_VDEVICE);
      for (int device : parts.devices()) {
        requireDevice(call, device);
      }
      int before = devices;
      int answer = call.ask(() -> plugin.makeVDevice(parts));
      call.returned("device", answer);
      if (before >= 0 && answer != before) {
        call.plugin("NET-VDEV-01", "device " + answer + " is new, where there were " + before);
      }
      devices = answer + 1;
      return answer;
    }
  }

  boolean supports(OptionalOperation operation) {
    try (ValidatedCall call = validation.setup.beside(PluginMethod.SUPPORTS)) {
      call.with(operation.name()).begins();
      call.admit();
      start.requireStarted(call);
      boolean answer = call.ask(() -> plugin.supports(operation));
      call.returned(Boolean.toString(answer));
      Boolean before = supported.put(operation, answer);
      if (before != null && before != answer) {
        call.plugin("NET-OPT-01", before + " for " + operation + " before, " + answer + " now");
      }
      return answer;
    }
  }

  /** Checks that the plugin has what is called. */
  void requireSupported(ValidatedCall call, OptionalOperation operation) {
    if (!plugin.supports(operation)) {
      call.mistake(
          "NET-OPT-01", "the plugin does not support " + operation, ResultCode.INVALID_USAGE);
    }
  }

  private static boolean exists(String path) {
    try {
      return Path.of(path).isAbsolute() && Files.exists(Path.of(path));
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
