// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import java.util.function.ToLongBiFunction;
import org.jspecify.annotations.Nullable;

/** Registration: NET-REG-*, and whether the memory is alive (NET-MEM-01). */
final class RegistrationValidation {
  /** Never started; memory that it may access is not a confined arena's. */
  private static final Thread ANYBODY = Thread.ofPlatform().unstarted(() -> {});

  private final ValidatedPlugin plugin;
  private final Validation validation;

  RegistrationValidation(ValidatedPlugin plugin, Validation validation) {
    this.plugin = plugin;
    this.validation = validation;
  }

  MemoryHandle regMr(Comm comm, Memory memory) {
    try (ValidatedCall call = begin(PluginMethod.REG_MR, comm)) {
      call.with(CallArguments.ADDRESS, memory.address()).with("size", memory.size()).begins();
      call.admit();
      CommState state = checkComm(call, comm);
      checkMemory(call, memory);
      if (memory.size() > validation.maxRegistration()) {
        call.mistake("NET-REG-03", memory.size() + " bytes in one registration");
      }
      NetProperties properties = state == null ? null : state.properties;
      if (properties != null && !memory.type().in(properties.ptrSupport())) {
        call.mistake(
            "NET-REG-02", memory.type() + " where ptrSupport is " + properties.ptrSupport());
      }
      MemoryHandle answer = call.ask(() -> plugin.regMr(Tokens.plugins(comm), memory));
      return made(call, state, memory, answer);
    }
  }

  long getDeviceMr(Comm comm, MemoryHandle handle, ToLongBiFunction<Comm, MemoryHandle> get) {
    try (ValidatedCall call = begin(PluginMethod.GET_DEVICE_MR, comm)) {
      call.begins();
      call.admit();
      checkComm(call, comm);
      long answer = call.ask(() -> get.applyAsLong(Tokens.plugins(comm), Tokens.plugins(handle)));
      call.returned(CallArguments.ADDRESS, answer);
      return answer;
    }
  }

  MemoryHandle regMrDmaBuf(Comm comm, Memory memory, long offset, int fd) {
    try (ValidatedCall call = begin(PluginMethod.REG_MR_DMA_BUF, comm)) {
      call.with(CallArguments.ADDRESS, memory.address())
          .with("size", memory.size())
          .with("fd", fd)
          .begins();
      call.admit();
      CommState state = checkComm(call, comm);
      checkMemory(call, memory);
      NetProperties properties = state == null ? null : state.properties;
      if (properties != null && !PointerType.DMABUF.in(properties.ptrSupport())) {
        call.mistake(
            "NET-REG-11",
            "the device does not have DMABUF in its ptrSupport",
            ResultCode.INVALID_USAGE);
      }
      MemoryHandle answer =
          call.ask(() -> plugin.regMrDmaBuf(Tokens.plugins(comm), memory, offset, fd));
      return made(call, state, memory, answer);
    }
  }

  void deregMr(Comm comm, MemoryHandle handle) {
    try (ValidatedCall call = begin(PluginMethod.DEREG_MR, comm).cleansUp()) {
      call.begins();
      call.admit();
      CommState state = checkComm(call, comm);
      boolean used = false;
      if (!(handle instanceof Registration own) || own.state.validation != validation) {
        call.mistake("NET-ERR-02", "the memory handle is not of this network: " + handle);
      } else if (own.state != state && state != null && own.state.shares(state)) {
        call.caller("NET-REG-14", "a handle of " + own.state + ", which it has to be undone with");
      } else if (own.state != state) {
        call.mistake("NET-REG-06", "a handle of " + own.state);
      } else if (own.dead) {
        call.mistake("NET-REG-07", "the handle was undone before");
      } else {
        used = checkUndone(call, own);
      }
      try {
        plugin.deregMr(Tokens.plugins(comm), Tokens.plugins(handle));
      } catch (Throwable e) {
        RuntimeException thrown = call.threw(e);
        if (used) {
          call.plugin("NET-REG-09", "deregMr with operations in flight threw " + e);
        }
        throw thrown;
      }
      call.returned("ok");
    }
  }

  /** Checks a handle that is going to be undone; returns whether operations use it. */
  private static boolean checkUndone(ValidatedCall call, Registration registration) {
    CommState state = registration.state;
    if (registration.isNewlyGone()) {
      call.caller("NET-MEM-01", "the memory of the " + registration + " has been freed");
    }
    if (registration.usersElsewhere.get() > 0) {
      call.caller("NET-REG-14", "operations of other comms use the handle");
    }
    boolean used = state.operations.users(registration) > 0;
    if (used) {
      state.tearingDown = true;
    }
    state.remove(registration); // even if the plugin throws (NET-REG-07)
    return used;
  }

  private ValidatedCall begin(PluginMethod method, Comm comm) {
    CommState state = stateOf(comm);
    return state != null ? state.register(method) : validation.setup.beside(method);
  }

  /** Returns what is known of a comm, or null for one that is not of this network. */
  private @Nullable CommState stateOf(Comm comm) {
    return comm instanceof Tokens.OfComm own && own.state().validation == validation
        ? own.state()
        : null;
  }

  private @Nullable CommState checkComm(ValidatedCall call, Comm comm) {
    CommState state = stateOf(comm);
    if (state == null) {
      call.mistake("NET-ERR-02", "the comm is not of this network: " + comm);
    }
    return state;
  }

  private static void checkMemory(ValidatedCall call, Memory memory) {
    if (memory.size() < 1) {
      call.caller("NET-REG-01", memory.size() + " bytes to register");
    }
    MemorySegment segment = memory.segment();
    if (segment == null) {
      return;
    }
    if (!segment.scope().isAlive()) {
      call.caller("NET-MEM-01", "the memory to register has been freed: " + memory);
    } else if (!segment.isAccessibleBy(ANYBODY)) {
      call.caller("NET-REG-01", "only one thread can access the memory to register: " + segment);
    }
  }

  private MemoryHandle made(
      ValidatedCall call, @Nullable CommState state, Memory memory, MemoryHandle answer) {
    call.returned(answer == null ? "null" : "a handle");
    if (answer == null) {
      call.plugin("NET-ERR-01", "returned null in place of a handle, and threw nothing");
      return answer;
    }
    if (state == null) {
      return answer;
    }
    Registration registration =
        new Registration(state, answer, memory, validation.areas.register(memory));
    Registration other = state.add(registration);
    if (other != null) {
      call.plugin(
          "NET-REG-04", "returned the handle of another " + other + ", which is registered");
    }
    return registration;
  }
}
