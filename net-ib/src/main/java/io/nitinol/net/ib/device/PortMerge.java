// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib.device;

import io.nitinol.net.ib.config.IbOptions.PortOptions;
import io.nitinol.net.ib.config.IbVariables;
import io.nitinol.toolkit.ErrorText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which ports are one device; mirrors {@code ncclIbFindMatchingDev} and, for the groups that {@code
 * NCCL_NET_FORCE_MERGE} names, {@code ncclTopoForceMerge}. Groups that are named come first; of the
 * other ports, those of one card are merged, at most four, unless {@code NCCL_IB_MERGE_NICS} is 0.
 */
final class PortMerge {
  private static final String FORCE = IbVariables.FORCE_MERGE.name();

  private PortMerge() {}

  /**
   * Groups ports.
   *
   * @param ports all ports, in the order of devices
   * @return the groups, ordered by their first port
   * @throws IllegalArgumentException when a group that is named cannot be; the message names the
   *     variable
   */
  static List<List<IbPort>> group(List<IbPort> ports, PortOptions options) {
    List<List<IbPort>> forced = forced(ports, options);
    List<List<IbPort>> cards = new ArrayList<>();
    for (IbPort port : ports) {
      if (forced.stream().noneMatch(group -> group.contains(port))) {
        List<IbPort> home = options.mergeNics() ? home(cards, port) : null;
        if (home == null) {
          cards.add(new ArrayList<>(List.of(port)));
        } else {
          home.add(port);
        }
      }
    }
    List<List<IbPort>> groups = new ArrayList<>(forced);
    groups.addAll(cards);
    groups.sort((one, other) ->
        Integer.compare(ports.indexOf(one.getFirst()), ports.indexOf(other.getFirst())));
    return groups;
  }

  /** Finds the group of the ports of the same card that has room. */
  private static @Nullable List<IbPort> home(List<List<IbPort>> groups, IbPort port) {
    for (List<IbPort> group : groups) {
      if (group.size() < IbDevice.MAX_PORTS
          && group.stream().allMatch(member -> sameCard(member, port))) {
        return group;
      }
    }
    return null;
  }

  private static boolean sameCard(IbPort one, IbPort other) {
    return one.pciPath() != null
        && one.pciPath().equals(other.pciPath())
        && guid(one) == guid(other)
        && one.linkLayer() == other.linkLayer();
  }

  private static long guid(IbPort port) {
    return port.card().attributes().systemImageGuid();
  }

  private static List<List<IbPort>> forced(List<IbPort> ports, PortOptions options) {
    List<List<IbPort>> groups = new ArrayList<>();
    for (String text : options.forceMerge().split(";", -1)) {
      if (!text.isBlank()) {
        groups.add(named(text.strip(), ports, groups, options));
      }
    }
    return groups;
  }

  private static List<IbPort> named(
      String text, List<IbPort> ports, List<List<IbPort>> before, PortOptions options) {
    if (!options.mergeNics()) {
      throw refused(
          options, "ports cannot be merged, since " + IbVariables.MERGE_NICS + "=0 forbids it");
    }
    List<IbPort> group = new ArrayList<>();
    for (String name : text.split(",", -1)) {
      IbPort port = find(name.strip(), ports, options);
      if (group.contains(port) || before.stream().anyMatch(g -> g.contains(port))) {
        throw refused(options, "port " + port + " is named twice");
      }
      if (!group.isEmpty() && group.getFirst().linkLayer() != port.linkLayer()) {
        throw refused(
            options,
            ErrorText.of(
                "%s is %s and %s is %s, which cannot be one device",
                group.getFirst(),
                group.getFirst().linkLayer().label(),
                port,
                port.linkLayer().label()));
      }
      group.add(port);
    }
    if (group.size() < 2 || group.size() > IbDevice.MAX_PORTS) {
      throw refused(
          options,
          "\"" + text + "\" has " + group.size() + " ports, not 2 to " + IbDevice.MAX_PORTS);
    }
    return group;
  }

  private static IbPort find(String name, List<IbPort> ports, PortOptions options) {
    return ports.stream()
        .filter(p -> name.equals(p.label()) || (p.number() == 1 && name.equals(p.card().name())))
        .findFirst()
        .orElseThrow(() ->
            refused(options, "there is no port \"" + name + "\" that can be used, only " + ports));
  }

  private static IllegalArgumentException refused(PortOptions options, String why) {
    return new IllegalArgumentException(
        ErrorText.of(
            "%s=%s: %s; expected %s",
            FORCE, options.forceMerge(), why, IbVariables.FORCE_MERGE.form()));
  }
}
