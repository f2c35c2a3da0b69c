// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A plugin that was loaded, lifted to the newest version, and how far it has come. Its {@code init}
 * is called at most once, by the first thread that asks; others that ask at the same time wait for
 * the outcome.
 *
 * @param <P> the newest version's interface
 */
@AnyThread
final class Candidate<P> {
  private static final long SUBSYSTEMS = LogSubsystem.INIT.mask() | LogSubsystem.NET.mask();

  /**
   * The most devices that a plugin may have: NCCL's topology has room for 640 of one kind on a host
   * (NCCL_TOPO_MAX_NODES of NCCL 2.30). More is a mistake, and asking each would never end.
   */
  static final int MAX_DEVICES = 640;

  /** What the state says already. */
  private static final Pattern NO_DEVICE = Pattern.compile("^no devices?: *");

  private final VersionLadder<P> ladder;
  private final P plugin;
  private final OfferedPlugin offered;
  private final String name;
  private final int version;
  private final PluginOrigin origin;

  private final Map<ValidationMode, P> validating = new EnumMap<>(ValidationMode.class);
  private PluginState state = PluginState.FOUND;
  private @Nullable String reason;
  private @Nullable String mistake;
  private List<NetProperties> devices = List.of();

  /**
   * The context in which the plugin was asked whether it works. It belongs to no communicator and
   * is never finalized: a native plugin may take itself down with its last context, and the devices
   * known here would be gone between two communicators.
   */
  private @Nullable NetContext probe;

  private volatile String call = "init"; // also read by the thread that tells of slow calls

  /**
   * Makes a candidate.
   *
   * @param plugin an object of the newest version that is offered, lifted to the ladder's newest
   * @param offered all that the same origin offers under the same name
   */
  Candidate(VersionLadder<P> ladder, P plugin, OfferedPlugin offered) {
    this.ladder = ladder;
    this.plugin = plugin;
    this.offered = offered;
    this.name = offered.name();
    this.version = offered.newest().version();
    this.origin = offered.origin();
  }

  String name() {
    return name;
  }

  PluginKind kind() {
    return ladder.kind();
  }

  /** Returns the plugin as it offers itself. */
  OfferedPlugin offered() {
    return offered;
  }

  int version() {
    return version;
  }

  List<String> adapters() {
    return ladder.steps(version);
  }

  /**
   * Returns the plugin itself, or the decorator that checks its calls. There is one for all
   * communicators of the process, since they may share comms and memory.
   */
  synchronized P plugin(ValidationMode mode, DebugLogger logger) {
    VersionLadder.Network<P> network = ladder.network();
    return mode == ValidationMode.OFF || network == null
        ? plugin
        : validating.computeIfAbsent(
            mode, asked -> network.decorate(plugin, version, asked, logger));
  }

  /** Returns the plugin itself. */
  P plugin() {
    return plugin;
  }

  PluginOrigin origin() {
    return origin;
  }

  /** Returns the class loader of the plugin's class. */
  ClassLoader loader() {
    return offered.loader();
  }

  /** Returns whether {@code wanted} names this candidate; NCCL compares names in any case. */
  boolean isNamed(String wanted) {
    return name.equalsIgnoreCase(wanted);
  }

  /** Returns whether it was taken out. */
  synchronized boolean isOut() {
    return state == PluginState.REJECTED || state == PluginState.EXCLUDED;
  }

  /** Takes the candidate out before a selection has asked for it. */
  synchronized void dismiss(PluginState why, String because) {
    state = why;
    reason = because;
  }

  /**
   * Initializes the plugin and asks for its devices, the first time.
   *
   * @param logger the log the plugin gets for its lifetime
   * @return whether it can be used: initialized, with devices
   */
  synchronized boolean start(DebugLogger logger) {
    if (state == PluginState.FOUND) {
      try {
        PluginCall.runWatched(
            loader(),
            () -> ErrorText.of("%s of %s %s from %s", call, kind().label(), name, origin),
            () -> startWith(logger));
      } catch (RuntimeException | Error e) {
        fail(PluginState.INIT_FAILED, call + " failed: " + PluginCall.describe(e), logger);
        mistake =
            e instanceof NetException f && f.result() == ResultCode.INVALID_USAGE
                ? prefix() + reason
                : null;
      }
    }
    return state == PluginState.AVAILABLE;
  }

  /**
   * Returns, once, the sentence on an {@code init} that failed because of a setting
   * (INVALID_USAGE), and null else.
   */
  synchronized @Nullable String takeMistake() {
    String taken = mistake;
    mistake = null;
    return taken;
  }

