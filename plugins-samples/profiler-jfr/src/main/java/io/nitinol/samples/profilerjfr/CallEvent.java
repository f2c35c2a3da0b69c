// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.profilerjfr;

import io.nitinol.spi.Collective;
import io.nitinol.spi.DataType;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Label;
import jdk.jfr.Name;

/**
 * A call of the application, until it returns. Off by default: the operation that it starts has the
 * same columns, and this second event would be a third of what an operation costs a recording.
 */
@Name("io.nitinol.Call")
@Label("Call")
@Enabled(false)
sealed class CallEvent extends JfrEvent permits CollectiveEvent, PointToPointEvent {
  @Label("Operation")
  String operation = "";

  @Label("Elements")
  long count;

  @Label("Type")
  String dataType = "";

  @Label("Size")
  @DataAmount
  long bytes;

  @Label("Given Up")
  @Description("The communicator has failed, or was closed, before the operation was done")
  boolean givenUp;

  CallEvent() {}

  CallEvent(Collective function, long count, DataType type) {
    what(function, count, type);
  }

  final void what(Collective function, long elements, DataType type) {
    operation = function.label();
    count = elements;
    dataType = type.label();
    bytes = elements * type.size();
  }
}
