// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import io.nitinol.net.ib.config.IbOptions;
import io.nitinol.net.ib.memory.DomainRegistrar;
import io.nitinol.net.ib.memory.MrCache;
import io.nitinol.net.ib.verbs.DeviceAttributes;
import io.nitinol.net.ib.verbs.ProtectionDomain;
import io.nitinol.net.ib.verbs.VerbsContext;
import io.nitinol.spi.DebugLogger;
import io.nitinol.toolkit.thread.AnyThread;
import org.jspecify.annotations.Nullable;

/**
 * A card that is open ({@code ibv_device}), and what its ports and comms share: the protection
 * domain, the registered memory, the reader of events. One instance of the plugin opens it once and
 * keeps it for the process.
 */
@AnyThread
public final class IbCard {
  /**
   * The smallest page of any Linux. Where pages are larger, the kernel rounds once more; rounding
   * more than it does would reach beyond the end of a mapping.
   */
  private static final long PAGE = 4096;

  private final String name;
  private final OpenCard open;
  private final DeviceAttributes attributes;
  private final MrCache cache;
  private final AsyncEvents events;
  private @Nullable ProtectionDomain domain;

  IbCard(
      String name,
      OpenCard open,
      DeviceAttributes attributes,
      IbOptions options,
      DebugLogger logger) {
    this.name = name;
    this.open = open;
    this.attributes = attributes;
    this.cache = new MrCache(new DomainRegistrar(this::domain, options.relaxedOrdering()), PAGE);
    this.events = new AsyncEvents(name, open, options.failOnEvents(), logger);
  }

  /** {@return the name, such as {@code mlx5_0}} */
  public String name() {
    return name;
  }

  /** {@return what connections are made with} */
  public VerbsContext context() {
    return open.context();
  }

  /** {@return what the card can do} */
  public DeviceAttributes attributes() {
    return attributes;
  }

  /**
   * Returns the protection domain that all memory and queue pairs of this card are in. It is made
   * when first asked for and kept.
   *
   * @return the domain, which stays this card's
   * @throws io.nitinol.spi.NetException SYSTEM_ERROR when the card refuses
   */
  public synchronized ProtectionDomain domain() {
    if (domain == null) {
      domain = open.allocateDomain();
    }
    return domain;
  }

  /** {@return the memory registered with this card} */
  public MrCache cache() {
    return cache;
  }

  /** {@return the reader of what happens to this card} */
  public AsyncEvents events() {
    return events;
  }

  /** Ends everything; for a plugin that does not come about, and for tests. No comm is left. */
  synchronized void close() {
    if (!events.close()) {
      return; // the thread may still be inside the library: better left open than freed under it
    }
    if (domain != null) {
      domain.close();
      domain = null;
    }
    open.close();
  }

  @Override
  public String toString() {
    return name;
  }
}
