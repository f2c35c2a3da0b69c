// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

import static java.lang.foreign.ValueLayout.ADDRESS;

import io.nitinol.net.nativeabi.dl.SignalHandlers;
import io.nitinol.net.nativeabi.ffi.StructTable;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogLevel;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A struct that a native library exports: its name, its functions, and what is said when one of
 * them fails. There is one object for each struct of the process, however many Java plugins are
 * made of it: the C plugin's state is the process's too.
 *
 * <p>Before {@code init} only the name and {@code init} are looked at: plugins fill in the rest
 * while they start, and may change the name. Everything is read again afterwards.
 *
 * @param <F> the functions of the struct
 */
public final class NativePlugin<F extends Enum<F>> {
  private static final int MAX_NAME = 256;

  private final StructTable<F> table;
  private final MemorySegment struct;
  private final String file;
  private final String name;
  private final PluginLog log;
  private volatile String saysItsName;
  private boolean started;
  private volatile boolean toldOfSizes;
  private @Nullable NetException startFailure;

  private NativePlugin(
      StructTable<F> table, MemorySegment struct, String file, String name, String ownName) {
    this.table = table;
    this.struct = struct;
    this.file = file;
    this.name = name;
    this.saysItsName = ownName;
    this.log = new PluginLog(name);
  }

  /** Looks at a struct that is the only one of its library. */
  public static <F extends Enum<F>> NativePlugin<F> of(
      StructTable<F> table, MemorySegment symbol, String file) {
    return of(table, symbol, file, null);
  }

  /**
   * Looks at a struct that is not initialized.
   *
   * @param symbol the address of the struct
   * @param file the library's file, for messages
   * @param known the name that the plugin has by another struct of its library; null if this is the
   *     first
   * @throws NetException INTERNAL_ERROR when the name or {@code init} is not usable
   */
  public static <F extends Enum<F>> NativePlugin<F> of(
      StructTable<F> table, MemorySegment symbol, String file, @Nullable String known) {
    MemoryMap memory = MemoryMap.now();
    String where = table.symbol() + " in " + file;
    if (memory.readable(symbol.address(), table.byteSize()) < table.byteSize()) {
      throw broken(where + " is not " + table.byteSize() + " bytes of readable memory");
    }
    MemorySegment struct = symbol.reinterpret(table.byteSize());
    String name = memory.text(struct.get(ADDRESS, 0).address(), MAX_NAME);
    if (name == null || name.isBlank()) {
      throw broken(where + " has no name: expected a text of fewer than " + MAX_NAME + " bytes");
    }
    NativePlugin<F> plugin =
        new NativePlugin<>(table, struct, file, known == null ? name : known, name);
    plugin.requireCode(memory, List.of(table.functions().getFirst()));
    return plugin;
  }

  /** Returns the layout of the struct. */
  public StructTable<F> table() {
    return table;
  }

  /** Returns the name that the plugin had when it was loaded; it keeps it. */
  public String name() {
    return name;
  }

  /** Returns the log that the plugin is given. */
  public PluginLog log() {
    return log;
  }

  /** Returns the address of a function; {@link MemorySegment#NULL} where the plugin has none. */
  public MemorySegment function(F function) {
    return table.has(function) ? struct.get(ADDRESS, table.offset(function)) : MemorySegment.NULL;
  }

  /** Returns whether the plugin has a function. */
  public boolean has(F function) {
    return function(function).address() != 0;
  }

  /**
   * Initializes the plugin the first time, for all Java plugins that are made of it; the others get
   * the same outcome.
   *
   * @param call calls {@code init} with a function address and returns its result
   */
  synchronized void startOnce(DebugLogger logger, InitCall call) {
    log.to(logger);
    if (!started) {
      started = true;
      try {
        start(logger, call);
      } catch (NetException e) {
        startFailure = e;
      }
    }
    if (startFailure != null) {
      throw new NetException(
          startFailure.result(), String.valueOf(startFailure.getMessage()), startFailure);
    }
  }

