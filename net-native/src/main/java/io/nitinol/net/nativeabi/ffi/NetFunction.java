// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

/** The functions of {@code ncclNet_vN_t}, of whatever version; the names are the struct's. */
public enum NetFunction {
  /** {@code init}. */
  INIT("init"),
  /** {@code devices}. */
  DEVICES("devices"),
  /** {@code pciPath}, version 2. */
  PCI_PATH("pciPath"),
  /** {@code ptrSupport}, version 2. */
  PTR_SUPPORT("ptrSupport"),
  /** {@code getProperties}, version 3 on. */
  GET_PROPERTIES("getProperties"),
  /** {@code listen}. */
  LISTEN("listen"),
  /** {@code connect}. */
  CONNECT("connect"),
  /** {@code accept}. */
  ACCEPT("accept"),
  /** {@code regMr}. */
  REG_MR("regMr"),
  /** {@code regMrDmaBuf}, version 6 on. */
  REG_MR_DMA_BUF("regMrDmaBuf"),
  /** {@code deregMr}. */
  DEREG_MR("deregMr"),
  /** {@code isend}. */
  ISEND("isend"),
  /** {@code irecv}. */
  IRECV("irecv"),
  /** {@code flush}, versions 2 and 3. */
  FLUSH("flush"),
  /** {@code iflush}, version 4 on. */
  IFLUSH("iflush"),
  /** {@code test}. */
  TEST("test"),
  /** {@code closeSend}. */
  CLOSE_SEND("closeSend"),
  /** {@code closeRecv}. */
  CLOSE_RECV("closeRecv"),
  /** {@code closeListen}. */
  CLOSE_LISTEN("closeListen"),
  /** {@code getDeviceMr}, version 7 on. */
  GET_DEVICE_MR("getDeviceMr"),
  /** {@code irecvConsumed}, version 7 on. */
  IRECV_CONSUMED("irecvConsumed"),
  /** {@code makeVDevice}, version 9 on. */
  MAKE_VDEVICE("makeVDevice"),
  /** {@code finalize}, version 11 on. */
  FINALIZE("finalize"),
  /** {@code setNetAttr}, version 11 on. */
  SET_NET_ATTR("setNetAttr");

  private final String member;

  NetFunction(String member) {
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
