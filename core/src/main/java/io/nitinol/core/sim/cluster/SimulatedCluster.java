// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim.cluster;

import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.AnyThread;
import java.util.Arrays;
import java.util.List;

/**
 * Hosts on a fabric. GPUs are numbered host by host, and GPU {@code r} is rank {@code r}. Links are
 * numbered in three groups: out of and into each GPU within its host, out of and into each network
 * device, and those of the fabric. Immutable.
 */
@AnyThread
public final class SimulatedCluster {
  /** The most GPUs of a cluster. */
  public static final int MOST_GPUS = 1 << 21;

  private final List<HostType> types;
  private final int[] typeOf;
  private final SimulatedFabric fabric;

  /** By host, its first GPU and its first network device, and the numbers of all at the end. */
  private final int[] gpuBase;

  private final int[] nicBase;
  private final int[] hostOf;

  /**
   * Puts hosts together.
   *
   * @param types the kinds of hosts
   * @param typeOf by host, which of them it is
   * @throws IllegalArgumentException where there are none or too many
   */
  public SimulatedCluster(List<HostType> types, int[] typeOf, SimulatedFabric fabric) {
    this.types = List.copyOf(types);
    this.typeOf = typeOf.clone();
    this.fabric = fabric;
    this.gpuBase = new int[typeOf.length + 1];
    this.nicBase = new int[typeOf.length + 1];
    long gpus = 0;
    for (int h = 0; h < typeOf.length; h++) {
      HostType type = types.get(typeOf[h]);
      gpus += type.gpus();
      if (gpus > MOST_GPUS) {
        throw new IllegalArgumentException(
            ErrorText.of("more than %d GPUs on %d hosts", MOST_GPUS, typeOf.length));
      }
      gpuBase[h + 1] = (int) gpus;
      nicBase[h + 1] = nicBase[h] + type.nics();
    }
    if (gpus == 0) {
      throw new IllegalArgumentException("a cluster of no hosts; expected 1 or more");
    }
    this.hostOf = new int[(int) gpus];
    for (int h = 0; h < typeOf.length; h++) {
      Arrays.fill(hostOf, gpuBase[h], gpuBase[h + 1], h);
    }
  }

  /** Returns how many GPUs there are. */
  public int gpus() {
    return hostOf.length;
  }

  /** Returns how many hosts there are. */
  public int hosts() {
    return typeOf.length;
  }

  /** Returns the host of a GPU. */
  public int host(int gpu) {
    return hostOf[gpu];
  }

  /** Returns the kind of a host. */
  public HostType type(int host) {
    return types.get(typeOf[host]);
  }

  /** Returns the fabric. */
  public SimulatedFabric fabric() {
    return fabric;
  }

  /** Returns the network device that a GPU uses, by its number on the host. */
  public int nic(int gpu) {
    int host = hostOf[gpu];
    return type(host).nicOf().get(gpu - gpuBase[host]);
  }

  /** Returns how many links there are. */
  public int links() {
    return 2 * hostOf.length + 2 * nicBase[typeOf.length] + fabric.links();
  }

  private int nicLinks() {
    return 2 * hostOf.length;
  }

  private int fabricLinks() {
    return nicLinks() + 2 * nicBase[typeOf.length];
  }

  /** Returns what each link carries, in bytes per microsecond. */
  public double[] capacities() {
    double[] rates = new double[links()];
    for (int h = 0; h < typeOf.length; h++) {
      HostType type = type(h);
      Arrays.fill(rates, 2 * gpuBase[h], 2 * gpuBase[h + 1], type.gpuRate());
      for (int n = 0; n < type.nics(); n++) {
        int at = nicLinks() + 2 * (nicBase[h] + n);
        rates[at] = type.nicRates().get(n);
        rates[at + 1] = rates[at];
      }
    }
    int first = fabricLinks();
    for (int i = 0; i < fabric.links(); i++) {
      rates[first + i] = fabric.capacity(i);
    }
    return rates;
  }

