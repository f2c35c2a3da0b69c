// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.transport.collnet;

import io.nitinol.core.plugin.PluginSession;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.collnet.v12.CollNet;
import io.nitinol.spi.net.CollComm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.toolkit.thread.WaitingCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A head's joining of its groups, and what it takes: a context, a listener for each channel, the
 * memory of handles, and the thread that is inside the plugin while that connects. A caller that
 * gives up leaves all of it to that thread, which closes it when the plugin lets it go. All calls
 * come from one thread, but for that one's own.
 */
final class CollNetGroupCall {
  /** The plugin, by channel. */
  private final CollNet[] nets;

  private final PluginSession<CollNet> session;
  private final DebugLogger logger;
  private final Arena arena = Arena.ofShared();
  private final List<ListenComm> listeners = new ArrayList<>();
  private @Nullable WaitingCall<List<CollComm>> call;

  /** Whether something could not be closed, so that the context stays. */
  private boolean stays;

  /**
   * Begins without listeners.
   *
   * @param nets the plugin as each channel calls it
   * @param session this communicator's context, taken over
   */
  CollNetGroupCall(CollNet[] nets, PluginSession<CollNet> session, DebugLogger logger) {
    this.nets = nets;
    this.session = session;
    this.logger = logger;
  }

  /** Returns the plugin as a channel calls it. */
  CollNet net(int channel) {
    return nets[channel];
  }

  /** Listens for the group of the next channel on a device, and returns the handle. */
  byte[] listen(int device) {
    MemorySegment handle = arena.allocate(CollNet.HANDLE_MAXSIZE, 8);
    listeners.add(nets[listeners.size()].listen(session.context(), device, handle));
    return handle.toArray(ValueLayout.JAVA_BYTE);
  }

  /** Returns the bytes of a handle as the plugin takes them. */
  MemorySegment handle(byte[] from, int offset) {
    MemorySegment handle = arena.allocate(CollNet.HANDLE_MAXSIZE, 8);
    MemorySegment.copy(from, offset, handle, ValueLayout.JAVA_BYTE, 0, CollNet.HANDLE_MAXSIZE);
    return handle;
  }

  /**
   * Begins to connect, each channel after the one before.
   *
   * @param thread the name of the thread that does
   * @param groups by channel, the handles of the group
   * @param rank this rank's place in each
   */
  void connect(String thread, MemorySegment[][] groups, int rank) {
    WaitingCall<List<CollComm>> begun =
        new WaitingCall<>(thread, () -> connectAll(groups, rank), this::dispose);
    call = begun;
    begun.start();
  }

  private List<CollComm> connectAll(MemorySegment[][] groups, int rank) {
    List<CollComm> made = new ArrayList<>();
    try {
      for (int c = 0; c < groups.length; c++) {
        CollComm comm = nets[c].connect(groups[c], groups[c].length, rank, listeners.get(c));
        made.add(Objects.requireNonNull(comm, "connect returned no comm"));
      }
      return made;
    } catch (Throwable e) {
      closeAll(made);
      throw e;
    }
  }

  /** Returns the comms once they are there, by channel, and null before; throws what went wrong. */
  @Nullable List<CollComm> poll() {
    return Objects.requireNonNull(call).poll();
  }

  /** Closes what is only needed to join; the context lives on. */
  void finish() {
    for (int c = 0; c < listeners.size(); c++) {
      CollNet net = nets[c];
      ListenComm listener = listeners.get(c);
      attempt("closing a listener", () -> net.closeListen(listener));
    }
    listeners.clear();
    arena.close();
  }

  /**
   * Returns the context, to be closed when the groups have been left; null where it has to stay,
   * since a listener in it could not be closed (NET-INIT-10).
   */
  @Nullable PluginSession<CollNet> session() {
    return stays ? null : session;
  }

  /** Gives everything up, once: it is closed now, or by the thread that is inside the plugin. */
  void abandon() {
    WaitingCall<List<CollComm>> begun = call;
    if (begun == null || !begun.abandon()) {
      dispose(begun == null ? null : begun.result());
    }
  }

  private void dispose(@Nullable List<CollComm> made) {
    closeAll(made == null ? List.of() : made);
    finish();
    if (!stays) {
      attempt("ending with the plugin", session::close);
    }
  }

  private void closeAll(List<CollComm> made) {
    for (int c = 0; c < made.size(); c++) {
      CollNet net = nets[c];
      CollComm comm = made.get(c);
      attempt("leaving a group", () -> net.closeColl(comm));
    }
  }

  private void attempt(String what, Runnable action) {
    try {
      action.run();
    } catch (Throwable e) {
      stays = true;
      logger.warn("CollNet", what + " of " + nets[0].name() + " failed: " + e);
    }
  }
}
