// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.net.collnet.link.Carrier;
import io.nitinol.net.collnet.link.SwitchKey;
import io.nitinol.net.collnet.link.SwitchLoop;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.kernel.v1.KernelProvider;
import io.nitinol.toolkit.Addresses;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.control.ControlListener;
import io.nitinol.toolkit.thread.AnyThread;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * A switch that reduces in the network: children join groups at its address, send their
 * contributions and get the results.
 */
@AnyThread
public final class Switch implements AutoCloseable {
  private static final long GOODBYE_NANOS = 5_500_000_000L;
  private static final long TICK_NANOS = 1_000_000L;

  private final long startNanos = System.nanoTime();
  private final SwitchResources site;
  private final GroupLedger ledger;
  private final SwitchWorker[] workers;
  private final Admission door;
  private final ControlListener listener;
  private boolean closed; // guarded by this

  private Switch(
      SwitchResources site,
      GroupLedger ledger,
      SwitchWorker[] workers,
      Admission door,
      ControlListener listener) {
    this.site = site;
    this.ledger = ledger;
    this.workers = workers;
    this.door = door;
    this.listener = listener;
  }

  /**
   * Starts a switch with the kernels that want to be chosen most of those in this program.
   *
   * @param options where it listens and what its limits are
   * @param logger where it writes its log, from its own threads
   * @return the switch, ready for children
   * @throws NetException with SYSTEM_ERROR where it cannot listen, INVALID_USAGE where the Net
   *     plugin is missing or has no device, or where there are no kernels
   */
  public static Switch start(SwitchOptions options, DebugLogger logger) {
    return start(options, Kernels.find(), logger);
  }

  /**
   * Starts a switch. Its threads are daemons and run until {@link #close}.
   *
   * @param options where it listens and what its limits are
   * @param kernels what it reduces with; available
   * @param logger where it writes its log, from its own threads
   * @return the switch, ready for children
   * @throws NetException with SYSTEM_ERROR where it cannot listen, INVALID_USAGE where the Net
   *     plugin is missing or has no device
   */
  public static Switch start(SwitchOptions options, KernelProvider kernels, DebugLogger logger) {
    Carrier carrier = Carrier.open(options.net(), 0, logger);
    SwitchLoop loop = null;
    try {
      if (carrier.devices().isEmpty()) {
        throw new NetException(ResultCode.INVALID_USAGE, carrier.whyNone());
      }
      loop = SwitchLoop.open("Switch-control", logger);
      return start(options, new Kernels(kernels), logger, carrier, loop);
    } catch (RuntimeException | Error e) {
      if (loop != null) {
        loop.close();
      }
      carrier.close();
      throw e;
    }
  }

  private static Switch start(
      SwitchOptions options,
      Kernels kernels,
      DebugLogger logger,
      Carrier carrier,
      SwitchLoop loop) {
    SwitchKey key = SwitchKey.of(options.key());
    AtomicReference<String> name = new AtomicReference<>(Addresses.text(options.listen()));
    SwitchCounters counters = new SwitchCounters();
    SwitchResources site =
        new SwitchResources(options, name, key, carrier, loop, kernels, counters, logger);
    GroupLedger ledger = new GroupLedger(counters);
    SwitchWorker[] workers = new SwitchWorker[options.threads()];
    Admission door = new Admission(site, ledger, workers);
    for (int i = 0; i < workers.length; i++) {
      workers[i] = new SwitchWorker("Switch-" + i, i == 0 ? door::expire : now -> {}, logger);
    }
    ControlListener listener = loop.listen(options.listen(), key, door::accept);
    name.set(Addresses.text(listener.address()));
    for (SwitchWorker worker : workers) {
      worker.start();
    }
    logger.info(
        LogSubsystem.INIT,
        "Switch",
        ErrorText.of(
            "switch %s: %s threads, kernels %s, data over %s%s",
            site.name(),
            options.threads(),
            kernels.name(),
            carrier,
            options.parent() == null ? "" : ", parent " + Addresses.text(options.parent())));
    return new Switch(site, ledger, workers, door, listener);
  }

  /**
   * Returns where children find the switch.
   *
   * @return the address that it listens on, with its real port
   */
  public InetSocketAddress address() {
    return listener.address();
  }

  /**
   * Returns the switch's statistics.
   *
   * @return the state of this moment
   */
  public SwitchStats stats() {
    return ledger.look(System.nanoTime() - startNanos, site.options());
  }

  /**
   * Fails all groups and tells their children, which still get complete results; ends the threads
   * and frees all memory. Takes seconds at the most; does nothing the second time.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    door.close();
    listener.close();
    long end = System.nanoTime() + GOODBYE_NANOS;
    while (!ledger.groups.isEmpty() && System.nanoTime() - end < 0) {
      ledger.groups.values().forEach(SwitchGroup::stop);
      LockSupport.parkNanos(this, TICK_NANOS);
    }
    for (SwitchWorker worker : workers) {
      worker.stop();
    }
    boolean ended = true;
    for (SwitchWorker worker : workers) {
      ended &= worker.join(GOODBYE_NANOS);
    }
    site.loop().close();
    if (ended && ledger.groups.isEmpty()) {
      site.carrier().close();
    } else {
      site.logger().warn("Switch", "switch " + site.name() + ": groups are left that do not end");
    }
  }
}