  /** Returns a link's name, such as {@code h0/nic1 out}. */
  public String name(int link) {
    if (link >= fabricLinks()) {
      return fabric.name(link - fabricLinks());
    }
    String way = link % 2 == 0 ? " out" : " in";
    if (link < nicLinks()) {
      int gpu = link / 2;
      return "h" + hostOf[gpu] + "/gpu" + (gpu - gpuBase[hostOf[gpu]]) + way;
    }
    int nic = (link - nicLinks()) / 2;
    int at = Arrays.binarySearch(nicBase, nic);
    int host = at >= 0 ? at : -at - 2;
    return "h" + host + "/nic" + (nic - nicBase[host]) + way;
  }

  private int nicLink(int gpu) {
    return nicLinks() + 2 * (nicBase[hostOf[gpu]] + nic(gpu));
  }

  /** Returns whether two GPUs are on one host. */
  public boolean isOneHost(int a, int b) {
    return hostOf[a] == hostOf[b];
  }

  /** Returns the links from one GPU to another one, in order. */
  public int[] route(int from, int to) {
    if (isOneHost(from, to)) {
      return new int[] {2 * from, 2 * to + 1};
    }
    int[] links = new int[fabric.longest() + 2];
    links[0] = nicLink(from);
    int n = 1 + fabric.route(hostOf[from], nic(from), hostOf[to], nic(to), links, 1);
    for (int i = 1; i < n; i++) {
      links[i] += fabricLinks();
    }
    links[n++] = nicLink(to) + 1;
    return Arrays.copyOf(links, n);
  }

  /** Returns how many switches there are between two GPUs; 0 on one host. */
  public int switches(int from, int to) {
    return isOneHost(from, to) ? 0 : fabric.switches(hostOf[from], nic(from), hostOf[to], nic(to));
  }

  /** Returns the way in words, such as {@code h0/nic0>leaf0.0>h1/nic0}. */
  public String describe(int from, int to) {
    int out = hostOf[from];
    int in = hostOf[to];
    if (out == in) {
      return "h" + out;
    }
    StringBuilder text = new StringBuilder();
    text.append('h').append(out).append("/nic").append(nic(from)).append('>');
    fabric.describe(out, nic(from), in, nic(to), text);
    return text.append('h').append(in).append("/nic").append(nic(to)).toString();
  }

  /**
   * Returns after how many GPUs the cluster looks the same, so that what holds for a rank holds for
   * the one so many behind; 0 if there is no such number.
   */
  public int period() {
    if (types.size() > 1 || fabric.period() == 0 || hosts() % fabric.period() != 0) {
      return 0;
    }
    return fabric.period() * types.getFirst().gpus();
  }

  /** Returns the link that corresponds to one, among those of the first {@link #period} GPUs. */
  public int folded(int link) {
    int hosts = fabric.period();
    if (link >= fabricLinks()) {
      return fabricLinks() + fabric.folded(link - fabricLinks());
    }
    if (link >= nicLinks()) {
      return nicLinks() + (link - nicLinks()) % (2 * nicBase[hosts]);
    }
    return link % (2 * gpuBase[hosts]);
  }

  /** Returns the switch of a collective network that the device of a GPU is on. */
  public int leaf(int gpu) {
    return fabric.leaf(hostOf[gpu], nic(gpu));
  }

  /** Returns the links between a GPU and the switch of a collective network it is on. */
  public int[] toLeaf(int gpu, boolean back) {
    return new int[] {nicLink(gpu) + (back ? 1 : 0)};
  }

  /** Returns the links between a switch of a collective network and the one above. */
  public int[] toRoot(int leaf, boolean back) {
    int link = back ? fabric.down(leaf) : fabric.up(leaf);
    return link < 0 ? new int[0] : new int[] {fabricLinks() + link};
  }
}
