// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.config;

import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import java.util.List;

/** The variables that only the libfabric plugin reads, each declared once. */
public final class OfiVariables implements VariableCatalog {

  /** Which provider is used. */
  public static final Variable<String> PROVIDER =
      Variable.text(
          "NITINOL_OFI_PROVIDER",
          "a provider's name, such as tcp, udp;ofi_rxd, shm, verbs or efa",
          "",
          "Which provider of libfabric is used; empty takes the first that libfabric offers and that"
              + " reaches other hosts. FI_PROVIDER, which libfabric reads, limits what it offers.");

  /** Which domain is used. */
  public static final Variable<String> DOMAIN =
      Variable.text(
          "NITINOL_OFI_DOMAIN",
          "a domain's name, such as eth0 or mlx5_0",
          "",
          "Which domain of the provider is the only device; empty makes each domain a device.");

  /** Who moves data. */
  public static final Variable<String> PROGRESS =
      Variable.choice(
          "NITINOL_OFI_PROGRESS",
          List.of("default", "auto", "manual"),
          "default",
          "Whether libfabric moves data by itself (auto), while it is called (manual), or as the"
              + " provider prefers (default).");

  /** Whether memory is registered without need. */
  public static final Variable<Boolean> REGISTER =
      Variable.flag(
          "NITINOL_OFI_REGISTER",
          false,
          "Whether memory is registered with providers, too, that do not ask for it.");

  /** The bound of connecting, in milliseconds. */
  public static final Variable<Integer> CONNECT_MSEC =
      Variable.integer(
          "NITINOL_OFI_CONNECT_MSEC",
          1,
          Integer.MAX_VALUE,
          50_000,
          "After how many milliseconds, all tries together, connecting to a peer by libfabric fails.");

  /** The time of each part of an incoming connection's greeting, in milliseconds. */
  public static final Variable<Integer> HANDSHAKE_MSEC =
      Variable.integer(
          "NITINOL_OFI_HANDSHAKE_MSEC",
          1,
          Integer.MAX_VALUE,
          30_000,
          "How many milliseconds a connection that reaches a listener of the libfabric plugin has"
              + " for its greeting, then for its proof, and then for the exchange of addresses.");

  /** The bound of unproven connections per listener. */
  public static final Variable<Integer> HALF_OPEN =
      Variable.integer(
          "NITINOL_OFI_HALF_OPEN",
          1,
          65_536,
          256,
          "How many connections that have not yet greeted a listener of the libfabric plugin keeps;"
              + " one more drops the oldest.");

  /** The idle time after which the kernel probes a connection, in seconds. */
  public static final Variable<Integer> KEEPALIVE_SEC =
      Variable.integer(
          "NITINOL_OFI_KEEPALIVE_SEC",
          0,
          32_767,
          10,
          "After how many idle seconds, and then how often, the kernel asks whether the peer's host"
              + " is still there, by the TCP connection that each libfabric connection keeps; five"
              + " unanswered probes end it, 0 never asks.");

  private static final List<Variable<?>> ALL =
      List.of(
          PROVIDER,
          DOMAIN,
          PROGRESS,
          REGISTER,
          CONNECT_MSEC,
          HANDSHAKE_MSEC,
          HALF_OPEN,
          KEEPALIVE_SEC);

  /** Creates the catalogue; for ServiceLoader. */
  public OfiVariables() {}

  @Override
  public String owner() {
    return "net-libfabric";
  }

  @Override
  public List<Variable<?>> variables() {
    return ALL;
  }
}
