// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** What has been moved so far, by one group or by several. One thread counts, any may look. */
final class SwitchTraffic {
  private static final VarHandle OPERATIONS = field("operations");
  private static final VarHandle SEGMENTS = field("segments");
  private static final VarHandle REDUCED = field("reduced");
  private static final VarHandle IN = field("in");
  private static final VarHandle OUT = field("out");

  private long operations;
  private long segments;
  private long reduced;
  private long in;
  private long out;

  private static VarHandle field(String name) {
    try {
      return MethodHandles.lookup().findVarHandle(SwitchTraffic.class, name, long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Counts an operation of which everything has been reduced and sent on. */
  void operation() {
    OPERATIONS.setRelease(this, operations + 1);
  }

  /** Counts a segment, and the bytes of contributions that were reduced for it. */
  void segment(long bytes) {
    SEGMENTS.setRelease(this, segments + 1);
    REDUCED.setRelease(this, reduced + bytes);
  }

  /** Counts what came. */
  void in(long bytes) {
    IN.setRelease(this, in + bytes);
  }

  /** Counts what went. */
  void out(long bytes) {
    OUT.setRelease(this, out + bytes);
  }

  /** Counts all that another one has counted so far. */
  void add(SwitchTraffic other) {
    OPERATIONS.setRelease(this, operations + other.operations());
    SEGMENTS.setRelease(this, segments + other.segments());
    REDUCED.setRelease(this, reduced + other.reduced());
    IN.setRelease(this, in + other.bytesIn());
    OUT.setRelease(this, out + other.bytesOut());
  }

  long operations() {
    return (long) OPERATIONS.getAcquire(this);
  }

  long segments() {
    return (long) SEGMENTS.getAcquire(this);
  }

  long reduced() {
    return (long) REDUCED.getAcquire(this);
  }

  long bytesIn() {
    return (long) IN.getAcquire(this);
  }

  long bytesOut() {
    return (long) OUT.getAcquire(this);
  }
}
