// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.ffi;

/**
 * The fields of {@code ncclNetProperties_vN_t} in the order in which the struct has them, each
 * since the version that brought it.
 */
public enum PropertyField {
  /** The device's name, a {@code char*}. */
  NAME("name", 3, 8),
  /** Its path below /sys, a {@code char*}. */
  PCI_PATH("pciPath", 3, 8),
  /** The card's number, a {@code uint64_t}. */
  GUID("guid", 3, 8),
  /** A mask of {@code NCCL_PTR_*}. */
  PTR_SUPPORT("ptrSupport", 3, 4),
  /** Not 0 where registrations are good for all comms of the device. */
  REG_IS_GLOBAL("regIsGlobal", 8, 4),
  /** Not 0 where every receive into device memory is to be flushed. */
  FORCE_FLUSH("forceFlush", 9, 4),
  /** Megabits per second. */
  SPEED("speed", 3, 4),
  /** The port's number. */
  PORT("port", 3, 4),
  /** Microseconds, a {@code float}. */
  LATENCY("latency", 5, 4),
  /** How many comms there may be. */
  MAX_COMMS("maxComms", 3, 4),
  /** How many buffers a receive may have. */
  MAX_RECVS("maxRecvs", 5, 4),
  /** A {@code ncclNetDeviceType}. */
  NET_DEVICE_TYPE("netDeviceType", 7, 4),
  /** The version of the offload. */
  NET_DEVICE_VERSION("netDeviceVersion", 7, 4),
  /** A {@code ncclNetVDeviceProps_vN_t}, whose size depends on the version. */
  V_PROPS("vProps", 9, 4),
  /** The longest message, a {@code size_t}. */
  MAX_P2P_BYTES("maxP2pBytes", 9, 8),
  /** The largest collective, a {@code size_t}. */
  MAX_COLL_BYTES("maxCollBytes", 9, 8),
  /** How many operations one request may stand for. */
  MAX_MULTI_REQUEST_SIZE("maxMultiRequestSize", 11, 4),
  /** The rail, an {@code int16_t}. */
  RAIL_ID("railId", 12, 2),
  /** The plane, an {@code int16_t}. */
  PLANE_ID("planeId", 12, 2);

  private final String member;
  private final int since;
  private final int alignment;

  PropertyField(String member, int since, int alignment) {
    this.member = member;
    this.since = since;
    this.alignment = alignment;
  }

  /** Returns the name of the struct's member, such as {@code ptrSupport}. */
  public String member() {
    return member;
  }

  /** Returns the first version that has the field. */
  public int since() {
    return since;
  }

  /** Returns the alignment in bytes. */
  long alignment() {
    return alignment;
  }

  /** Returns the size in the struct of {@code version}, in bytes. */
  long byteSize(int version) {
    return this == V_PROPS ? VirtualDeviceLayout.byteSize(version) : alignment;
  }

  @Override
  public String toString() {
    return member;
  }
}
