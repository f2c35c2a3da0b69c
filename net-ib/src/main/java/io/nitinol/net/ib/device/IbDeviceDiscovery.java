// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import io.nitinol.net.ib.config.IbOptions;
import io.nitinol.net.ib.config.IbVariables;
import io.nitinol.net.ib.device.CardSource.Card;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the devices; mirrors {@code ncclIbInitDevices}. Every port of every card is looked at; what
 * is not used leaves a reason. Used ports are ordered by their place on the PCI bus, then by name
 * with numbers as numbers, virtual cards last, and merged as {@link PortMerge} says.
 */
public final class IbDeviceDiscovery {
  /** How many ports there are at most; MAX_IB_DEVS. */
  private static final int MAX_PORTS = 32;

  /**
   * What was found.
   *
   * @param devices the devices by their number; empty where none can be used
   * @param reason why there is no device, in one sentence without a full stop; null where there is
   */
  public record Result(List<IbDevice> devices, @Nullable String reason) {

    static Result none(String reason) {
      return new Result(List.of(), reason);
    }
  }

  private final CardSource source;
  private final Sysfs sysfs;
  private final IbOptions options;
  private final DebugLogger logger;
  private final List<String> reasons = new ArrayList<>();

  IbDeviceDiscovery(CardSource source, Sysfs sysfs, IbOptions options, DebugLogger logger) {
    this.source = source;
    this.sysfs = sysfs;
    this.options = options;
    this.logger = logger;
  }

  /**
   * Finds the devices of this machine.
   *
   * @param net the plugin instance that they are devices of
   * @param options which are wanted
   * @param logger the plugin's log
   * @return the devices, or why there are none
   * @throws NetException INVALID_USAGE when a variable asks for what cannot be
   */
  public static Result find(Object net, IbOptions options, DebugLogger logger) {
    CardSource source = new VerbsCards(logger);
    return new IbDeviceDiscovery(source, Sysfs.OF_THIS_MACHINE, options, logger).find(net);
  }

  Result find(Object net) {
    String unused = options.ports().unused();
    if (unused != null) {
      return Result.none(unused);
    }
    List<IbPort> ports = new ArrayList<>();
    try {
      HcaFilter filter = HcaFilter.parse(options.ports().hca());
      AddressRange range = range();
      try (CardSource.Listing listing = source.list()) {
        String none = listing.emptyReason();
        if (none != null) {
          return Result.none(none);
        }
        List<Card> cards = listing.cards();
        for (Card card : cards) {
          if (filter.mayAccept(card.name())) {
            ports.addAll(usablePorts(card, filter, range));
          }
        }
        if (ports.isEmpty()) {
          return Result.none(reason(cards));
        }
      }
      ports.sort(ORDER);
      List<List<IbPort>> groups = PortMerge.group(most(ports), options.ports());
      List<IbDevice> devices = new ArrayList<>();
      for (List<IbPort> group : groups) {
        int index = devices.size();
        devices.add(
            new IbDevice(net, index, group, new IbProperties(group, options, sysfs).read(index)));
      }
      return new Result(List.copyOf(devices), null);
    } catch (IllegalArgumentException e) {
      close(ports);
      // Its message says it all; as the cause it would be shown once more.
      throw new NetException(
          ResultCode.INVALID_USAGE, String.valueOf(e.getMessage()), e.getCause());
    } catch (RuntimeException e) {
      close(ports);
      throw e;
    }
  }

  private @Nullable AddressRange range() {
    String text = options.ports().addressRange();
    if (text.isEmpty()) {
      return null;
    }
    AddressRange range = AddressRange.parse(text);
    if (range.ipv6() != options.ports().ipv6()) {
      throw new IllegalArgumentException(
          ErrorText.of(
              "%s=%s is not of the family of %s, %s",
              IbVariables.ADDR_RANGE,
              text,
              IbVariables.ADDR_FAMILY,
              options.ports().ipv6() ? "AF_INET6" : "AF_INET"));
    }
    return range;
  }

  private List<IbPort> usablePorts(Card found, HcaFilter filter, @Nullable AddressRange range) {
    List<IbPort> usable = new ArrayList<>();
    OpenCard open;
    try {
      open = found.open();
    } catch (NetException e) {
      reasons.add(found.name() + " cannot be used: " + e.getMessage());
      return usable;
    }
    try {
      IbCard card = new IbCard(found.name(), open, open.attributes(), options, logger);
      for (int number = 1; number <= card.attributes().ports(); number++) {
        if (filter.accepts(card.name(), number)) {
          try {
            usable.add(
                new PortProbe(card, number, open, sysfs, options.ports(), logger).probe(range));
          } catch (PortProbe.UnusableException e) {
            reasons.add("port " + number + " of " + card.name() + " " + e.getMessage());
          }
        }
      }
      if (!usable.isEmpty() && sysfs.hasGpuDriver()) {
        askForDomain(card, usable);
      }
    } catch (NetException e) {
      reasons.add(found.name() + " cannot be used: " + e.getMessage());
    }
    if (usable.isEmpty()) {
      open.close();
    }
    return usable;
  }

  /** The description of devices will need it: a card that refuses is left out by now. */
  private void askForDomain(IbCard card, List<IbPort> usable) {
    try {
      card.domain();
    } catch (NetException e) {
      reasons.add(card.name() + " cannot be used: " + e.getMessage());
      usable.clear();
    }
  }

  private List<IbPort> most(List<IbPort> ports) {
    if (ports.size() <= MAX_PORTS) {
      return ports;
    }
    List<IbPort> over = ports.subList(MAX_PORTS, ports.size());
    logger.warn(
        "net-ib",
        ErrorText.of(
            "NET/IB : only %s ports are used, and not %s; NCCL_IB_HCA chooses", MAX_PORTS, over));
    List<IbPort> first = List.copyOf(ports.subList(0, MAX_PORTS));
    close(
        over.stream()
            .filter(p -> first.stream().noneMatch(f -> f.card().name().equals(p.card().name())))
            .toList());
    return first;
  }

  private static void close(List<IbPort> ports) {
    ports.stream().map(IbPort::card).distinct().forEach(IbCard::close);
  }

  private String reason(List<Card> cards) {
    if (reasons.isEmpty()) {
      return ErrorText.of(
          "%s=%s lets none through of %s",
          IbVariables.HCA,
          options.ports().hca(),
          cards.stream().map(Card::name).collect(Collectors.joining(", ")));
    }
    return String.join("; ", reasons);
  }

  /** Returns why some of the cards and ports are not used, though others are. */
  List<String> reasons() {
    return List.copyOf(reasons);
  }

  private static final Comparator<IbPort> ORDER =
      Comparator.comparing(IbPort::systemPath, Comparator.nullsLast(Comparator.naturalOrder()))
          .thenComparing(port -> port.card().name(), IbDeviceDiscovery::compareNames)
          .thenComparingInt(IbPort::number);

  /** Compares names that end with numbers: mlx5_2 is before mlx5_10. */
  static int compareNames(String one, String other) {
    int a = digits(one);
    int b = digits(other);
    int stems = one.substring(0, a).compareTo(other.substring(0, b));
    if (stems != 0) {
      return stems;
    }
    int lengths = Integer.compare(one.length() - a, other.length() - b);
    return lengths != 0 ? lengths : one.compareTo(other);
  }

  private static int digits(String name) {
    int at = name.length();
    while (at > 0 && Character.isDigit(name.charAt(at - 1))) {
      at--;
    }
    return at;
  }
}
