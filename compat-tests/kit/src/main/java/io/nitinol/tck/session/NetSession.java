// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.SendComm;
import io.nitinol.tck.check.RuleViolation;
import io.nitinol.tck.result.KitReport;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A session with a network. See {@link Session}. */
public final class NetSession extends Session {
  /** NCCL_NET_MAX_REQUESTS_V6: NCCL up to 2.18, and its later versions of such a plugin. */
  private static final int REQUESTS_OF_OLD_LIBRARIES = 8;

  private final NetInstance instance;

  /** A session with an instance that is initialized. */
  public NetSession(TestTerms terms, NetInstance instance) {
    super(terms);
    this.instance = instance;
  }

  /** Returns the network under test; its calls are traced. */
  public TestedNet net() {
    return instance.net();
  }

  /**
   * Returns the network under test without the trace, which allocates. A call of its data path that
   * fails breaks a rule, as those of {@link NetConnection} do.
   */
  public TestedNet bare() {
    return new JudgedNet(instance.bare());
  }

  @Override
  public CommonNet common() {
    return CommonNet.of(net());
  }

  @Override
  public CommonNet create() {
    return CommonNet.of(NetInstance.create(plugin(), lane()));
  }

  @Override
  public String absence() {
    return KitReport.noDevices(instance.said());
  }

  @Override
  public int devices() {
    return instance.devices();
  }

  /**
   * Returns a session with the same instance for a part of the test. The test closes it, and with
   * it all that it opened.
   */
  public NetSession part() {
    terms().trace().forgetEnded();
    return new NetSession(terms(), instance);
  }

  /**
   * Returns a session for a part of the test with a new instance of the same plugin, on which
   * nothing has happened. The test closes it, and with it the instance and all that it opened.
   */
  public NetSession afresh() {
    terms().trace().forgetEnded();
    NetInstance own = NetInstance.start(plugin(), lane(), terms().trace(), terms().log());
    NetSession session = new NetSession(terms(), own);
    session.atEnd(() -> session.run("NET-INIT-08", "finalize", own.net()::finish));
    return session;
  }

  @Override
  long askMostBytes() {
    long sending = properties(0).maxP2pBytes();
    int there = plugin().receivingDevice();
    return there > 0 && there < devices()
        ? Math.min(sending, properties(there).maxP2pBytes())
        : sending;
  }

  /** Returns how many pieces a receive on device 0 may have. */
  public int maxRecvs() {
    return lane().hasTags() ? properties(0).maxRecvs() : 1;
  }

  /**
   * Returns whether a comm has at most {@link #maxRequests} requests per piece: no NCCL asks a
   * library of version 4 to 6 for more, and such a library need not survive it.
   */
  public boolean hasFewRequests() {
    return lane().provided() <= 6 && plugin().isLibrary(lane());
  }

  /**
   * Returns whether tests of other rules than NET-TEST-02 and NET-TEST-03 test the requests of a
   * comm in their order, which is all that NCCL asks of a library: one mistake is one rule then.
   */
  public boolean isTestedInOrder() {
    return plugin().isLibrary(lane());
  }

  /** Returns how many requests per piece a comm of the plugin must hold at the least. */
  public int maxRequests() {
    return hasFewRequests() ? REQUESTS_OF_OLD_LIBRARIES : TestedNet.MAX_REQUESTS;
  }

  /**
   * Returns in words what a receive has reported. Where a library writes no size, Nitinol takes the
   * room of the piece, and the plugin has reported nothing.
   *
   * @param size what test has left in the array of sizes, which had -1 there
   * @param room the room in the piece
   */
  public String reported(int size, long room) {
    if (size == -1) {
      return "reported no size";
    }
    return size == room && plugin().isLibrary(lane())
        ? "reported %d, or no size, for which Nitinol takes the room of the piece".formatted(size)
        : "reported " + size;
  }

  /**
   * Returns a new instance of the same plugin on the same lane, initialized, traced as this one.
   */
  public TestedNet another() {
    TestedNet net = NetInstance.start(plugin(), lane(), terms().trace(), terms().log()).net();
    atEnd(() -> run("NET-INIT-08", "finalize", net::finish));
    return net;
  }

  /**
   * Returns the network as the newest version.
   *
   * @throws io.nitinol.tck.check.Inapplicable on a lane that calls an older version
   */
  public TestedNet.Newest newest() {
    TestedNet.Newest newest = net().newest();
    if (newest == null) {
      throw skip("this lane calls version " + lane().presented());
    }
    return newest;
  }

  /** Returns the same instance with a context of its own, which is finalized at the end. */
  public TestedNet anotherContext(long commId, NetCommConfig config) {
    TestedNet.Newest newest = newest();
    NetContext context =
        step(
            "NET-INIT-09",
            "init of a further context",
            () -> newest.net().init(commId, config, terms().log(), null));
    require("NET-INIT-09", context != null, "init returned null in place of a context");
    TestedNet net = new TracedNet(new NetInContext(newest.net(), context), terms().trace());
    atEnd(() -> run("NET-INIT-08", "finalize", net::finish));
    return net;
  }

