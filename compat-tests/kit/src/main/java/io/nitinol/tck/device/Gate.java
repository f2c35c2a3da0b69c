// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.device;

import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A number in host memory for which streams wait, so that a test decides when their work goes on.
 * The session opens every gate when the test ends.
 */
public final class Gate {
  private static final VarHandle NUMBER = ValueLayout.JAVA_LONG.varHandle();
  private static final long OPEN = 1;

  private final DeviceMemory memory;
  private final MemorySegment segment;

  Gate(DeviceMemory memory, MemorySegment segment) {
    this.memory = memory;
    this.segment = segment;
    NUMBER.setVolatile(segment, 0L, 0L);
  }

  /** Lets later work of the stream wait for the gate. */
  public void hold(DeviceStream stream) {
    stream.waitValue(memory.address(), OPEN);
  }

  /** Lets all streams go on. */
  public void open() {
    NUMBER.setVolatile(segment, 0L, OPEN);
  }

  /** Closes it again, for work that is put in later. */
  public void shut() {
    NUMBER.setVolatile(segment, 0L, 0L);
  }
}
