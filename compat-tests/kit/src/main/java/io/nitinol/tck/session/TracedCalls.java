// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.v12.NetProperties;
import io.nitinol.tck.check.RuleViolation;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes calls of a plugin and traces them. Any thread. */
final class TracedCalls {
  private final CallTrace trace;
  private final Map<Integer, NetProperties> seen = new ConcurrentHashMap<>();

  TracedCalls(CallTrace trace) {
    this.trace = trace;
  }

  /** Makes a call without a result. */
  void run(String method, @Nullable Object token, String arguments, Runnable body) {
    call(
        method,
        token,
        arguments,
        () -> {
          body.run();
          return "done";
        });
  }

  /**
   * Reads the properties of a device.
   *
   * @throws RuleViolation if they differ from those of the last call
   */
  NetProperties properties(int device, Supplier<NetProperties> body) {
    NetProperties found = call("getProperties", null, "device " + device, body);
    NetProperties before = found == null ? null : seen.put(device, found);
    if (before != null && !before.equals(found)) {
      throw new RuleViolation(
          "NET-DEV-02", "device " + device + " was " + before + " and is " + found);
    }
    return found;
  }

  /** Makes a call with a result. */
  <T extends @Nullable Object> T call(
      String method, @Nullable Object token, String arguments, Supplier<T> body) {
    CallTrace.Calls calls = trace.mine();
    calls.begin(method, token, arguments);
    T result;
    try {
      result = body.get();
    } catch (Throwable e) {
      calls.fail(e, describe(e));
      throw e;
    }
    calls.end(
        String.valueOf(
            result instanceof Integer
                    || result instanceof Boolean
                    || result instanceof String
                    || result instanceof NetProperties
                ? result
                : CallTrace.name(result)));
    return result;
  }

  /**
   * Makes a call that may be one of many with the answer null, which take one line of the trace.
   *
   * @param token the subject of the call, by which a repetition is recognized
   * @param arguments the arguments in words, called only for a new line
   */
  <T extends @Nullable Object> T poll(
      String method, @Nullable Object token, Supplier<String> arguments, Supplier<T> body) {
    CallTrace.Calls calls = trace.mine();
    boolean again = token != null && calls.repeat(method, token, "null");
    if (!again) {
      calls.begin(method, token, arguments.get());
    }
    T answer;
    try {
      answer = body.get();
    } catch (Throwable e) {
      if (again) {
        calls.arguments(arguments.get());
      }
      calls.fail(e, describe(e));
      throw e;
    }
    if (again && answer != null) {
      calls.arguments(arguments.get());
    }
    calls.end(CallTrace.name(answer));
    return answer;
  }

  /** Makes a test of a request; those with the answer false take one line. */
  boolean test(@Nullable Object request, int @Nullable [] sizes, BooleanSupplier body) {
    CallTrace.Calls calls = trace.mine();
    if (request == null || !calls.repeat("test", request, "false")) {
      calls.begin("test", request, CallTrace.name(request));
    }
    boolean done;
    try {
      done = body.getAsBoolean();
    } catch (Throwable e) {
      calls.fail(e, describe(e));
      throw e;
    }
    calls.end(done ? "true" + (sizes == null ? "" : ", sizes " + Arrays.toString(sizes)) : "false");
    return done;
  }

  private static String describe(Throwable e) {
    return e instanceof NetException net ? net.result() + ": " + net.getMessage() : e.toString();
  }
}
