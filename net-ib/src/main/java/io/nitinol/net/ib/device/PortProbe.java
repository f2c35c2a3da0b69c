// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import io.nitinol.net.ib.config.IbOptions.PortOptions;
import io.nitinol.net.ib.config.IbVariables;
import io.nitinol.net.ib.verbs.PortAttributes;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.toolkit.ErrorText;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Looks at one port of an open card: whether it can be used, and how. */
final class PortProbe {
  /** ibv_port_attr.state of a port that carries traffic. */
  private static final int ACTIVE = 4;

  /** From this code of a lane's speed on, a byte does not tell faster ones apart. */
  private static final int LAST_IN_A_BYTE = 128;

  /** A port cannot be used. The message goes on where the port is named before it. */
  static final class UnusableException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableException(String reason, @Nullable Throwable cause) {
      super(reason, cause);
    }
  }

  private final IbCard card;
  private final int number;
  private final OpenCard open;
  private final Sysfs sysfs;
  private final PortOptions options;
  private final DebugLogger logger;

  PortProbe(
      IbCard card,
      int number,
      OpenCard open,
      Sysfs sysfs,
      PortOptions options,
      DebugLogger logger) {
    this.card = card;
    this.number = number;
    this.open = open;
    this.sysfs = sysfs;
    this.options = options;
    this.logger = logger;
  }

  /**
   * Looks at the port.
   *
   * @param range where a RoCE port's address has to be, or null
   * @throws UnusableException when the port cannot be used; the message has the reason
   */
  IbPort probe(@Nullable AddressRange range) throws UnusableException {
    try {
      return probeAnswering(range);
    } catch (NetException e) {
      throw new UnusableException("does not answer: " + e.getMessage(), e);
    } catch (GidChoice.NoGidException e) {
      throw new UnusableException("cannot be used: " + e.getMessage(), e);
    }
  }

  private IbPort probeAnswering(@Nullable AddressRange range)
      throws UnusableException, GidChoice.NoGidException {
    PortAttributes port = open.port(number);
    if (port.state() != ACTIVE) {
      throw new UnusableException("is " + state(port.state()), null);
    }
    LinkLayer link = LinkLayer.of(port.linkLayer());
    if (link == null) {
      throw new UnusableException(
          "is neither InfiniBand nor Ethernet, but of link layer " + port.linkLayer(), null);
    }
    checkPkey(port);
    GidChoice gid =
        link == LinkLayer.INFINIBAND
            ? GidChoice.infiniBand(i -> open.gid(number, i), port.gidCount(), options)
            : GidChoice.roce(
                i -> open.gid(number, i),
                port.gidCount(),
                i -> sysfs.roceVersion(card.name(), number, i),
                options,
                range);
    if (gid.remark() != null) {
      logger.warn("net-ib", "NET/IB : " + card.name() + ":" + number + ": " + gid.remark());
    }
    Path device = sysfs.device(card.name());
    return new IbPort(
        card,
        number,
        port,
        link,
        gid.index(),
        gid.gid(),
        speed(port),
        options.adaptiveRouting() < 0
            ? link == LinkLayer.INFINIBAND
            : options.adaptiveRouting() != 0,
        device == null ? null : PciPath.ofCard(device, options.mergeVfs()),
        device == null ? null : device.toString());
  }

  private void checkPkey(PortAttributes port) throws UnusableException {
    int index = options.pkeyIndex();
    if (index == 0) {
      return; // every port has one there, and RoCE has no other
    }
    if (index >= port.pkeyCount()) {
      throw new UnusableException(
          ErrorText.of(
              "cannot be used: %s=%d is no index of its table of partition keys, which go from"
                  + " 0 to %d",
              IbVariables.PKEY, index, port.pkeyCount() - 1),
          null);
    }
    if (open.pkey(number, index) == 0) {
      throw new UnusableException(
          ErrorText.of(
              "cannot be used: %s=%d is an empty entry of its table of partition keys",
              IbVariables.PKEY, index),
          null);
    }
  }

  /** Returns verbs' rate, or sysfs's if verbs cannot express it. */
  private int speed(PortAttributes port) {
    int code = port.activeSpeed();
    int width = port.activeWidth();
    int computed = LinkSpeed.of(code, width);
    boolean known = LinkSpeed.lane(code) > 0 && LinkSpeed.lanes(width) > 0;
    if (known && code < LAST_IN_A_BYTE) {
      return computed;
    }
    int rate = sysfs.rate(card.name(), number);
    int speed = known ? Math.max(rate, computed) : rate > 0 ? rate : computed;
    if (!known) {
      logger.info(
          LogSubsystem.NET,
          "net-ib",
          ErrorText.of(
              "NET/IB : %s:%d: unknown code of a link: active_speed %d, active_width %d; taken"
                  + " for %s Mb/s%s",
              card.name(), number, code, width, speed, rate > 0 ? " as in sysfs" : ""));
    }
    return speed;
  }

  private static String state(int state) {
    return switch (state) {
      case 0 -> "without a state";
      case 1 -> "DOWN";
      case 2 -> "in state INIT, not ACTIVE: on InfiniBand a subnet manager has to run";
      case 3 -> "in state ARMED, not ACTIVE";
      case 5 -> "in state ACTIVE_DEFER, not ACTIVE";
      default -> "in the unknown state " + state;
    };
  }
}
