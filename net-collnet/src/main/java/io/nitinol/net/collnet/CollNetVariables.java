// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet;

import io.nitinol.net.collnet.link.SwitchKey;
import io.nitinol.spi.NetException;
import io.nitinol.spi.config.Settings;
import io.nitinol.spi.config.Variable;
import io.nitinol.spi.config.VariableCatalog;
import java.util.ArrayList;
import java.util.List;

/** The variables that only the CollNet plugin "Switch" reads, each declared once. */
public final class CollNetVariables implements VariableCatalog {

  /** Where the switches are. */
  public static final Variable<String> SWITCH =
      Variable.text(
          "NITINOL_COLLNET_SWITCH",
          "host:port[,host:port...]",
          "",
          "Where the switch of this host is that reduces in the network, one for each device of the"
              + " CollNet plugin Switch; where not set, the process of a group's rank 0 is the"
              + " switch.");

  /** Which network plugin carries the data. */
  public static final Variable<String> NET =
      Variable.text(
          "NITINOL_COLLNET_NET",
          "a name",
          "Socket",
          "The network plugin, such as Socket or IB, that carries data between ranks and switches:"
              + " any that nitinol plugins shows, of any version; the switches have the same.");

  /** The secret of the switches. */
  public static final Variable<String> SECRET =
      Variable.text(
          "NITINOL_COLLNET_SECRET",
          "a file",
          "",
          "The file whose content is the secret of the switches of NITINOL_COLLNET_SWITCH (their"
              + " --secret); where not set, NITINOL_COMM_SECRET is, and without that a switch has"
              + " none.");

  /** The text that is the secret where there is no file; core's variable. */
  static final Variable<String> COMM_SECRET =
      Variable.text("NITINOL_COMM_SECRET", "text", "", "The secret of ranks that meet.");

  /** How long joining a group may take. */
  public static final Variable<Integer> TIMEOUT =
      Variable.integer(
          "NITINOL_COLLNET_TIMEOUT",
          1,
          3_600,
          45,
          "After how many seconds a rank gives up joining a group of the switch, whose other ranks"
              + " or switches have not come.");

  /** Creates the catalog, for ServiceLoader. */
  public CollNetVariables() {}

  @Override
  public String owner() {
    return "net-collnet";
  }

  @Override
  public List<Variable<?>> variables() {
    return List.of(SWITCH, NET, SECRET, TIMEOUT);
  }

  /** Finds a secret that cannot be read and addresses that are none: init would refuse them. */
  @Override
  public List<String> unmet(Settings settings) {
    List<String> found = new ArrayList<>();
    String secret = settings.get(SECRET).strip();
    try {
      if (!secret.isEmpty()) {
        SwitchKey.of(secret, "");
      }
    } catch (NetException e) {
      found.add(String.valueOf(e.getMessage()));
    }
    try {
      SwitchDevices.parse(settings.get(SWITCH).strip());
    } catch (NetException e) {
      found.add(String.valueOf(e.getMessage()));
    }
    return found;
  }
}
