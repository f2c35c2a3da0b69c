// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of the plugin while it runs: what the caller did wrong is reported first, then the
 * plugin is called, then its answer is checked. Used by one thread, from {@link Tracked#drive} and
 * the like until {@link #close}, and then by the next call.
 */
final class ValidatedCall implements AutoCloseable {
  private final Tracked on;
  private final CallArguments arguments = new CallArguments();
  private PluginMethod method = PluginMethod.NAME;
  private @Nullable AtomicReference<@Nullable Thread> role;
  private @Nullable AtomicReference<@Nullable Thread> secondRole;
  private String meetingRule = "";
  private @Nullable Thread other;
  private boolean cleanup;
  private boolean mayWait;
  private long ticket;
  private boolean noted;
  private boolean ended;
  private long began;
  private boolean excused;
  private @Nullable String refusal;
  private String refusedFor = "";
  private ResultCode refusedWith = ResultCode.INVALID_ARGUMENT;

  ValidatedCall(Tracked on) {
    this.on = on;
  }

  ValidatedCall reset(
      PluginMethod newMethod,
      @Nullable AtomicReference<@Nullable Thread> newRole,
      @Nullable AtomicReference<@Nullable Thread> newSecondRole) {
    method = newMethod;
    arguments.clear();
    role = newRole;
    secondRole = newSecondRole;
    other = null;
    cleanup = false;
    mayWait = false;
    noted = false;
    ended = false;
    excused = false;
    refusal = null;
    return this;
  }

  /** Remembers that another thread is in a call that must not run beside this one. */
  ValidatedCall meeting(String rule, Thread thread) {
    meetingRule = rule;
    other = thread;
    return this;
  }

  /** Marks a call by which the caller gives something back: it is never kept from that. */
  ValidatedCall cleansUp() {
    cleanup = true;
    return this;
  }

  /** Marks a call that may wait for the peer, whatever its bound. */
  ValidatedCall mayWait(boolean may) {
    mayWait = may;
    return this;
  }

  /** Returns whether no other thread is in a call that must not run beside this one. */
  boolean isAlone() {
    return role != null;
  }

  /** Returns whether the plugin need not survive this call. */
  boolean isExcused() {
    return excused;
  }

  /** Notes an argument for the log; to be called before {@link #begins}. */
  ValidatedCall with(String name, long value) {
    arguments.add(name, value);
    return this;
  }

  /** Notes all arguments as a text. */
  ValidatedCall with(String text) {
    arguments.set(text);
    return this;
  }

  /** Records that the call begins, with the arguments noted so far. */
  void begins() {
    began = System.nanoTime();
    noted = true;
    ticket = on.calls.begin(began, method.call, arguments);
  }

  /** Checks what holds for every call. */
  void admit() {
    Thread meets = other;
    if (meets != null) {
      caller(
          meetingRule,
          ErrorText.of(
              "thread %s came while thread %s was in a call",
              name(Thread.currentThread()), name(meets)));
    }
    if (on.closed) {
      misuse("NET-CLOSE-01", "it is closed");
    }
    if (Thread.currentThread().isInterrupted()) {
      caller("NET-THREAD-06", "thread " + name(Thread.currentThread()) + " is interrupted");
    }
  }

  private static String name(Thread thread) {
    return thread.getName() + " (" + thread.threadId() + ")";
  }

  /**
   * Reports what the caller must not do and a plugin need not survive: whatever the plugin makes of
   * it is not held against it. The giving back of something goes on all the same.
   */
  void caller(String rule, String what) {
    excused = true;
    blame(rule, what, cleanup);
  }

  /** Reports the same of a call with which there is nothing left to give back. */
  void misuse(String rule, String what) {
    excused = true;
    blame(rule, what, false);
  }

  /** Reports what the caller must not do, although the contract says what the plugin answers. */
  void oversight(String rule, String what) {
    blame(rule, what, cleanup);
  }

  /** Reports a mistake of the caller that the plugin has to answer with INVALID_ARGUMENT. */
  void mistake(String rule, String what) {
    mistake(rule, what, ResultCode.INVALID_ARGUMENT);
  }

  /** Reports a mistake of the caller that the plugin has to answer with {@code code}. */
  void mistake(String rule, String what, ResultCode code) {
    if (refusal == null) {
      refusal = rule;
      refusedFor = what;
      refusedWith = code;
    }
    blame(rule, what, false);
  }

  private void blame(String rule, String what, boolean goesOn) {
    on.validation.violations.report(Party.CALLER, rule, method.call, what, on);
    if (on.validation.failing && !goesOn) {
      throw failure(ResultCode.INVALID_USAGE, rule, what, null);
    }
  }

  /** Reports what the plugin did wrong. */
  void plugin(String rule, String what) {
    defect(Party.PLUGIN, rule, what, null);
  }

  /** Reports what one of the two did. */
  void either(String rule, String what) {
    defect(Party.EITHER, rule, what, null);
  }

  private void defect(Party party, String rule, String what, @Nullable Throwable cause) {
    if (excused) {
      return;
    }
    on.validation.violations.report(party, rule, method.call, what, on);
    if (on.validation.failing) {
      throw failure(ResultCode.INTERNAL_ERROR, rule, what, cause);
    }
  }

  private NetException failure(
      ResultCode code, String rule, String what, @Nullable Throwable cause) {
    return new NetException(
        code, method.call + " on " + on + " breaks " + rule + ": " + what, cause);
  }

  /** Calls the plugin, and checks what it throws; for calls that may allocate. */
  <T extends @Nullable Object> T ask(Supplier<T> plugins) {
    try {
      return plugins.get();
    } catch (Throwable e) {
      throw threw(e);
    }
  }

  /** Does the same where nothing is returned, and notes that. */
  void tell(Runnable plugins) {
    try {
      plugins.run();
    } catch (Throwable e) {
      throw threw(e);
    }
    returned("ok");
  }

  /** Checks a call that returned; the caller of this checks the answer. */
  void returned(String outcome) {
    ended(outcome);
    requireRefusal(outcome);
  }

  /** The same of a call whose answer is a number. */
  void returned(String outcome, long number) {
    long now = System.nanoTime();
    on.calls.end(now, ticket, outcome, number);
    ended(now);
    requireRefusal(outcome);
  }

  private void requireRefusal(String outcome) {
    if (refusal != null) {
      plugin(refusal, "answered \"" + outcome + "\" instead of " + refusedWith + ": " + refusedFor);
    }
  }

  private void ended(String outcome) {
    long now = System.nanoTime();
    on.calls.end(now, ticket, outcome);
    ended(now);
  }

  private void ended(long now) {
    ended = true;
    if (now - began > method.bound.nanos && !mayWait) {
      on.validation.violations.slow(method, method.rule, now - began, on);
    }
  }

  /**
   * Checks a call that threw.
   *
   * @return what to throw instead; an Error is thrown right here
   */
  RuntimeException threw(Throwable thrown) {
    if (!(thrown instanceof NetException net)) {
      ended("threw " + thrown.getClass().getName());
      if (thrown instanceof VirtualMachineError && !(thrown instanceof StackOverflowError)) {
        throw ValidatedCall.<RuntimeException>rethrow(thrown); // the machine's fault
      }
      defect(Party.PLUGIN, "NET-ERR-01", "threw " + thrown, thrown);
      throw ValidatedCall.<RuntimeException>rethrow(thrown);
    }
    ended("threw " + net.result());
    if (net.result() == ResultCode.IN_PROGRESS) {
      defect(Party.PLUGIN, "NET-ERR-04", "threw " + net.result() + ": " + net.getMessage(), net);
    }
    if (refusal != null
        && net.result() != refusedWith
        && net.result() != ResultCode.INVALID_ARGUMENT) {
      defect(
          Party.PLUGIN,
          refusal,
          "threw " + net.result() + " instead of " + refusedWith + ": " + refusedFor,
          net);
    }
    return net;
  }

  /** Throws anything, checked or not, as what the plugin threw it. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException rethrow(Throwable thrown) throws E {
    throw (E) thrown;
  }

  @Override
  public void close() {
    if (noted && !ended) {
      on.calls.end(System.nanoTime(), ticket, "kept from the plugin");
    }
    AtomicReference<@Nullable Thread> first = role;
    AtomicReference<@Nullable Thread> second = secondRole;
    role = null;
    secondRole = null;
    if (second != null) {
      second.setRelease(null);
    }
    if (first != null) {
      first.setRelease(null);
    }
  }
}
