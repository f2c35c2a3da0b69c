// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjfr;

import jdk.jfr.Label;
import jdk.jfr.Name;

/** A communicator, from its making to its closing. */
@Name("io.nitinol.Communicator")
@Label("Communicator")
final class CommunicatorEvent extends JfrEvent {
  @Label("Ranks")
  int ranks;

  @Label("Hosts")
  int nodes;
}
