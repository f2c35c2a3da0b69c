// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.solo;

import io.nitinol.spi.DataType;
import io.nitinol.spi.ReductionOp;
import io.nitinol.spi.device.v1.Device;
import io.nitinol.spi.device.v1.DeviceEvent;
import io.nitinol.spi.device.v1.DeviceFeature;
import io.nitinol.spi.device.v1.DeviceMemory;
import io.nitinol.spi.device.v1.DeviceReduction;
import io.nitinol.spi.device.v1.DeviceStream;
import io.nitinol.spi.device.v1.KernelStep;
import io.nitinol.tck.device.DeviceInstance;
import io.nitinol.tck.device.DeviceSession;
import io.nitinol.tck.device.TeamGroup;
import io.nitinol.tck.session.TestTerms;
import java.util.HashSet;
import java.util.Set;

/** Makes the usual calls of a device provider, provokes failures, and watches the threads. */
final class DeviceWork {
  private DeviceWork() {}

  static void run(TestTerms terms, NewThreads threads, SoloReport report) {
    Set<Thread> seen = new HashSet<>();
    DeviceInstance instance = DeviceInstance.start(terms.plugin(), terms.lane(), terms.trace());
    report.say("name", instance.provider().name());
    Working.note(threads, seen, report);
    if (instance.devices().isEmpty()) {
      return;
    }
    try (DeviceSession session = new DeviceSession(terms, instance)) {
      for (Device device : session.all()) {
        byte[] content = session.noise(10_000);
        DeviceMemory memory = session.memory(device, content.length);
        session.write(device, memory.address(), content);
        DeviceStream stream = session.stream(device);
        DeviceEvent event = session.event(device);
        stream.record(event);
        stream.await(event);
        sum(device, stream, memory);
        session.finish(stream);
        Working.refused(() -> device.allocate(-1));
        Working.refused(() -> device.allocate(1L << 62));
        Working.refused(() -> stream.copy(memory.address(), memory.address(), -1));
        Working.refused(stream::endCapture);
        Working.note(threads, seen, report);
      }
      if (session.device().supports(DeviceFeature.TEAMS)) {
        TeamGroup group = TeamGroup.alone(session);
        group.each(member -> member.team().abort("the errand wants to see it"));
        group.closeTeam();
      }
      Working.note(threads, seen, report);
    }
    Working.note(threads, seen, report);
  }

  private static void sum(Device device, DeviceStream stream, DeviceMemory memory) {
    DeviceReduction sum = DeviceReduction.of(DataType.INT32, ReductionOp.SUM, 2);
    if (device.kernels().supports(sum)) {
      long at = memory.address();
      device.kernels().apply(stream, sum, KernelStep.REDUCE, at, at + 4000, at + 8000, 400);
    }
  }
}
