// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

/** The functions of {@code ncclTuner_vN_t}, of whatever version; the names are the struct's. */
public enum TunerFunction {
  /** {@code init}. */
  INIT("init"),
  /** {@code getCollInfo}. */
  GET_COLL_INFO("getCollInfo"),
  /** {@code destroy}, up to version 4. */
  DESTROY("destroy"),
  /** {@code finalize}, version 5 on. */
  FINALIZE("finalize"),
  /** {@code getChunkSize}, version 6; may be null. */
  GET_CHUNK_SIZE("getChunkSize");

  private final String member;

  TunerFunction(String member) {
    this.member = member;
  }

  /** Returns the name of the struct's member. */
  @Override
  public String toString() {
    return member;
  }
}