  /** Initializes the plugin, as versions with contexts are for every communicator. */
  public synchronized void start(DebugLogger logger, InitCall call) {
    log.to(logger);
    F init = table.functions().getFirst();
    int result;
    List<String> putBack;
    try (Arena arena = Arena.ofConfined()) {
      SignalHandlers before = SignalHandlers.now(arena);
      result = call.call(function(init));
      putBack = before.restore();
    }
    if (!putBack.isEmpty()) {
      log.warn(
          ErrorText.of(
              "%s of %s has set handlers for %s; those that the JVM needs are back",
              init, this, String.join(", ", putBack)));
    }
    check(result, init, "");
    String now = MemoryMap.now().text(struct.get(ADDRESS, 0).address(), MAX_NAME);
    if (now != null && !now.isBlank() && !now.equals(saysItsName)) {
      saysItsName = now;
      logger.info(
          LogSubsystem.NET,
          name,
          "NET/" + name + " from " + file + " calls itself " + now + " now");
    }
    if (logger.isEnabled(LogLevel.TRACE, LogSubsystem.NET.mask())) {
      logger.log(LogLevel.TRACE, LogSubsystem.NET.mask(), name, 0, this + " is initialized");
    }
  }

  /**
   * Ends a context. It comes one at a time with {@link #start}, also where several objects stand
   * for this library.
   *
   * @param function the plugin's finalize
   * @param context what its init returned
   */
  synchronized void finish(F function, long context) {
    check(NativeCalls.p(function(function), context), function, "");
  }

  /** Calls {@code init}. */
  @FunctionalInterface
  public interface InitCall {
    /** Calls the function at this address, and returns its result. */
    int call(MemorySegment function);
  }

  /**
   * Refuses a plugin that lacks functions which are called without asking.
   *
   * @throws NetException INTERNAL_ERROR that names them
   */
  public void requireCode(List<F> functions) {
    requireCode(MemoryMap.now(), functions);
  }

  private void requireCode(MemoryMap memory, List<F> functions) {
    List<String> missing = new ArrayList<>();
    for (F function : functions) {
      long address = function(function).address();
      if (!memory.isCode(address)) {
        missing.add(function + (address == 0 ? " is null" : " is 0x" + Long.toHexString(address)));
      }
    }
    if (!missing.isEmpty()) {
      throw broken(
          ErrorText.of(
              "%s in %s is not complete: %s, where a function is expected",
              table.symbol(), file, String.join(", ", missing)));
    }
  }

  /**
   * Fails unless a call succeeded.
   *
   * @param result what the plugin returned
   * @param where the device or the like, as in {@code " on device 0"}; may be empty
   * @throws NetException with the plugin's code
   */
  public void check(int result, F function, String where) {
    if (result != 0) {
      throw failure(result, function, where);
    }
  }

  /** Returns the exception for a result that is not success. */
  public NetException failure(int result, F function, String where) {
    ResultCode code = ResultCode.ofCode(result);
    String returned = code == null ? result + ", which is no ncclResult_t" : ncclName(code);
    String message =
        ErrorText.of("%s%s of %s returned %s%s", function, where, this, returned, lastWarning());
    // IN_PROGRESS is a state of an operation and no answer to a call.
    return code == null || code == ResultCode.SUCCESS || code == ResultCode.IN_PROGRESS
        ? broken(message)
        : new NetException(code, message);
  }

  /** Returns the exception for a call that succeeded and left something it must not leave. */
  public NetException defect(F function, String where, String what) {
    return broken(ErrorText.of("%s%s of %s %s%s", function, where, this, what, lastWarning()));
  }

  private String lastWarning() {
    String warning = log.takeWarning();
    return warning == null ? "" : "; its last warning: " + warning;
  }

  /** Tells, once, that a test has left the size of a message unwritten. */
  void tellOfSizes(F function) {
    if (!toldOfSizes) {
      toldOfSizes = true;
      log.warn(
          ErrorText.of(
              "%s of %s does not say how long received messages are; each is taken to fill "
                  + "its memory, as NCCL does",
              function, this));
    }
  }

  /** Logs a failure that has no caller to throw to. */
  void warn(NetException e) {
    log.warn(String.valueOf(e.getMessage()));
  }

  /** Fails when the guards of what a function wrote to are damaged. */
  void requireIntact(GuardedMemory memory, F function, String where, String what) {
    String damage = memory.damage();
    if (damage != null) {
      throw defect(function, where, damage + " bytes of " + what);
    }
  }

  private static NetException broken(String message) {
    return new NetException(ResultCode.INTERNAL_ERROR, message);
  }

  /** Returns NCCL's name of a result: {@code ncclSystemError (2)}. */
  static String ncclName(ResultCode code) {
    StringBuilder text = new StringBuilder("nccl");
    for (String word : code.name().split("_", -1)) {
      text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return text.append(" (").append(code.code()).append(')').toString();
  }

  /** Returns a description of the plugin: its names, its file and the struct. */
  @Override
  public String toString() {
    String now = saysItsName;
    String alias = now.equals(name) ? "" : " alias " + now;
    return ErrorText.of("%s%s (%s in %s)", name, alias, table.symbol(), file);
  }
}
