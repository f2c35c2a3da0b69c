// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.recording;

import io.nitinol.core.schedule.StepKind;
import io.nitinol.core.tuning.Choice;
import io.nitinol.spi.Collective;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import io.nitinol.toolkit.thread.OneThread;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that go from one rank to another in one step: a message, or what a rank reads or writes in
 * the memory of another rank of its host. A cursor that is filled again and again.
 */
@OneThread
public final class Transfer {
  long operation;
  Collective collective = Collective.SEND_RECV;
  Algorithm algorithm = Algorithm.PAIRS;
  Protocol protocol = Protocol.SIMPLE;
  int channel;
  @Nullable StepKind step;
  int source;
  int destination;
  long bytes;

  /** Creates a cursor; what it holds before the first transfer means nothing. */
  public Transfer() {}

  /** Sets what does not change during an operation that schedules do. */
  public void begin(long ofOperation, Collective of, Choice choice, int onChannel) {
    operation = ofOperation;
    collective = of;
    algorithm = choice.algorithm();
    protocol = choice.protocol();
    channel = onChannel;
  }

  /** Makes this a message of a batch of sends and receives. */
  public Transfer pair(long ofOperation, int onChannel, int from, int to, long ofBytes) {
    operation = ofOperation;
    collective = Collective.SEND_RECV;
    algorithm = Algorithm.PAIRS;
    protocol = Protocol.SIMPLE;
    channel = onChannel;
    step = null;
    source = from;
    destination = to;
    bytes = ofBytes;
    return this;
  }

  /** Sets what changes with each step. */
  Transfer of(StepKind kind, int from, int to, long ofBytes) {
    step = kind;
    source = from;
    destination = to;
    bytes = ofBytes;
    return this;
  }

  /** Returns the number of the operation on its communicator, from 1. */
  public long operation() {
    return operation;
  }

  /** Returns the collective; {@code SEND_RECV} for what is made of sends and receives. */
  public Collective collective() {
    return collective;
  }

  /** Returns the algorithm. */
  public Algorithm algorithm() {
    return algorithm;
  }

  /** Returns the protocol. */
  public Protocol protocol() {
    return protocol;
  }

  /** Returns the channel, from 0. */
  public int channel() {
    return channel;
  }

  /** Returns the step that moves the bytes; null for sends between pairs. */
  public @Nullable StepKind step() {
    return step;
  }

  /** Returns the rank that the bytes come from; the number of ranks is the collective network. */
  public int source() {
    return source;
  }

  /** Returns the rank that the bytes go to; the number of ranks is the collective network. */
  public int destination() {
    return destination;
  }

  /** Returns how many bytes of data, without headers. */
  public long bytes() {
    return bytes;
  }
}
