// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjfr;

import io.nitinol.spi.profiler.v1.EventDescriptor;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A collective, until this rank has done its part. */
@Name("io.nitinol.Collective")
@Label("Collective")
@Enabled
final class CollectiveEvent extends CallEvent {
  @Label("Sequence")
  @Description("How many of this collective the rank had submitted before: equal on all ranks")
  long sequence;

  @Label("Root")
  @Description("The rank that it is from or to; 0 for a collective that has none")
  int root;

  @Label("Algorithm")
  String algorithm;

  @Label("Protocol")
  String protocol;

  @Label("Channels")
  int channels;

  CollectiveEvent(EventDescriptor.Coll coll) {
    what(coll.function(), coll.count(), coll.dataType());
    sequence = coll.sequence();
    root = coll.root();
    algorithm = coll.algorithm().name();
    protocol = coll.protocol().name();
    channels = coll.channels();
  }
}
