// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.run;

import io.nitinol.tck.plugin.Kind;
import io.nitinol.tck.plugin.Lane;
import io.nitinol.tck.session.CallTrace;
import io.nitinol.tck.session.KitPatience;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides how long a call may run before the kit gives it up, and which rule it has broken by then.
 * These limits are far above the bounds of the contract. The rules' own tests check those bounds,
 * several times if a busy machine could be the reason.
 */
final class ResourceLimits {
  private static final long CLOSE = TimeUnit.SECONDS.toNanos(10);
  private static final long CONNECT = TimeUnit.SECONDS.toNanos(65);

  private ResourceLimits() {}

  /**
   * Returns the rule that a running call has broken by its length; null while it may go on.
   *
   * @param patience how long the kit waits on this machine
   */
  static @Nullable String broken(Lane lane, CallTrace.Running call, KitPatience patience) {
    return lane.kind() == Kind.DEVICE
        ? ofDevices(call, patience.promptNanos())
        : ofNetworks(lane, call, patience);
  }

  /**
   * Returns whether a call without a limit of its own, such as a registration, has run for so long
   * that it is the reason why its test does not end.
   */
  static boolean isEndless(CallTrace.Running call, KitPatience patience) {
    return switch (call.method()) {
      case "init", "connect", "accept", "synchronize" -> false; // these may wait
      default -> call.nanos() > patience.nanos();
    };
  }

  /** What waits for ranks, or as long as the test says, ends with the test. */
  private static @Nullable String ofDevices(CallTrace.Running call, long prompt) {
    return switch (call.method()) {
      case "copy", "fill", "writeValue", "waitValue", "record", "await", "launch", "apply" ->
          after(call, prompt, "DEVSTREAM-02");
      case "allReduce",
          "reduceScatter",
          "reduce",
          "allGather",
          "broadcast",
          "allToAll",
          "transfer" ->
          after(call, prompt, "DEVTEAM-07");
      case "query" -> after(call, prompt, "DEVSTREAM-07");
      case "abort" -> after(call, prompt, "DEVTEAM-16");
      default -> null;
    };
  }

  private static @Nullable String ofNetworks(
      Lane lane, CallTrace.Running call, KitPatience patience) {
    long prompt = patience.promptNanos();
    long connect = patience.scaled(CONNECT);
    long close = patience.scaled(CLOSE);
    return switch (call.method()) {
      case "init" -> after(call, init(connect, patience), "NET-INIT-04");
      case "listen" -> after(call, prompt, "NET-CONN-01");
      case "connect" ->
          lane.kind() == Kind.COLLNET
              ? after(call, connect, "COLL-04")
              : lane.mayWait()
                  ? after(call, connect, "NET-V4-02")
                  : after(call, prompt, "NET-CONN-07");
      case "accept" ->
          lane.mayWait() ? after(call, connect, "NET-V4-02") : after(call, prompt, "NET-CONN-08");
      case "isend" -> after(call, prompt, "NET-SEND-01");
      case "irecv" -> after(call, prompt, "NET-RECV-01");
      case "iallreduce" -> after(call, prompt, "COLL-11");
      case "test" -> after(call, prompt, "NET-TEST-01");
      case "finalize" -> after(call, close, "NET-INIT-08");
      case "closeSend", "closeRecv", "closeListen", "closeColl" ->
          after(call, close, "NET-CLOSE-02");
      default -> null;
    };
  }

  /** No init is waited for as long again as the first that does not end. */
  private static long init(long bound, KitPatience patience) {
    return patience.hasStartHung() ? patience.startNanos() : bound;
  }

  private static @Nullable String after(CallTrace.Running call, long bound, String rule) {
    return call.nanos() > bound ? rule : null;
  }
}