  /** Listens on a device; the listener is closed at the end unless the test has closed it. */
  public NetListening listen(int device) {
    return listen(net(), device);
  }

  /** The same on another instance. */
  public NetListening listen(TestedNet on, int device) {
    MemorySegment handle = handle();
    ListenComm comm =
        step("NET-CONN-01", "listen on device " + device, () -> on.listen(device, handle));
    require("NET-CONN-01", comm != null, "listen on device %d returned null", device);
    NetListening listening = new NetListening(on, comm, handle);
    atEnd(() -> run("NET-CLOSE-02", "closeListen", listening::close));
    return listening;
  }

  /** Connects device 0 to itself, or to the device that the run names. */
  public NetConnection connect() {
    return connect(0, receivingDevice());
  }

  /**
   * Returns the device that device 0 sends to in tests that are not about devices.
   *
   * @throws io.nitinol.tck.check.Inapplicable when the plugin has no such device
   */
  public int receivingDevice() {
    int device = plugin().receivingDevice();
    if (device > 0 && device >= devices()) {
      throw skip("to device " + device + ": the plugin has " + devices() + " devices");
    }
    return device;
  }

  /** Connects two devices of the instance under test, through a listener of their own. */
  public NetConnection connect(int sendDevice, int recvDevice) {
    NetListening listening = listen(recvDevice);
    NetConnection connection = connect(net(), sendDevice, listening);
    run("NET-CLOSE-07", "closeListen after an accept", listening::close);
    return connection;
  }

  /** Connects a device of an instance to a listener; both ends are driven here. */
  public NetConnection connect(TestedNet from, int device, NetListening to) {
    return connectFrom(from, device, copyOf(to.handle()), to);
  }

  /** The same from a buffer of the test's, which holds a copy of the listener's handle. */
  public NetConnection connectFrom(
      TestedNet from, int device, MemorySegment handle, NetListening to) {
    NetConnection connection =
        lane().mayWait()
            ? connectWaiting(from, device, handle, to)
            : connectPolled(from, device, handle, to);
    atEnd(connection::close);
    return connection;
  }

  /** Makes a connection of two comms that the test has got itself, closed at the end. */
  public NetConnection connection(@Nullable SendComm send, @Nullable RecvComm recv) {
    return connection(net(), send, recv);
  }

  /** The same of comms of another instance or context. */
  public NetConnection connection(TestedNet of, @Nullable SendComm send, @Nullable RecvComm recv) {
    NetConnection connection = new NetConnection(this, of, of, nonNull(send), nonNull(recv));
    atEnd(connection::close);
    return connection;
  }

  private NetConnection connectPolled(
      TestedNet from, int device, MemorySegment handle, NetListening to) {
    @Nullable SendComm[] send = new SendComm[1];
    @Nullable RecvComm[] recv = new RecvComm[1];
    await(
        "NET-CONN-09",
        "a connection from device " + device,
        () -> {
          if (send[0] == null) {
            send[0] = step("NET-CONN-09", "connect", () -> from.connect(device, handle));
          }
          if (recv[0] == null) {
            recv[0] = step("NET-CONN-09", "accept", () -> to.net().accept(to.comm()));
          }
          return send[0] != null && recv[0] != null;
        });
    return new NetConnection(this, from, to.net(), nonNull(send[0]), nonNull(recv[0]));
  }

  /** Connects with a thread for each side, since a version 4 plugin may wait inside its calls. */
  private NetConnection connectWaiting(
      TestedNet from, int device, MemorySegment handle, NetListening to) {
    AtomicReference<@Nullable SendComm> send = new AtomicReference<>();
    SideThread connecting =
        SideThread.start(
            "connect",
            () ->
                await(
                    "NET-CONN-09",
                    "a connection from device " + device,
                    () -> {
                      send.set(step("NET-CONN-09", "connect", () -> from.connect(device, handle)));
                      return send.get() != null;
                    }));
    @Nullable RecvComm[] recv = new RecvComm[1];
    await(
        "NET-CONN-09",
        "accept",
        () -> {
          connecting.check();
          recv[0] = step("NET-CONN-09", "accept", () -> to.net().accept(to.comm()));
          return recv[0] != null;
        });
    connecting.join(terms().patience().nanos());
    return new NetConnection(this, from, to.net(), nonNull(send.get()), nonNull(recv[0]));
  }

  private static <T> T nonNull(@Nullable T token) {
    if (token == null) {
      throw new RuleViolation("NET-CONN-09", "a connection came about without a comm");
    }
    return token;
  }
}
