// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.socket;

import java.util.List;
import java.util.Map;

/** How the two processes of a {@link EndPair} are started. */
public interface Ends {

  /** Returns the human-readable name. */
  String label();

  /**
   * Returns the command that runs an end; for {@link Place#command}.
   *
   * @param connections how many connections streams go by
   * @param largest bytes of the largest message
   */
  List<String> command(boolean near, int connections, int largest, Place place);

  /** Returns variables for an end. */
  Map<String, String> environment(Place place);
}
