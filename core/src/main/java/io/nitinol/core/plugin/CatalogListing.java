// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.plugin;

import java.util.List;

/** What a catalog holds, line by line, for messages about something that is not in it. */
final class CatalogListing {
  private CatalogListing() {}

  /** Lists plugins with their versions and origins, and what was rejected with the reasons. */
  static String of(List<? extends Candidate<?>> found, List<PluginDescription> rejected) {
    StringBuilder text = new StringBuilder();
    for (Candidate<?> candidate : found) {
      text.append("\n    ").append(candidate.name());
      text.append(" (").append(candidate.kind().label()).append(' ');
      text.append(candidate.offered().versions()).append(") from ").append(candidate.origin());
    }
    if (!text.isEmpty()) {
      text.insert(0, "\n  found:");
    }
    if (!rejected.isEmpty()) {
      text.append("\n  rejected:");
    }
    for (PluginDescription known : rejected) {
      text.append("\n    ").append(known.name()).append(": ").append(known.reason());
    }
    return text.toString();
  }
}
