// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import java.util.concurrent.TimeUnit;

/** The operations of a plugin: their names, and the rule and bound for the time each may take. */
enum PluginMethod {
  NAME("name", "", Bound.NONE),
  INIT("init", "NET-INIT-04", Bound.CONNECT),
  DEVICES("devices", "", Bound.NONE),
  GET_PROPERTIES("getProperties", "", Bound.NONE),
  LISTEN("listen", "NET-CONN-01", Bound.CALL),
  CONNECT("connect", "NET-CONN-07", Bound.CALL),
  ACCEPT("accept", "NET-CONN-08", Bound.CALL),
  JOIN("connect", "COLL-04", Bound.CONNECT),
  REDUCE_SUPPORT("reduceSupport", "", Bound.NONE),
  REG_MR("regMr", "", Bound.NONE),
  REG_MR_DMA_BUF("regMrDmaBuf", "", Bound.NONE),
  DEREG_MR("deregMr", "", Bound.NONE),
  ISEND("isend", "NET-SEND-01", Bound.CALL),
  IRECV("irecv", "NET-RECV-01", Bound.CALL),
  IALLREDUCE("iallreduce", "COLL-11", Bound.CALL),
  IALLGATHER("iallgather", "COLL-23", Bound.CALL),
  IREDUCESCATTER("ireducescatter", "COLL-24", Bound.CALL),
  IFLUSH("iflush", "NET-FLUSH-04", Bound.CALL),
  TEST("test", "NET-TEST-01", Bound.CALL),
  CLOSE_SEND("closeSend", "NET-CLOSE-02", Bound.CLOSE),
  CLOSE_RECV("closeRecv", "NET-CLOSE-02", Bound.CLOSE),
  CLOSE_COLL("closeColl", "NET-CLOSE-02", Bound.CLOSE),
  CLOSE_LISTEN("closeListen", "NET-CLOSE-02", Bound.CLOSE),
  FINALIZE("finalize", "NET-INIT-08", Bound.CLOSE),
  SUPPORTS("supports", "", Bound.NONE),
  SET_NET_ATTR("setNetAttr", "", Bound.NONE),
  MAKE_VDEVICE("makeVDevice", "", Bound.NONE),
  GET_DEVICE_MR("getDeviceMr", "", Bound.NONE),
  IRECV_CONSUMED("irecvConsumed", "", Bound.NONE);

  /** The limits that the contract's table names. */
  enum Bound {
    NONE(Long.MAX_VALUE),
    CALL(TimeUnit.MILLISECONDS.toNanos(100)),
    CLOSE(TimeUnit.SECONDS.toNanos(5)),
    CONNECT(TimeUnit.SECONDS.toNanos(60));

    final long nanos;

    Bound(long nanos) {
      this.nanos = nanos;
    }
  }

  final String call;
  final String rule;
  final Bound bound;

  PluginMethod(String call, String rule, Bound bound) {
    this.call = call;
    this.rule = rule;
    this.bound = bound;
  }
}