  private void startWith(DebugLogger logger) {
    VersionLadder.Network<P> network = ladder.network();
    if (network == null) {
      String unavailable = ladder.unavailable(plugin);
      if (unavailable != null) {
        throw new NetException(ResultCode.SYSTEM_ERROR, unavailable);
      }
      state = PluginState.AVAILABLE;
      return;
    }
    InitLog heard = new InitLog(logger);
    try {
      probe = network.init(plugin, heard);
    } finally {
      heard.stop();
    }
    if (probe == null) {
      fail(PluginState.INIT_FAILED, "init returned no context", logger);
      return;
    }
    call = "devices()";
    int count = network.devices(plugin);
    if (count < 0 || count > MAX_DEVICES) {
      fail(
          PluginState.INIT_FAILED,
          ErrorText.of("devices() is %d, expected 0 to %d", count, MAX_DEVICES),
          logger);
      return;
    }
    if (count == 0) {
      String said = NO_DEVICE.matcher(heard.last(name)).replaceFirst("");
      if (said.isEmpty()) {
        fail(PluginState.NO_DEVICES, "init succeeded and devices() is " + count, logger);
      } else {
        dismiss(PluginState.NO_DEVICES, said);
        if (logger.isEnabled(LogLevel.INFO, SUBSYSTEMS)) {
          log(logger, prefix() + "no devices; not used by this process"); // it has just said why
        }
      }
      return;
    }
    List<NetProperties> found = new ArrayList<>();
    for (int device = 0; device < count; device++) {
      call = "getProperties(" + device + ")";
      NetProperties properties = network.properties(plugin, device);
      if (properties == null) {
        fail(PluginState.INIT_FAILED, call + " returned null", logger);
        return;
      }
      found.add(properties);
    }
    if (found.stream().noneMatch(device -> PointerType.HOST.in(device.ptrSupport()))) {
      fail(
          PluginState.NO_DEVICES,
          ErrorText.of(
              "init succeeded, but no device takes host memory, the only kind there is to send from"
                  + " here: %s",
              found.stream()
                  .map(device -> device.name() + " has ptrSupport " + device.ptrSupport())
                  .collect(Collectors.joining(", "))),
          logger);
      return;
    }
    if (found.stream().noneMatch(NetDevices::isUsable)) {
      fail(
          PluginState.NO_DEVICES,
          ErrorText.of(
              "init succeeded, but no device with host memory is driven by the host, which is all"
                  + " that there is here: %s",
              found.stream()
                  .map(device -> device.name() + " has netDeviceType " + device.netDeviceType())
                  .collect(Collectors.joining(", "))),
          logger);
      return;
    }
    devices = List.copyOf(found);
    state = PluginState.AVAILABLE;
    if (logger.isEnabled(LogLevel.INFO, SUBSYSTEMS)) {
      log(logger, prefix() + "initialized, " + describeDevices());
    }
  }

  private void fail(PluginState how, String why, DebugLogger logger) {
    state = how;
    reason = why;
    if (logger.isEnabled(LogLevel.INFO, SUBSYSTEMS)) {
      log(logger, prefix() + reason + "; not used by this process");
    }
  }

  /** Returns what is known now. */
  synchronized PluginDescription describe() {
    return new PluginDescription(
        ladder.kind(),
        name,
        offered.versions().stream().map(OfferedPlugin.Version::version).toList(),
        version,
        adapters(),
        offered.newest().implementation(),
        origin,
        state,
        reason,
        devices);
  }

  /** Returns the number of devices; 0 before {@link #start}. */
  synchronized int deviceCount() {
    return devices.size();
  }

  /** Returns the version, and that of core where it is another: {@code v6, adapted to v12}. */
  String describeVersion() {
    int newest = ladder.newestVersion();
    return "v" + version + (version == newest ? "" : ", adapted to v" + newest);
  }

  private String describeDevices() {
    StringBuilder text = new StringBuilder();
    text.append(devices.size()).append(devices.size() == 1 ? " device:" : " devices:");
    for (int i = 0; i < devices.size(); i++) {
      NetProperties device = devices.get(i);
      text.append(" [").append(i).append("] ").append(device.name());
      text.append(' ').append(device.speed()).append(" Mb/s");
    }
    return text.toString();
  }

  private String prefix() {
    String area =
        switch (ladder.kind()) {
          case NET -> "NET/";
          case COLLNET -> "COLL/";
          case KERNEL -> "KERNEL/";
          case TUNER -> "TUNER/";
          case PROFILER -> "PROFILER/";
          case DEVICE -> "DEVICE/";
        };
    return area + name + ": ";
  }

  private static void log(DebugLogger logger, String message) {
    logger.log(LogLevel.INFO, SUBSYSTEMS, Candidate.class.getSimpleName(), 0, message);
  }
}
