// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.net;

/**
 * An operation that a plugin may leave out. In C its pointer in the struct is null then; here the
 * plugin answers false in {@code supports}, since an interface has no null pointers.
 */
public enum OptionalOperation {
  /** {@code getDeviceMr}: registrations for code on the device (version 7 and later). */
  GET_DEVICE_MR,
  /** {@code irecvConsumed}: the device has taken what was received (version 7 and later). */
  IRECV_CONSUMED,
  /** {@code makeVDevice}: several devices used as one (version 9 and later). */
  MAKE_VDEVICE,
  /** {@code setNetAttr}: hints about the traffic to come (version 11 and later). */
  SET_NET_ATTR,
  /** {@code iallgather} of a collective network (version 8 and later). */
  ALL_GATHER,
  /** {@code ireducescatter} of a collective network (version 8 and later). */
  REDUCE_SCATTER
}
