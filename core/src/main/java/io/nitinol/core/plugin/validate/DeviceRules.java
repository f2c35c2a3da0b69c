// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin.validate;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.net.v6.NetProperties;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Start and devices: NET-INIT-01, NET-INIT-02, SEL-02, NET-DEV-01 to NET-DEV-06. */
final class DeviceRules {
  private static final int MAX_NAME = 255;
  private static final int KNOWN_POINTERS =
      PointerType.HOST.mask() | PointerType.CUDA.mask() | PointerType.DMABUF.mask();

  private enum Stage {
    NEW,
    STARTING,
    STARTED,
    FAILED
  }

  private final Plugin plugin;
  private final Validation validation;
  private final Map<Integer, NetProperties> properties = new ConcurrentHashMap<>();
  private volatile Stage stage;
  private volatile @Nullable String name;
  private volatile int devices = -1;

  DeviceRules(Plugin plugin, Validation validation, boolean started) {
    this.plugin = plugin;
    this.validation = validation;
    this.stage = started ? Stage.STARTED : Stage.NEW;
  }

  String name() {
    try (Call call = validation.setup.beside(Method.NAME)) {
      call.args();
      String answer;
      try {
        answer = plugin.name();
      } catch (Throwable e) {
        throw call.threw(e);
      }
      call.returned(String.valueOf(answer));
      checkName(call, answer);
      return answer;
    }
  }

  private void checkName(Call call, @Nullable String answer) {
    if (answer == null || answer.isBlank()) {
      call.plugin("SEL-02", "the name is " + (answer == null ? "null" : "blank"));
      return;
    }
    String known = name;
    if (known == null) {
      name = answer;
      if (answer.length() > MAX_NAME || answer.chars().anyMatch(Character::isISOControl)) {
        call.plugin(
            "SEL-02",
            "a name of " + answer.length() + " characters, or with control characters: " + answer);
      }
    } else if (!known.equals(answer)) {
      name = answer;
      call.plugin("SEL-02", "the name was " + known + " and is now " + answer);
    }
  }

  void init(DebugLogger logger) {
    try (Call call = validation.setup.drive(Method.INIT)) {
      call.args();
      call.admit();
      if (stage != Stage.NEW) {
        call.misuse("NET-INIT-01", "init once more; it is " + stage);
      }
      stage = Stage.STARTING;
      try {
        plugin.init(logger);
      } catch (Throwable e) {
        stage = Stage.FAILED;
        throw call.threw(e);
      }
      stage = Stage.STARTED;
      call.returned("ok");
      checkName(call, plugin.name());
    }
  }

  /** Checks that a call comes after init. */
  void requireStarted(Call call) {
    switch (stage) {
      case STARTED -> {}
      case FAILED -> call.misuse("NET-INIT-02", "init had failed");
      case NEW -> call.misuse("NET-INIT-01", "init has not been called");
      case STARTING -> call.misuse("NET-INIT-01", "init has not returned");
    }
  }

  int devices() {
    try (Call call = validation.setup.beside(Method.DEVICES)) {
      call.args();
      call.admit();
      requireStarted(call);
      int answer;
      try {
        answer = plugin.devices();
      } catch (Throwable e) {
        throw call.threw(e);
      }
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
  void requireDevice(Call call, int device) {
    if (devices < 0 && stage == Stage.STARTED && device >= 0) {
      return; // nobody has asked how many there are
    }
    if (device < 0 || device >= devices) {
      call.mistake("NET-DEV-03", "device " + device + " of " + Math.max(devices, 0));
    }
  }

  NetProperties getProperties(int device) {
    try (Call call = validation.setup.beside(Method.GET_PROPERTIES)) {
      call.args("device", device);
      call.admit();
      requireStarted(call);
      requireDevice(call, device);
      NetProperties answer;
      try {
        answer = plugin.getProperties(device);
      } catch (Throwable e) {
        throw call.threw(e);
      }
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

  private void check(Call call, int device, @Nullable NetProperties answer) {
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
    String path = answer.pciPath();
    if (path != null && !exists(path)) {
      call.plugin("NET-DEV-06", "device " + device + " has pciPath " + path);
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
