// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/** The columns that all kinds of events have. */
@Category("Nitinol")
@StackTrace(false) // an event ends on a thread that has nothing to do with the call
abstract class JfrEvent extends Event {
  @Label("Communicator")
  @Description("Its name, if the application gave it one, and its number, the same on all ranks")
  String communicator = "";

  @Label("Rank")
  int rank;

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
    communicator = ofCommunicator;
    rank = ofRank;
    number = ownNumber;
    parent = parentNumber;
  }
}
