// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.NetContext;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Name, start and contexts: SEL-02, NET-INIT-01, NET-INIT-02, NET-INIT-08 to NET-INIT-11. */
final class StartValidation {
  private static final int MAX_NAME = 255;

  private enum Stage {
    NEW,
    STARTING,
    STARTED,
    FAILED
  }

  private final ValidatedPlugin plugin;
  private final Validation validation;
  private final Set<NetContext> alive =
      Collections.newSetFromMap(new IdentityHashMap<>()); // guarded by itself
  private final AtomicLong numbers = new AtomicLong();
  private volatile Stage stage;
  private volatile @Nullable String name;

  StartValidation(ValidatedPlugin plugin, Validation validation, boolean started) {
    this.plugin = plugin;
    this.validation = validation;
    this.stage = started ? Stage.STARTED : Stage.NEW;
  }

  String name() {
    try (ValidatedCall call = validation.setup.beside(PluginMethod.NAME)) {
      call.begins();
      String answer = call.ask(plugin::name);
      call.returned(String.valueOf(answer));
      checkName(call, answer);
      return answer;
    }
  }

  private void checkName(ValidatedCall call, @Nullable String answer) {
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

  /** Opens a context by {@code init}. */
  NetContext init(Supplier<NetContext> init) {
    try (ValidatedCall call = validation.setup.drive(PluginMethod.INIT, "NET-INIT-01")) {
      call.begins();
      call.admit();
      boolean first = stage != Stage.STARTED;
      if (stage == Stage.FAILED) {
        call.misuse("NET-INIT-02", "init once more; it had failed");
      }
      stage = first ? Stage.STARTING : Stage.STARTED;
      NetContext answer;
      try {
        answer = init.get();
      } catch (Throwable e) {
        stage = first ? Stage.FAILED : Stage.STARTED;
        throw call.threw(e);
      }
      stage = Stage.STARTED;
      call.returned(answer == null ? "null" : "a context");
      checkName(call, plugin.name());
      return made(call, answer);
    }
  }

  private NetContext made(ValidatedCall call, NetContext answer) {
    if (answer == null) {
      call.plugin("NET-INIT-09", "init returned null in place of a context");
      return answer;
    }
    boolean other;
    synchronized (alive) {
      other = !alive.add(answer);
    }
    if (other) {
      call.plugin("NET-INIT-09", "init returned a context that is another communicator's");
    }
    return new ContextState(validation, numbers.incrementAndGet(), answer);
  }

  void finish(NetContext context) {
    if (!(context instanceof ContextState own) || own.validation != validation) {
      try (ValidatedCall call = validation.setup.beside(PluginMethod.FINALIZE)) {
        call.begins();
        call.mistake("NET-ERR-02", "the context is not of this network: " + context);
        finish(call, Tokens.plugins(context), false);
      }
      return;
    }
    try (ValidatedCall call = own.drive(PluginMethod.FINALIZE, "NET-INIT-01").cleansUp()) {
      call.begins();
      if (own.closed) {
        call.mistake("NET-INIT-11", "the context was finalized before");
        finish(call, own.plugins, false);
        return;
      }
      call.admit();
      int open = own.open.get();
      if (open > 0) {
        call.caller("NET-INIT-10", open + " listeners and comms are open in the context");
      }
      own.closed = true;
      synchronized (alive) {
        alive.remove(own.plugins);
      }
      finish(call, own.plugins, true);
    }
  }

  private void finish(ValidatedCall call, NetContext plugins, boolean open) {
    try {
      plugin.finalizeContext(plugins);
    } catch (Throwable e) {
      RuntimeException thrown = call.threw(e);
      if (open && e instanceof NetException net && net.result() == ResultCode.INVALID_ARGUMENT) {
        call.plugin("NET-INIT-08", "refused to finalize what is open: " + net.getMessage());
      }
      throw thrown;
    }
    call.returned("ok");
  }

  /** Checks that a call comes after init. */
  void requireStarted(ValidatedCall call) {
    switch (stage) {
      case STARTED -> {}
      case FAILED -> call.misuse("NET-INIT-02", "init had failed");
      case NEW -> call.misuse("NET-INIT-01", "init has not been called");
      case STARTING -> call.misuse("NET-INIT-01", "init has not returned");
    }
  }

  boolean isStarted() {
    return stage == Stage.STARTED;
  }

  /** Checks the context of a call; returns what is known of it, or null where it is foreign. */
  @Nullable ContextState requireContext(ValidatedCall call, NetContext context) {
    if (!(context instanceof ContextState own) || own.validation != validation) {
      call.mistake("NET-ERR-02", "the context is not of this network: " + context);
      return null;
    }
    if (own.closed) {
      call.mistake("NET-INIT-11", "the context has been finalized");
    }
    return own;
  }

  /** Checks the context of a call that a plugin may leave alone, and then refuses nothing. */
  void requireContextForHints(ValidatedCall call, NetContext context) {
    if (!(context instanceof ContextState own) || own.validation != validation || own.closed) {
      call.oversight("NET-INIT-10", "hints about a context that is not open here: " + context);
    }
  }
}
