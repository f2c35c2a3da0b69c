// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.core.plugin.ValidationMode;
import io.nitinol.spi.DataType;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A collective network that is another one, with every call checked against the contract, the
 * caller's side and the plugin's, as {@link ValidatingNet} does it. It sees one member: whether all
 * members start the same operations (COLL-10) and end with the same bits (COLL-12) it cannot know.
 */
public final class ValidatingCollNet implements CollNet {
  private final CollNet net;
  private final Validation validation;
  private final StartValidation start;
  private final DeviceValidation devices;
  private final ListenValidation listening;
  private final GroupValidation groups;
  private final RegistrationValidation registering;
  private final ReductionValidation reductions;
  private final GatherValidation gathers;
  private final TestValidation tests;
  private final CloseValidation closing;

  /**
   * Decorates a plugin on which {@code init} has not been called yet.
   *
   * @param net the plugin, as the newest version
   * @param version the version of the interface that it implements itself
   * @param mode what happens to a call that breaks a rule
   * @param logger where violations are written
   */
  public ValidatingCollNet(CollNet net, int version, ValidationMode mode, DebugLogger logger) {
    this(net, version, mode, logger, false);
  }

  private ValidatingCollNet(
      CollNet net, int version, ValidationMode mode, DebugLogger logger, boolean started) {
    this.net = net;
    ValidatedPlugin plugin = new ValidatedPlugin.OfCollNet(net);
    this.validation =
        new Validation("CollNet " + String.valueOf(net.name()), version, mode, logger);
    this.start = new StartValidation(plugin, validation, started);
    this.devices = new DeviceValidation(plugin, validation, start);
    this.listening = new ListenValidation(plugin, validation, start, devices);
    this.groups = new GroupValidation(net, validation, devices);
    this.registering = new RegistrationValidation(plugin, validation);
    this.reductions = new ReductionValidation(net, validation, start);
    this.gathers = new GatherValidation(net, validation, devices, reductions);
    this.tests = new TestValidation(plugin, validation);
    this.closing = new CloseValidation(validation);
  }

  /** Decorates a plugin on which {@code init} has returned; else as the constructor. */
  public static ValidatingCollNet started(
      CollNet net, int version, ValidationMode mode, DebugLogger logger) {
    return new ValidatingCollNet(net, version, mode, logger, true);
  }

  /** Returns what has been found so far. */
  public Violations violations() {
    return validation.violations;
  }

  @Override
  public String name() {
    return start.name();
  }

  @Override
  public NetContext init(long commId, DebugLogger logger) {
    return start.init(() -> net.init(commId, logger));
  }

  @Override
  public int devices() {
    return devices.devices();
  }

  @Override
  public NetProperties getProperties(int device) {
    return devices.getProperties(device);
  }

  @Override
  public ListenComm listen(NetContext context, int device, MemorySegment handle) {
    return listening.listen(context, device, handle);
  }

  @Override
  public CollComm connect(MemorySegment[] handles, int nranks, int rank, ListenComm listenComm) {
    return groups.connect(handles, nranks, rank, listenComm);
  }

  @Override
  public boolean reduceSupport(DataType dataType, ReductionOp op) {
    return reductions.reduceSupport(dataType, op);
  }

  @Override
  public MemoryHandle regMr(CollComm comm, Memory memory) {
    return registering.regMr(comm, memory);
  }

  @Override
  public MemoryHandle regMrDmaBuf(CollComm comm, Memory memory, long offset, int fd) {
    return registering.regMrDmaBuf(comm, memory, offset, fd);
  }

  @Override
  public void deregMr(CollComm comm, MemoryHandle handle) {
    registering.deregMr(comm, handle);
  }

  @Override
  public @Nullable Request iallreduce(
      CollComm comm,
      MemoryHandle sendMr,
      long sendOffset,
      MemoryHandle recvMr,
      long recvOffset,
      long count,
      DataType dataType,
      ReductionOp op) {
    return reductions.iallreduce(comm, sendMr, sendOffset, recvMr, recvOffset, count, dataType, op);
  }

  @Override
  public @Nullable Request iallgather(
      CollComm comm,
      MemoryHandle sendMr,
      long sendOffset,
      int n,
      MemoryHandle[] recvMrs,
      long[] recvOffsets,
      long[] recvLengths,
      long bytesPerRank,
      long windowOffset,
      long windowBytes) {
    return gathers.iallgather(
        comm,
        sendMr,
        sendOffset,
        n,
        recvMrs,
        recvOffsets,
        recvLengths,
        bytesPerRank,
        windowOffset,
        windowBytes);
  }

  @Override
  public @Nullable Request ireducescatter(
      CollComm comm,
      int n,
      MemoryHandle[] sendMrs,
      long[] sendOffsets,
      long[] sendLengths,
      MemoryHandle recvMr,
      long recvOffset,
      long bytesPerRank,
      long windowOffset,
      long windowBytes,
      DataType dataType,
      ReductionOp op) {
    return gathers.ireducescatter(
        comm,
        n,
        sendMrs,
        sendOffsets,
        sendLengths,
        recvMr,
        recvOffset,
        bytesPerRank,
        windowOffset,
        windowBytes,
        dataType,
        op);
  }

  @Override
  public @Nullable Request iflush(CollComm comm, MemoryHandle mr, long offset, long length) {
    return reductions.iflush(comm, mr, offset, length);
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    return tests.test(request, sizes);
  }

  @Override
  public void closeColl(CollComm comm) {
    closing.close(PluginMethod.CLOSE_COLL, comm, Tokens.plugins(comm), net::closeColl);
  }

  @Override
  public void closeListen(ListenComm listenComm) {
    listening.closeListen(listenComm);
  }

  @Override
  public int makeVDevice(VirtualDevice virtual) {
    return devices.makeVDevice(virtual);
  }

  @Override
  public void finalizeContext(NetContext context) {
    start.finish(context);
  }

  @Override
  public boolean supports(OptionalOperation operation) {
    return devices.supports(operation);
  }
}
