// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.profiler.v1;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The subject of an event, at its start; mirrors {@code ncclProfilerEventDescr_v6_t}. {@link #type}
 * tells which of the interfaces in here it is; {@link EventType#GROUP} and {@link
 * EventType#PROXY_CTRL} have nothing of their own. The object belongs to the framework, which uses
 * it again for the next event: read it during {@link Profiler#startEvent} only. Counts are in
 * elements.
 */
public interface EventDescriptor {

  /** {@return what kind of event it is} */
  EventType type();

  /** {@return the event above it, as {@link Profiler#startEvent} returned it; 0 where none is} */
  long parent();

  /** {@return the rank it happens at} */
  int rank();

  /** A group of calls. */
  interface GroupApi extends EventDescriptor {
    /** {@return 1 where the call is in no group of the application's, 2 where it is} */
    int depth();
  }

  /** The call of a collective. */
  interface CollApi extends EventDescriptor {
    /** {@return which} */
    Collective function();

    /** {@return elements, as in the call; of alltoallv, all that this rank sends} */
    long count();

    /** {@return the elements' type} */
    DataType dataType();

    /** {@return the rank that it begins or ends at; 0 where it has none} */
    int root();
  }

  /** The call of a send or a receive. */
  interface P2pApi extends EventDescriptor {
    /** {@return {@link Collective#SEND} or {@link Collective#RECV}} */
    Collective function();

    /** {@return elements} */
    long count();

    /** {@return the elements' type} */
    DataType dataType();
  }

  /**
   * A collective. All-reduces of a group that are done as one are one event, under the first call.
   */
  interface Coll extends EventDescriptor {
    /** {@return how many of this collective this rank has submitted before} */
    long sequence();

    /** {@return which} */
    Collective function();

    /** {@return the address of this rank's contribution; 0 where it has none} */
    long sendAddress();

    /** {@return the address of the result; 0 where this rank gets none} */
    long recvAddress();

    /** {@return elements, as in the call} */
    long count();

    /** {@return the rank that it begins or ends at; 0 where it has none} */
    int root();

    /** {@return the elements' type} */
    DataType dataType();

    /** {@return how many channels share it} */
    int channels();

    /** {@return the algorithm} */
    Algorithm algorithm();

    /** {@return the protocol} */
    Protocol protocol();

    /** {@return the {@link EventType#GROUP} that it is in; 0 where that is not recorded} */
    long parentGroup();
  }

  /** A send or a receive. */
  interface P2p extends EventDescriptor {
    /** {@return {@link Collective#SEND} or {@link Collective#RECV}} */
    Collective function();

    /** {@return the address of the buffer} */
    long address();

    /** {@return the elements' type} */
    DataType dataType();

    /** {@return elements} */
    long count();

    /** {@return the other rank, which may be this one} */
    int peer();

    /** {@return how many channels share it} */
    int channels();

    /** {@return the {@link EventType#GROUP} that it is in; 0 where that is not recorded} */
    long parentGroup();
  }

  /** The messages that an operation sends or receives over one connection. */
  interface ProxyOp extends EventDescriptor {
    /** {@return the process in whose memory the parent is: this one} */
    long pid();

    /** {@return the number of the connection's channel; of each task another} */
    int channel();

    /** {@return the other rank} */
    int peer();

    /** {@return how many messages there will be} */
    long steps();

    /** {@return the most data bytes of one message} */
    int chunkSize();

    /** {@return whether it sends} */
    boolean sends();
  }

  /** One message. */
  interface ProxyStep extends EventDescriptor {
    /** {@return its number in the {@link ProxyOp}, from 0} */
    long step();
  }

  /** A rank's steps on one channel. */
  interface KernelCh extends EventDescriptor {
    /** {@return the channel's number; of each task another} */
    int channel();

    /** {@return when they began, by {@link System#nanoTime}} */
    long timer();
  }

  /** An event of the network plugin. */
  interface NetPlugin extends EventDescriptor {
    /** {@return which plugin's structure {@link #data} has, in which version} */
    long id();

    /** {@return the event in that structure, native memory for this call only; null for none} */
    @Nullable MemorySegment data();
  }
}
