// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import io.nitinol.net.ib.verbs.AsyncEvent;
import io.nitinol.net.ib.verbs.DeviceAttributes;
import io.nitinol.net.ib.verbs.Gid;
import io.nitinol.net.ib.verbs.PortAttributes;
import io.nitinol.net.ib.verbs.ProtectionDomain;
import io.nitinol.net.ib.verbs.VerbsContext;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A card as a test wants it, closed or open. */
final class FakeCard implements CardSource.Card, OpenCard {
  private static final int EDR = 32;
  private static final int FOUR_LANES = 2;

  /** A port as a test wants it. */
  static final class Port {
    int state = 4;
    int linkLayer = LinkLayer.ETHERNET.code();
    int speed = EDR;
    int width = FOUR_LANES;
    int pkeys = 1;
    final List<Gid> gids = new ArrayList<>();

    Port gid(String address) {
      gids.add(address.isEmpty() ? new Gid(0, 0) : AddressRangeTest.gid(address));
      return this;
    }

    Port link(LinkLayer layer) {
      linkLayer = layer.code();
      return this;
    }

    Port state(int code) {
      state = code;
      return this;
    }

    Port speed(int speedCode, int widthCode) {
      speed = speedCode;
      width = widthCode;
      return this;
    }

    private PortAttributes attributes() {
      return new PortAttributes(
          state, 5, 3, gids.size(), pkeys, 1L << 30, 7, 0, width, speed, linkLayer, 0);
    }
  }

  final String name;
  final Map<Integer, Port> ports = new TreeMap<>();
  long guid;
  int maxQueuePairs = 1000;
  @Nullable NetException openFailure;
  @Nullable NetException domainFailure;
  @Nullable RuntimeException eventFailure;
  final LinkedBlockingQueue<AsyncEvent> events = new LinkedBlockingQueue<>();
  int opened;
  int closed;

  FakeCard(String name) {
    this.name = name;
    this.guid = name.hashCode();
  }

  /** Makes a card with one RoCE port that has an IPv4 address. */
  static FakeCard roce(String name) {
    FakeCard card = new FakeCard(name);
    card.with(1).gid("fe80::1").gid("10.0.0.1");
    return card;
  }

  /** Returns a port, which is made when first asked for. */
  Port with(int number) {
    return ports.computeIfAbsent(number, n -> new Port());
  }

  FakeCard guid(long value) {
    guid = value;
    return this;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public OpenCard open() {
    if (openFailure != null) {
      throw openFailure;
    }
    opened++;
    return this;
  }

  @Override
  public DeviceAttributes attributes() {
    return new DeviceAttributes(
        "1.2", guid, guid, 0, 0, ports.size(), maxQueuePairs, 100, 1, 500, 100, 100, 1L << 40, 1);
  }

  @Override
  public PortAttributes port(int port) {
    Port known = ports.get(port);
    if (known == null) {
      throw new NetException(ResultCode.SYSTEM_ERROR, name + " has no port " + port);
    }
    return known.attributes();
  }

  @Override
  public Gid gid(int port, int index) {
    return with(port).gids.get(index);
  }

  @Override
  public int pkey(int port, int index) {
    return index == 1 ? 0x8001 : index == 0 ? 0xffff : 0;
  }

  @Override
  public @Nullable AsyncEvent nextEvent(int milliseconds) {
    try {
      AsyncEvent event = events.poll(Math.min(milliseconds, 10), TimeUnit.MILLISECONDS);
      RuntimeException failure = eventFailure;
      if (failure != null) {
        throw failure;
      }
      return event;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public ProtectionDomain allocateDomain() {
    if (domainFailure != null) {
      throw domainFailure;
    }
    throw new AssertionError("a test without verbs needs no domain");
  }

  @Override
  public VerbsContext context() {
    throw new AssertionError("a test without verbs needs no context");
  }

  @Override
  public void close() {
    closed++;
  }
}
