// SPDX-License-Identifier: Apache-2.0
package io.nitinol.validate;

import io.nitinol.core.plugin.ValidationMode;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.DeviceHandle;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.NetAttributes;
import io.nitinol.spi.net.NetCommConfig;
import io.nitinol.spi.net.NetContext;
import io.nitinol.spi.net.NetProfiler;
import io.nitinol.spi.net.OptionalOperation;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.VirtualDevice;
import io.nitinol.spi.net.v12.Net;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A network that is another one, with every call checked against the contract, the caller's side
 * and the plugin's. What breaks a rule is counted in {@link #violations} and written to the log,
 * with the last calls on the same comm.
 *
 * <p>Contexts, comms, listeners, handles and requests are objects of its own, so that a dead one is
 * recognised; the plugin gets its own ones back. A token that does not come from here is reported
 * and passed on as it is. The plugin gets arrays and the buffer of {@code listen} as copies, all
 * else as the caller gave it.
 *
 * <p>As many threads may use it as may use the plugin. A call that follows the contract takes no
 * lock that another comm needs, save those that open, close and register, and operations on memory
 * that is registered with both.
 */
public final class ValidatingNet implements Net {
  private final Net net;
  private final Validation validation;
  private final StartValidation start;
  private final DeviceValidation devices;
  private final ListenValidation listening;
  private final ConnectValidation connecting;
  private final RegistrationValidation registering;
  private final TransferValidation transfers;
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
  public ValidatingNet(Net net, int version, ValidationMode mode, DebugLogger logger) {
    this(net, version, mode, logger, false);
  }

  private ValidatingNet(
      Net net, int version, ValidationMode mode, DebugLogger logger, boolean started) {
    this.net = net;
    ValidatedPlugin plugin = new ValidatedPlugin.OfNet(net);
    this.validation = new Validation(String.valueOf(net.name()), version, mode, logger);
    this.start = new StartValidation(plugin, validation, started);
    this.devices = new DeviceValidation(plugin, validation, start);
    this.listening = new ListenValidation(plugin, validation, start, devices);
    this.connecting = new ConnectValidation(net, validation, start, devices);
    this.registering = new RegistrationValidation(plugin, validation);
    this.transfers = new TransferValidation(net, validation);
    this.tests = new TestValidation(plugin, validation);
    this.closing = new CloseValidation(validation);
  }

  /** Decorates a plugin on which {@code init} has returned; else as the constructor. */
  public static ValidatingNet started(
      Net net, int version, ValidationMode mode, DebugLogger logger) {
    return new ValidatingNet(net, version, mode, logger, true);
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
  public NetContext init(
      long commId, NetCommConfig config, DebugLogger logger, @Nullable NetProfiler profiler) {
    return start.init(() -> net.init(commId, config, logger, profiler));
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
  public @Nullable SendComm connect(
      NetContext context, int device, MemorySegment handle, @Nullable DeviceHandle[] deviceHandle) {
    return connecting.connect(context, device, handle, deviceHandle);
  }

  @Override
  public @Nullable RecvComm accept(ListenComm listenComm, @Nullable DeviceHandle[] deviceHandle) {
    return connecting.accept(listenComm, deviceHandle);
  }

  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    return registering.regMr(comm, memory);
  }

  @Override
  public MemoryHandle regMrDmaBuf(Comm comm, Memory memory, long offset, int fd) {
    return registering.regMrDmaBuf(comm, memory, offset, fd);
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    registering.deregMr(comm, handle);
  }

  @Override
  public @Nullable Request isend(
      SendComm comm, MemoryHandle mr, long offset, long length, int tag, long profilerHandle) {
    return transfers.isend(comm, mr, offset, length, tag, profilerHandle);
  }

  @Override
  public @Nullable Request irecv(
      RecvComm comm,
      int n,
      MemoryHandle[] mrs,
      long[] offsets,
      long[] lengths,
      int[] tags,
      long @Nullable [] profilerHandles,
      int hints) {
    return transfers.irecv(comm, n, mrs, offsets, lengths, tags, profilerHandles, hints);
  }

  @Override
  public @Nullable Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    return transfers.iflush(comm, n, mrs, offsets, lengths);
  }

  @Override
  public boolean test(Request request, int @Nullable [] sizes) {
    return tests.test(request, sizes);
  }

  @Override
  public void closeSend(SendComm comm) {
    closing.close(PluginMethod.CLOSE_SEND, comm, Tokens.plugins(comm), net::closeSend);
  }

  @Override
  public void closeRecv(RecvComm comm) {
    closing.close(PluginMethod.CLOSE_RECV, comm, Tokens.plugins(comm), net::closeRecv);
  }

  @Override
  public void closeListen(ListenComm listenComm) {
    listening.closeListen(listenComm);
  }

  @Override
  public long getDeviceMr(Comm comm, MemoryHandle handle) {
    return registering.getDeviceMr(comm, handle, net::getDeviceMr);
  }

  @Override
  public void irecvConsumed(RecvComm comm, int n, Request request) {
    transfers.irecvConsumed(comm, n, request, devices);
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
  public void setNetAttr(NetContext context, NetAttributes attributes) {
    try (ValidatedCall call = validation.setup.beside(PluginMethod.SET_NET_ATTR)) {
      call.begins();
      call.admit();
      start.requireStarted(call);
      start.requireContextForHints(call, context);
      call.tell(() -> net.setNetAttr(Tokens.plugins(context), attributes));
    }
  }

  @Override
  public boolean supports(OptionalOperation operation) {
    return devices.supports(operation);
  }
}
