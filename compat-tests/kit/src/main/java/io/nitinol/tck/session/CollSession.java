// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.DataType;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.NetContext;
import io.nitinol.tck.result.KitReport;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** A session with a collective network. See {@link Session}. */
public final class CollSession extends Session {
  private static final List<ReductionOp> SHOWN =
      List.of(ReductionOp.SUM, ReductionOp.PROD, ReductionOp.MAX, ReductionOp.MIN);

  private final CollInstance instance;

  /** A session with an instance that is initialized. */
  public CollSession(TestTerms terms, CollInstance instance) {
    super(terms);
    this.instance = instance;
  }

  /** Returns the operators that the kit requests: all but AVG. */
  public static List<ReductionOp> operators() {
    return SHOWN;
  }

  /** Returns the network under test; its calls are traced. */
  public TestedCollNet net() {
    return instance.net();
  }

  /** Returns the network under test without the trace, which allocates. */
  public TestedCollNet bare() {
    return instance.bare();
  }

  @Override
  public CommonNet common() {
    return CommonNet.of(net());
  }

  @Override
  public CommonNet create() {
    return CommonNet.of(CollInstance.create(plugin(), lane()));
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
  public CollSession part() {
    terms().trace().forgetEnded();
    return new CollSession(terms(), instance);
  }

  /** Returns a new instance of the same plugin on the same lane, initialized and traced. */
  public TestedCollNet another() {
    TestedCollNet net = CollInstance.start(plugin(), lane(), terms().trace(), terms().log()).net();
    atEnd(() -> run("NET-INIT-08", "finalize", net::finish));
    return net;
  }

  /**
   * Returns the network as the newest version.
   *
   * @throws io.nitinol.tck.check.Inapplicable on a lane that calls an older version
   */
  public TestedCollNet.Newest newest() {
    TestedCollNet.Newest newest = net().newest();
    if (newest == null) {
      throw skip("this lane calls version " + lane().presented());
    }
    return newest;
  }

  /** Returns the same instance with a context of its own, which is finalized at the end. */
  public TestedCollNet anotherContext(long commId) {
    TestedCollNet.Newest newest = newest();
    NetContext context =
        step(
            "NET-INIT-09",
            "init of a further context",
            () -> newest.net().init(commId, terms().log()));
    require("NET-INIT-09", context != null, "init returned null in place of a context");
    TestedCollNet net =
        new TracedCollNet(new CollNetInContext(newest.net(), context), terms().trace());
    atEnd(() -> run("NET-INIT-08", "finalize", net::finish));
    return net;
  }

  @Override
  long askMostBytes() {
    return properties(0).maxCollBytes();
  }

  /**
   * Returns the most elements, up to this many, that an operation may have.
   *
   * @throws io.nitinol.tck.check.Inapplicable if that is none although the test wants some
   */
  public long cutCount(TypeAndOp pair, long count) {
    if (count > 0) {
      needsBytes(pair.bytes(1));
    }
    return cut(pair.bytes(count)) / pair.type().size();
  }

  /** Returns the pairs that the network can reduce. */
  public List<TypeAndOp> supported() {
    List<TypeAndOp> pairs = new ArrayList<>();
    for (DataType type : DataType.values()) {
      for (ReductionOp op : SHOWN) {
        if (supports(type, op)) {
          pairs.add(new TypeAndOp(type, op));
        }
      }
    }
    return pairs;
  }

  /** Asks whether the network can reduce a pair. */
  public boolean supports(DataType type, ReductionOp op) {
    return step(
        "COLL-07", "reduceSupport(" + type + ", " + op + ")", () -> net().reduceSupport(type, op));
  }

  /**
   * Returns the pairs that the network can reduce and of which an operation may have an element.
   *
   * @throws io.nitinol.tck.check.Inapplicable if there is none
   */
  public List<TypeAndOp> pairs() {
    List<TypeAndOp> pairs = supported();
    if (pairs.isEmpty()) {
      throw skip("reduceSupport says no to every type and operator");
    }
    List<TypeAndOp> fitting = pairs.stream().filter(pair -> pair.bytes(1) <= mostBytes()).toList();
    if (fitting.isEmpty()) {
      throw skip("an operation may have " + mostBytes() + " bytes, fewer than an element");
    }
    return fitting;
  }

  /**
   * Returns a pair for tests that are not about numbers: FLOAT32 with SUM where the network can.
   *
   * @throws io.nitinol.tck.check.Inapplicable where it can reduce nothing
   */
  public TypeAndOp pair() {
    TypeAndOp usual = new TypeAndOp(DataType.FLOAT32, ReductionOp.SUM);
    List<TypeAndOp> pairs = pairs();
    return pairs.contains(usual) ? usual : pairs.getFirst();
  }

  /**
   * Listens on a device of an instance; the listener is closed at the end unless the test has
   * closed it.
   */
  public CollListening listen(TestedCollNet on, int device) {
    MemorySegment handle = handle();
    ListenComm comm =
        step("NET-CONN-01", "listen on device " + device, () -> on.listen(device, handle));
    require("NET-CONN-01", comm != null, "listen on device %d returned null", device);
    CollListening listening = new CollListening(on, comm, handle);
    atEnd(() -> run("NET-CLOSE-02", "closeListen", listening::close));
    return listening;
  }

  /** Opens listeners for a group on device 0 of the network under test. */
  public List<CollListening> listeners(int members) {
    return listeners(Collections.nCopies(members, net()));
  }

  /** Opens a listener on device 0 of each instance. */
  public List<CollListening> listeners(List<TestedCollNet> on) {
    List<CollListening> listeners = new ArrayList<>();
    for (TestedCollNet net : on) {
      listeners.add(listen(net, 0));
    }
    return listeners;
  }

  /** Connects a group of members in this process, all of the instance under test. */
  public CollGroup connect(int members) {
    return connect(listeners(members));
  }

  /**
   * Connects a group with one member for each listener; each connects on a thread of its own, since
   * it may wait for the others.
   *
   * @throws io.nitinol.tck.check.Inapplicable when the network refuses the group on every member
   */
  public CollGroup connect(List<CollListening> listeners) {
    CollJoining joining = CollJoining.start(this, listeners);
    joining.await(terms().patience().nanos());
    return joined(joining);
  }

  /**
   * Returns the group whose members have all returned from connect.
   *
   * @throws io.nitinol.tck.check.Inapplicable when the network refuses the group on every member
   */
  public CollGroup joined(CollJoining joining) {
    CollGroup group = new CollGroup(this, joining.members());
    atEnd(group::close);
    List<NetException> failures = joining.failures();
    if (!failures.isEmpty()) {
      NetException first = failures.getFirst();
      if (failures.size() == joining.size()
          && failures.stream().allMatch(e -> e.result() == ResultCode.INVALID_USAGE)) {
        throw skip("the network serves no group of " + joining.size() + ": " + first.getMessage());
      }
      require(
          "COLL-03",
          false,
          "%d of %d members failed to connect, the first with %s: %s",
          failures.size(),
          joining.size(),
          first.result(),
          first.getMessage());
    }
    return group;
  }
}
