// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.shm;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.lang.foreign.ValueLayout;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/** What a user of a region has done before it arrives is seen by the users that see it arrive. */
public class SharedRegionStress {
  private static final long AT = SharedRegion.HEADER;

  private static SharedRegion create() {
    return SharedRegion.createLocal(SharedRegion.HEADER + 64, 2, null);
  }

  /** By count. */
  @JCStressTest
  @Outcome(
      id = {"0, 0, 0", "0, 1, 0", "0, 0, 1", "0, 1, 1", "1, 1, 1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "the region is complete, and what was before is not there")
  @State
  public static class Complete {
    private final SharedRegion region = create();
    private int data;
    private int look;

    public Complete() {
      region.arrive(1);
    }

    @Actor
    public void arriving() {
      region.memory().set(ValueLayout.JAVA_LONG, AT, 1);
      data = 1;
      region.arrive(0);
    }

    @Actor
    public void waiting(III_Result r) {
      look = data; // a compiler may keep it, unless the next line orders
      r.r1 = region.completeIfArrived() ? 1 : 0;
      r.r2 = data;
      r.r3 = (int) region.memory().get(ValueLayout.JAVA_LONG, AT);
    }

    @Arbiter
    public void close() {
      region.close();
    }
  }

  /** By name. */
  @JCStressTest
  @Outcome(
      id = {"0, 0", "0, 1", "1, 1"},
      expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "the user has arrived, and what was before is not there")
  @State
  public static class Named {
    private final SharedRegion region = create();
    private int data;
    private int look;

    @Actor
    public void arriving() {
      data = 1;
      region.arrive(0);
    }

    @Actor
    public void waiting(II_Result r) {
      look = data; // a compiler may keep it, unless the next line orders
      r.r1 = region.hasArrived(0) ? 1 : 0;
      r.r2 = data;
    }

    @Arbiter
    public void close() {
      region.close();
    }
  }

  /** Two that arrive at the same time are two. */
  @JCStressTest
  @Outcome(id = "1, 1", expect = ACCEPTABLE)
  @Outcome(expect = FORBIDDEN, desc = "one arrival is lost")
  @State
  public static class Both {
    private final SharedRegion region = create();

    @Actor
    public void first() {
      region.arrive(0);
    }

    @Actor
    public void second() {
      region.arrive(1);
    }

    @Arbiter
    public void look(II_Result r) {
      r.r1 = region.completeIfArrived() ? 1 : 0;
      r.r2 = region.hasArrived(0) && region.hasArrived(1) ? 1 : 0;
      region.close();
    }
  }
}
