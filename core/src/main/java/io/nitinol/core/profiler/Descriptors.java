// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.profiler;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import io.nitinol.spi.profiler.EventType;
import io.nitinol.spi.profiler.v1.EventDescriptor;
import io.nitinol.spi.tuner.Algorithm;
import io.nitinol.spi.tuner.Protocol;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The descriptors of one thread, one of each kind, filled in anew for each event: a profiler is
 * done with one before the thread comes to the next.
 */
final class Descriptors {
  private static final ThreadLocal<Descriptors> OWN = ThreadLocal.withInitial(Descriptors::new);

  final Plain group = new Plain(EventType.GROUP);
  final Plain proxyCtrl = new Plain(EventType.PROXY_CTRL);
  final GroupApi groupApi = new GroupApi();
  final CollApi collApi = new CollApi();
  final P2pApi p2pApi = new P2pApi();
  final Coll coll = new Coll();
  final P2p p2p = new P2p();
  final ProxyOp proxyOp = new ProxyOp();
  final ProxyStep proxyStep = new ProxyStep();
  final KernelCh kernelCh = new KernelCh();
  final NetPlugin netPlugin = new NetPlugin();

  private Descriptors() {}

  /** Returns the calling thread's. */
  static Descriptors own() {
    return OWN.get();
  }

  /** What all kinds have. */
  static class Plain implements EventDescriptor {
    private final EventType type;
    private long parent;
    private int rank;

    Plain(EventType type) {
      this.type = type;
    }

    void at(int newRank, long newParent) {
      rank = newRank;
      parent = newParent;
    }

    @Override
    public EventType type() {
      return type;
    }

    @Override
    public long parent() {
      return parent;
    }

    @Override
    public int rank() {
      return rank;
    }
  }

  /** What is known of every call and operation. */
  static class Elements extends Plain {
    Collective function = Collective.ALL_REDUCE;
    long count;
    DataType dataType = DataType.INT8;

    Elements(EventType type) {
      super(type);
    }

    void of(Collective newFunction, long newCount, DataType newType) {
      function = newFunction;
      count = newCount;
      dataType = newType;
    }

    public Collective function() {
      return function;
    }

    public long count() {
      return count;
    }

    public DataType dataType() {
      return dataType;
    }
  }

  static final class GroupApi extends Plain implements EventDescriptor.GroupApi {
    int depth;

    GroupApi() {
      super(EventType.GROUP_API);
    }

    @Override
    public int depth() {
      return depth;
    }
  }

  static final class CollApi extends Elements implements EventDescriptor.CollApi {
    int root;

    CollApi() {
      super(EventType.COLL_API);
    }

    @Override
    public int root() {
      return root;
    }
  }

  static final class P2pApi extends Elements implements EventDescriptor.P2pApi {
    P2pApi() {
      super(EventType.P2P_API);
    }
  }

  static final class Coll extends Elements implements EventDescriptor.Coll {
    long sequence;
    long sendAddress;
    long recvAddress;
    int root;
    int channels;
    Algorithm algorithm = Algorithm.RING;
    Protocol protocol = Protocol.SIMPLE;
    long parentGroup;

    Coll() {
      super(EventType.COLL);
    }

    @Override
    public long sequence() {
      return sequence;
    }

    @Override
    public long sendAddress() {
      return sendAddress;
    }

    @Override
    public long recvAddress() {
      return recvAddress;
    }

    @Override
    public int root() {
      return root;
    }

    @Override
    public int channels() {
      return channels;
    }

    @Override
    public Algorithm algorithm() {
      return algorithm;
    }

    @Override
    public Protocol protocol() {
      return protocol;
    }

    @Override
    public long parentGroup() {
      return parentGroup;
    }
  }

  static final class P2p extends Elements implements EventDescriptor.P2p {
    long address;
    int peer;
    long parentGroup;

    P2p() {
      super(EventType.P2P);
    }

    @Override
    public long address() {
      return address;
    }

    @Override
    public int peer() {
      return peer;
    }

    @Override
    public int channels() {
      return 1;
    }

    @Override
    public long parentGroup() {
      return parentGroup;
    }
  }

  static final class ProxyOp extends Plain implements EventDescriptor.ProxyOp {
    private static final long PID = ProcessHandle.current().pid();

    int channel;
    int peer;
    long steps;
    int chunkSize;
    boolean sends;

    ProxyOp() {
      super(EventType.PROXY_OP);
    }

    @Override
    public long pid() {
      return PID;
    }

    @Override
    public int channel() {
      return channel;
    }

    @Override
    public int peer() {
      return peer;
    }

    @Override
    public long steps() {
      return steps;
    }

    @Override
    public int chunkSize() {
      return chunkSize;
    }

    @Override
    public boolean sends() {
      return sends;
    }
  }

  static final class ProxyStep extends Plain implements EventDescriptor.ProxyStep {
    long step;

    ProxyStep() {
      super(EventType.PROXY_STEP);
    }

    @Override
    public long step() {
      return step;
    }
  }

  static final class KernelCh extends Plain implements EventDescriptor.KernelCh {
    int channel;
    long timer;

    KernelCh() {
      super(EventType.KERNEL_CH);
    }

    @Override
    public int channel() {
      return channel;
    }

    @Override
    public long timer() {
      return timer;
    }
  }

  static final class NetPlugin extends Plain implements EventDescriptor.NetPlugin {
    long id;
    @Nullable MemorySegment data;

    NetPlugin() {
      super(EventType.NET_PLUGIN);
    }

    @Override
    public long id() {
      return id;
    }

    @Override
    public @Nullable MemorySegment data() {
      return data;
    }
  }
}
