// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

/** The functions of {@code ncclCollNet_vN_t}, of whatever version; the names are the struct's. */
public enum CollNetFunction {
  /** {@code init}. */
  INIT("init"),
  /** {@code devices}. */
  DEVICES("devices"),
  /** {@code getProperties}. */
  GET_PROPERTIES("getProperties"),
  /** {@code listen}. */
  LISTEN("listen"),
  /** {@code connect}. */
  CONNECT("connect"),
  /** {@code reduceSupport}. */
  REDUCE_SUPPORT("reduceSupport"),
  /** {@code regMr}. */
  REG_MR("regMr"),
  /** {@code regMrDmaBuf}, version 6 on. */
  REG_MR_DMA_BUF("regMrDmaBuf"),
  /** {@code deregMr}. */
  DEREG_MR("deregMr"),
  /** {@code iallreduce}. */
  IALLREDUCE("iallreduce"),
  /** {@code iallgather}, version 8 on. */
  IALLGATHER("iallgather"),
  /** {@code ireducescatter}, version 8 on. */
  IREDUCESCATTER("ireducescatter"),
  /** {@code iflush}. */
  IFLUSH("iflush"),
  /** {@code test}. */
  TEST("test"),
  /** {@code closeColl}. */
  CLOSE_COLL("closeColl"),
  /** {@code closeListen}. */
  CLOSE_LISTEN("closeListen"),
  /** {@code makeVDevice}, version 9 on. */
  MAKE_VDEVICE("makeVDevice"),
  /** {@code finalize}, version 11 on. */
  FINALIZE("finalize");

  private final String member;

  CollNetFunction(String member) {
    this.member = member;
  }

  /** Returns the name of the struct's member, such as {@code regMr}. */
  public String member() {
    return member;
  }

  @Override
  public String toString() {
    return member;
  }
}
