// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

/** The functions of {@code ncclProfiler_vN_t}, of whatever version; the names are the struct's. */
public enum ProfilerFunction {
  /** {@code init}. */
  INIT("init"),
  /** {@code startEvent}. */
  START_EVENT("startEvent"),
  /** {@code stopEvent}. */
  STOP_EVENT("stopEvent"),
  /** {@code recordEventState}. */
  RECORD_EVENT_STATE("recordEventState"),
  /** {@code finalize}. */
  FINALIZE("finalize");

  private final String member;

  ProfilerFunction(String member) {
    this.member = member;
  }

  @Override
  public String toString() {
    return member;
  }
}
