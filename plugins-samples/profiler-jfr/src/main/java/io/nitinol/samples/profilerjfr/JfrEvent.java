// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjfr;

import jdk.jfr.Description;
import jdk.jfr.Label;

/** The columns of all kinds of events that begin, end and stand below each other. */
abstract class JfrEvent extends RankEvent {
  @Label("Number")
  @Description("The event's own number in its communicator and process")
  long number;

  @Label("Parent")
  @Description("The number of the event above it; 0 for none that is recorded")
  long parent;

  @Label("Missed")
  @Description("How many events before this one were not recorded, since too many had not ended")
  long missed;

  void of(String ofCommunicator, int ofRank, long ownNumber, long parentNumber) {
    of(ofCommunicator, ofRank);
    number = ownNumber;
    parent = parentNumber;
  }
}
