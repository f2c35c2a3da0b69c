// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import io.nitinol.net.ib.verbs.AsyncEvent;
import io.nitinol.net.ib.verbs.DeviceAttributes;
import io.nitinol.net.ib.verbs.Gid;
import io.nitinol.net.ib.verbs.PortAttributes;
import io.nitinol.net.ib.verbs.ProtectionDomain;
import io.nitinol.net.ib.verbs.VerbsContext;
import org.jspecify.annotations.Nullable;

/**
 * An open card; {@link VerbsCard} is the real one. Every method throws a {@link
 * io.nitinol.spi.NetException} when the card does not answer.
 */
interface OpenCard extends AutoCloseable {

  DeviceAttributes attributes();

  PortAttributes port(int port);

  Gid gid(int port, int index);

  /** Returns a partition key; 0 where the entry is empty. */
  int pkey(int port, int index);

  /** Waits for an asynchronous event, at most so many milliseconds; null when none came. */
  @Nullable AsyncEvent nextEvent(int milliseconds);

  /** Makes a protection domain, which the caller closes. */
  ProtectionDomain allocateDomain();

  /** Returns what connections are made with. */
  VerbsContext context();

  @Override
  void close();
}
