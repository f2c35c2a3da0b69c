// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.NetException;
import io.nitinol.spi.net.Request;
import io.nitinol.tck.check.RuleViolation;
import org.jspecify.annotations.Nullable;

/** One member's part in a reduction: waiting to be started, in flight, complete or failed. */
public final class CollOperation {
  private final CollMember member;
  private final Reduction reduction;
  private final int[] sizes = {-1};
  private @Nullable Request request;
  private @Nullable NetException failure;
  private boolean done;

  CollOperation(CollMember member, Reduction reduction) {
    this.member = member;
    this.reduction = reduction;
  }

  /** Returns the reduction that was requested. */
  public Reduction reduction() {
    return reduction;
  }

  /** Returns the request while the operation is in flight; null before and afterwards. */
  public @Nullable Request request() {
    return done ? null : request;
  }

  /** Returns whether iallreduce has accepted it, or failed. */
  public boolean isStarted() {
    return request != null || done;
  }

  /** Returns whether it is complete or has failed. */
  public boolean isDone() {
    return done;
  }

  /** Returns the failure of iallreduce or test; null if there was none. */
  public @Nullable NetException failure() {
    return failure;
  }

  /** Returns the bytes that test reported; -1 where it has not. */
  public int size() {
    return sizes[0];
  }

  /** Calls iallreduce unless it has been accepted; true when it has. */
  public boolean start() {
    if (!isStarted()) {
      try {
        request = member.iallreduce(reduction);
      } catch (NetException e) {
        fail(e);
      } catch (Throwable e) {
        throw new RuleViolation("NET-ERR-01", "iallreduce threw " + e, e);
      }
    }
    return isStarted();
  }

  /** Calls test where the operation is in flight; true when it is complete or has failed. */
  public boolean test() {
    Request flying = request;
    if (!done && flying != null) {
      try {
        done = member.net().test(flying, sizes);
      } catch (NetException e) {
        fail(e);
      } catch (Throwable e) {
        throw new RuleViolation("NET-ERR-01", "test threw " + e, e);
      }
    }
    return done;
  }

  private void fail(NetException e) {
    failure = e;
    done = true;
  }
}
