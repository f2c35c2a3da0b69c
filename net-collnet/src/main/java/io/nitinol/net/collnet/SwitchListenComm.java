// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import io.nitinol.net.collnet.link.Carrier;
import io.nitinol.net.collnet.wire.MemberHandle;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.ListenComm;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The listen comm of a member, which has written its handle and waits for those of the others. */
final class SwitchListenComm implements ListenComm {
  private final CollNet plugin;
  private final Carrier carrier;
  private final int device;
  private final int carried;
  private final MemberHandle handle;
  private final EmbeddedSwitch.@Nullable Use embedded;
  private final AtomicBoolean used = new AtomicBoolean();
  private final AtomicBoolean open = new AtomicBoolean(true);

  SwitchListenComm(
      CollNet plugin,
      Carrier carrier,
      int device,
      int carried,
      MemberHandle handle,
      EmbeddedSwitch.@Nullable Use embedded) {
    this.plugin = plugin;
    this.carrier = carrier;
    this.device = device;
    this.carried = carried;
    this.handle = handle;
    this.embedded = embedded;
  }

  boolean isOf(CollNet instance) {
    return plugin.equals(instance) && open.get();
  }

  Carrier carrier() {
    return carrier;
  }

  int device() {
    return device;
  }

  /** Returns the network plugin's device that carries the tree's data. */
  int carried() {
    return carried;
  }

  /** Returns the instance whose listener it is. */
  CollNet plugin() {
    return plugin;
  }

  MemberHandle handle() {
    return handle;
  }

  /** Returns the switch in this process, if the member brings one. */
  EmbeddedSwitch.@Nullable Use embedded() {
    return embedded;
  }

  /** Takes the one use that it has: a listen comm serves one group (COLL-01). */
  void use() {
    if (used.getAndSet(true)) {
      throw SwitchFailures.argument("a listener that has served a connect");
    }
  }

  void close() {
    if (open.getAndSet(false) && embedded != null) {
      embedded.release();
    }
  }
}
