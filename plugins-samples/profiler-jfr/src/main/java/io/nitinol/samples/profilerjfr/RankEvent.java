// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/** The columns that all events have. */
@Category("Nitinol")
@StackTrace(false) // an event ends on a thread that has nothing to do with the call
abstract class RankEvent extends Event {
  @Label("Communicator")
  @Description("Its name, if the application gave it one, and its number, the same on all ranks")
  String communicator = "";

  @Label("Rank")
  int rank;

  final void of(String ofCommunicator, int ofRank) {
    communicator = ofCommunicator;
    rank = ofRank;
  }
}
