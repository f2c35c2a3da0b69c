// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.sim.cluster;

import io.nitinol.toolkit.ErrorText;

/**
 * A dragonfly: groups of routers, each router linked to all others of its group and each group to
 * all other groups. All devices of a host are on one router. Messages take the shortest way: to the
 * router that has the link to the other group, over it, and to the host's router.
 *
 * @param groups how many groups
 * @param routers how many routers a group has
 * @param hostsPerRouter how many hosts a router has
 * @param localRate what a link between routers of a group carries, in bytes per microsecond
 * @param globalRate what the link between two groups carries
 */
public record Dragonfly(
    int groups, int routers, int hostsPerRouter, double localRate, double globalRate)
    implements SimulatedFabric {
  private static final long MOST_LINKS = 16 << 20;

  /** Checks the numbers. */
  public Dragonfly {
    if (groups < 1 || routers < 1 || hostsPerRouter < 1 || !(localRate > 0) || !(globalRate > 0)) {
      throw new IllegalArgumentException("a dragonfly needs groups, routers and hosts");
    }
    long links = (long) groups * routers * routers + (long) groups * groups;
    if (links > MOST_LINKS) {
      throw new IllegalArgumentException(
          ErrorText.of("%d links between routers; expected at most %d", links, MOST_LINKS));
    }
  }

  /** Returns how many hosts there is room for. */
  public long hosts() {
    return (long) groups * routers * hostsPerRouter;
  }

  private int local(int group, int from, int to) {
    return (group * routers + from) * routers + to;
  }

  private int global(int from, int to) {
    return groups * routers * routers + from * groups + to;
  }

  private int group(int host) {
    return host / hostsPerRouter / routers;
  }

  private int router(int host) {
    return host / hostsPerRouter % routers;
  }

  /** Returns the router of {@code group} with the link to another group. */
  private int gateway(int group, int other) {
    return (other > group ? other - 1 : other) % routers;
  }

  @Override
  public int links() {
    return groups * routers * routers + groups * groups;
  }

  @Override
  public double capacity(int link) {
    return link < groups * routers * routers ? localRate : globalRate;
  }

  @Override
  public String name(int link) {
    int locals = groups * routers * routers;
    if (link < locals) {
      int from = link / routers;
      String group = "router" + from / routers + ".";
      return group + from % routers + ">" + group + link % routers;
    }
    int pair = link - locals;
    return "group" + pair / groups + ">group" + pair % groups;
  }

  @Override
  public int longest() {
    return 3;
  }

  @Override
  public int route(int fromHost, int fromNic, int toHost, int toNic, int[] into, int at) {
    int first = group(fromHost);
    int last = group(toHost);
    int out = router(fromHost);
    int in = router(toHost);
    int n = at;
    if (first == last) {
      if (out != in) {
        into[n++] = local(first, out, in);
      }
      return n - at;
    }
    int leaves = gateway(first, last);
    int enters = gateway(last, first);
    if (out != leaves) {
      into[n++] = local(first, out, leaves);
    }
    into[n++] = global(first, last);
    if (enters != in) {
      into[n++] = local(last, enters, in);
    }
    return n - at;
  }

  @Override
  public int switches(int fromHost, int fromNic, int toHost, int toNic) {
    return 1 + route(fromHost, fromNic, toHost, toNic, new int[3], 0);
  }

  @Override
  public void describe(int fromHost, int fromNic, int toHost, int toNic, StringBuilder to) {
    int from = group(fromHost);
    int last = group(toHost);
    append(to, from, router(fromHost));
    if (from == last) {
      if (router(fromHost) != router(toHost)) {
        append(to, last, router(toHost));
      }
      return;
    }
    if (gateway(from, last) != router(fromHost)) {
      append(to, from, gateway(from, last));
    }
    append(to, last, gateway(last, from));
    if (gateway(last, from) != router(toHost)) {
      append(to, last, router(toHost));
    }
  }

  private static void append(StringBuilder to, int group, int router) {
    to.append("router").append(group).append('.').append(router).append('>');
  }

  @Override
  public int period() {
    return 0;
  }

  @Override
  public int folded(int link) {
    return link;
  }

  @Override
  public int leaf(int host, int nic) {
    return 0;
  }

  @Override
  public int up(int leaf) {
    return -1;
  }

  @Override
  public int down(int leaf) {
    return -1;
  }
}
