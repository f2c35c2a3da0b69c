// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.model;

/**
 * A call that a plugin has to refuse. It changes nothing, so that whatever was under way goes on,
 * and whatever comes next works.
 */
public enum WrongCall {
  SEND_OUTSIDE("NET-SEND-05", "isend of more than is registered"),
  RECV_OUTSIDE("NET-RECV-16", "irecv of which the last piece has more than is registered"),
  RECV_TOO_MANY("NET-RECV-08", "irecv of one piece more than maxRecvs"),
  FLUSH_OUTSIDE("NET-FLUSH-04", "iflush of more than is registered"),
  SEND_DEAD_HANDLE("NET-REG-07", "isend with a handle after deregMr"),
  RECV_DEAD_HANDLE("NET-REG-07", "irecv with a handle after deregMr"),
  DEREG_TWICE("NET-REG-07", "deregMr of a handle after deregMr"),
  REG_OTHER_TYPE("NET-REG-02", "regMr of a type that ptrSupport lacks"),
  TEST_SHORT_SIZES("NET-TEST-07", "test of the oldest receive with too short an array"),
  TEST_FOREIGN("NET-ERR-02", "test of a request that is not the plugin's"),
  CLOSE_FOREIGN("NET-ERR-02", "closeSend and closeRecv of comms that are not the plugin's"),
  LISTEN_NO_DEVICE("NET-DEV-03", "listen on a device that does not exist"),
  LISTEN_SHORT_BUFFER("NET-CONN-03", "listen with too short a buffer"),
  CONNECT_NO_DEVICE("NET-DEV-03", "connect from a device that does not exist"),
  FINALIZE_DEAD("NET-INIT-11", "finalize and listen with a context that is not open"),
  DENIED("NET-OPT-01", "the operations that supports denies");

  private final String rule;
  private final String text;

  WrongCall(String rule, String text) {
    this.rule = rule;
    this.text = text;
  }

  /** Returns the rule that says that the call is refused. */
  String rule() {
    return rule;
  }

  /** Returns the rule that says that nothing has changed afterwards. */
  String ruleAfterwards() {
    return this == DENIED ? rule : "NET-ERR-03";
  }

  /** Returns the call in words. */
  String text() {
    return text;
  }

  /** Returns whether only versions with contexts know the call. */
  boolean needsContexts() {
    return this == FINALIZE_DEAD;
  }

  /** Returns whether only versions with optional operations know the call. */
  boolean needsOptions() {
    return this == DENIED;
  }
}
