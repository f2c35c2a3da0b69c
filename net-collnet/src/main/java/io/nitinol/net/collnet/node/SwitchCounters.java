// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.node;

import io.nitinol.toolkit.thread.AnyThread;
import java.util.concurrent.atomic.LongAdder;

/** What has become of the groups of a switch, counted since its start. */
@AnyThread
final class SwitchCounters {
  /** Groups whose members had all come. */
  final LongAdder admitted = new LongAdder();

  /** Joins that were refused. */
  final LongAdder refusals = new LongAdder();

  /** Groups that ended by a failure. */
  final LongAdder failures = new LongAdder();
}
