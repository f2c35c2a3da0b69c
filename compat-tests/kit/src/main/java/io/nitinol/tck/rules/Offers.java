// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.rules;

import io.nitinol.core.plugin.PluginDescription;
import io.nitinol.tck.check.Need;
import io.nitinol.tck.check.Rule;
import io.nitinol.tck.session.Session;
import java.util.List;

/** What a plugin's jar or directory promises beside the version under test. */
public final class Offers {

  /** Nitinol would fall back on an older version without a word in the results. */
  @Rule(value = "SEL-01", needs = Need.DIRECT)
  void everyProviderThatIsNamedLoads(Session session) {
    List<PluginDescription> rejected = session.plugin().rejected();
    if (!rejected.isEmpty()) {
      PluginDescription first = rejected.getFirst();
      String provider = first.providerClass() == null ? first.name() : first.providerClass();
      throw session.broken(
          rejected.size()
              + " of the providers beside this version cannot be loaded, the first being "
              + provider
              + ": "
              + first.reason());
    }
  }
}
