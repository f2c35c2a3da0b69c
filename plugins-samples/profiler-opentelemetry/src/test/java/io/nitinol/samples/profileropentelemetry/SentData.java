// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profileropentelemetry;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.profiler.v1.EventDescriptor;

/** A send as the framework describes it. */
record SentData() implements EventDescriptor.P2p {
  @Override
  public EventType type() {
    return EventType.P2P;
  }

  @Override
  public long parent() {
    return 0;
  }

  @Override
  public int rank() {
    return 0;
  }

  @Override
  public Collective function() {
    return Collective.SEND;
  }

  @Override
  public long address() {
    return 0;
  }

  @Override
  public DataType dataType() {
    return DataType.FLOAT32;
  }

  @Override
  public long count() {
    return 8;
  }

  @Override
  public int peer() {
    return 1;
  }

  @Override
  public int channels() {
    return 1;
  }

  @Override
  public long parentGroup() {
    return 0;
  }
}
