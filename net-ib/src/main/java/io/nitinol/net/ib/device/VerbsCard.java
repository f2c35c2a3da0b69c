// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import io.nitinol.net.ib.verbs.AsyncEvent;
import io.nitinol.net.ib.verbs.DeviceAttributes;
import io.nitinol.net.ib.verbs.Gid;
import io.nitinol.net.ib.verbs.PortAttributes;
import io.nitinol.net.ib.verbs.ProtectionDomain;
import io.nitinol.net.ib.verbs.VerbsContext;
import org.jspecify.annotations.Nullable;

/** A card that libibverbs has opened. */
record VerbsCard(VerbsContext context) implements OpenCard {

  @Override
  public DeviceAttributes attributes() {
    return context.queryDevice();
  }

  @Override
  public PortAttributes port(int port) {
    return context.queryPort(port);
  }

  @Override
  public Gid gid(int port, int index) {
    return context.queryGid(port, index);
  }

  @Override
  public int pkey(int port, int index) {
    return context.queryPkey(port, index);
  }

  @Override
  public @Nullable AsyncEvent nextEvent(int milliseconds) {
    return context.nextEvent(milliseconds);
  }

  @Override
  public ProtectionDomain allocateDomain() {
    return context.allocateDomain();
  }

  @Override
  public void close() {
    context.close();
  }
}
