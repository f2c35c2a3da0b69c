// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric;

import io.nitinol.samples.libfabric.fabric.Endpoint;
import io.nitinol.samples.libfabric.fabric.FabricFailure;
import io.nitinol.samples.libfabric.fabric.Terms;
import io.nitinol.samples.libfabric.link.OfiFrameKind;
import io.nitinol.samples.libfabric.link.OfiLifeline;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.PeerProof.Role;
import io.nitinol.toolkit.connect.Completion;
import io.nitinol.toolkit.connect.Proven;
import io.nitinol.toolkit.control.FrameException;
import io.nitinol.toolkit.control.PeerReason;
import io.nitinol.toolkit.control.ProvenFrames;
import io.nitinol.toolkit.control.ProvenFrames.Frame;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What two sides tell each other on a connection that has been proven: what they must have alike,
 * and where their endpoints are in the fabric. Only a peer learns that, and the tags of the comm's
 * messages follow from the proofs: what a stranger sends to an endpoint meets no receive.
 *
 * @param <C> the comm that comes of it
 */
final class OfiExchange<C extends OfiCommEnd> implements Completion<C>, Endpoint.Completions {
  private static final byte[] TAGS = "nitinol ofi tags".getBytes(StandardCharsets.US_ASCII);

  // Two operations of the endpoint that no comm uses.
  private static final int HEAR = OfiCommEnd.OPERATIONS;
  private static final int GREET = HEAR + 1;

  static {
    if (GREET >= Endpoint.OPERATIONS) {
      throw new IllegalStateException("an endpoint has room for too few operations");
    }
  }

  /** Makes the comm. */
  @FunctionalInterface
  interface Maker<C> {
    C make(OfiDevice device, Endpoint endpoint, OfiLifeline lifeline, String label, OfiTags tags);
  }

  private final OfiDevice device;
  private final Maker<C> maker;
  private final ProvenFrames<OfiFrameKind> frames;
  private final String label;
  private final OfiTags tags;
  private final Terms terms;
  private final boolean sends;
  private final OfiLifeline lifeline;
  private @Nullable Endpoint endpoint;
  private boolean joined;
  private boolean waiting;
  private boolean greeted;
  private boolean met;

  OfiExchange(OfiDevice device, Proven proven, Role side, Maker<C> maker) {
    this.device = device;
    this.maker = maker;
    this.label = proven.label();
    this.sends = side == Role.CONNECTOR;
    this.tags =
        new OfiTags(
            ByteBuffer.wrap(proven.binding(0, Role.CONNECTOR, TAGS)).getInt(),
            device.info().tagMask());
    this.terms = Terms.of(device.info());
    this.frames = ProvenFrames.on(OfiFrameKind.FORMAT, proven, side);
    this.lifeline = new OfiLifeline(frames, OfiShorts.PLACES);
  }

  @Override
  public String what() {
    return "exchange of fabric addresses";
  }

  @Override
  public @Nullable C advance() throws IOException {
    try {
      return step();
    } catch (FrameException e) {
      throw refuse(
          new NetException(
              ResultCode.REMOTE_ERROR, label + ": the peer sent " + e.getMessage(), e));
    } catch (NetException e) {
      throw refuse(e);
    }
  }

  private @Nullable C step() throws IOException, FrameException {
    if (sends && endpoint == null) {
      open();
    }
    boolean said = frames.said();
    if (!joined) {
      Frame<OfiFrameKind> frame = frames.hear();
      if (frame == null) {
        return null;
      }
      join(frame);
      joined = true;
      said = frames.said();
    }
    Endpoint own = endpoint;
    if (own == null || !said || !haveMet(own)) {
      return null;
    }
    C comm = maker.make(device, own, lifeline, label, tags);
    endpoint = null;
    return comm;
  }

  /**
   * Opens the endpoint, which may take tens of milliseconds. The accepting side does it once it has
   * the peer's address, so that peers that have stopped before do not hold up its other
   * connections.
   */
  private Endpoint open() {
    Endpoint own = new Endpoint(device.domain());
    endpoint = own;
    frames.say(OfiFrameKind.ADDRESS, encode(own.name()));
    return own;
  }

  /**
   * Exchanges messages of no bytes, the receiving end's first. So the provider has made its
   * connections while both sides are called again and again; later on an announcement leaves
   * without another call on the receiving end.
   */
  private boolean haveMet(Endpoint own) throws IOException {
    if (!waiting) {
      waiting = done(own.receive(HEAR, own.nowhere(), 0, 0, tags.hello(sends ? 0 : 1)), "fi_trecv");
    }
    if (waiting && !greeted && (met || !sends)) {
      greeted = done(own.send(GREET, own.nowhere(), 0, 0, tags.hello(sends ? 1 : 0)), "fi_tsend");
    }
    own.poll(this);
    if (met && sends && !greeted) {
      greeted = done(own.send(GREET, own.nowhere(), 0, 0, tags.hello(1)), "fi_tsend");
      own.poll(this);
    }
    if (met && greeted) {
      return true;
    }
    String end = lifeline.look();
    if (end != null && !lifeline.hasClosed()) {
      throw new IOException("the peer is gone: " + end);
    }
    return end != null;
  }

  private boolean done(long code, String call) {
    if (code != 0 && code != Endpoint.NO_ROOM) {
      failed(-1, (int) -code, call + " returned " + code);
    }
    return code == 0;
  }

  @Override
  public void completed(int operation, long bytes) {
    met |= operation == HEAR;
  }

  @Override
  public void cancelled(int operation) {} // nothing is taken back here

  @Override
  public void failed(int operation, int error, String text) {
    throw new NetException(
        operation < 0 ? FabricFailure.result(error) : ResultCode.REMOTE_ERROR,
        label + ": the fabric does not connect: " + text);
  }

  private ByteBuffer encode(byte[] address) {
    byte[] said = terms.encode();
    return ByteBuffer.allocate(said.length + address.length).put(said).put(address).flip();
  }

  private void join(Frame<OfiFrameKind> frame) throws FrameException {
    ByteBuffer body = frame.body();
    if (frame.kind() == OfiFrameKind.FAILURE) {
      PeerReason reason = PeerReason.decode(body);
      throw new NetException(
          reason.result(), label + ": the peer does not connect: " + reason.text());
    }
    if (frame.kind() != OfiFrameKind.ADDRESS) {
      throw new FrameException("a frame of kind " + frame.kind() + " that holds no address");
    }
    String difference = terms.difference(body);
    if (difference != null) {
      throw new NetException(ResultCode.INVALID_USAGE, label + ": " + difference);
    }
    int rest = body.remaining();
    if (rest < 1 || rest > Endpoint.LONGEST_ADDRESS) {
      throw new FrameException(ErrorText.of("an address of %d bytes", rest));
    }
    byte[] address = new byte[rest];
    body.get(address);
    Endpoint own = endpoint == null ? open() : endpoint;
    if (rest != own.name().length && device.info().addressFormat() != 0) {
      checkSize(own, rest);
    }
    own.join(address, label);
  }

  /** A provider reads as many bytes as an address of its format has; names may be any length. */
  private void checkSize(Endpoint own, int size) throws FrameException {
    if (!device.info().hasNames()) {
      throw new FrameException(
          ErrorText.of("an address of %d bytes, %d were expected", size, own.name().length));
    }
  }

  /** Tells the peer why there will be no connection, so that its error says so, too. */
  private NetException refuse(NetException why) {
    lifeline.sayFailure(why.result(), String.valueOf(why.getMessage()));
    return why;
  }

  @Override
  public void close() throws IOException {
    Endpoint own = endpoint;
    endpoint = null;
    NetException problem = own == null ? null : own.close();
    lifeline.close();
    if (problem != null) {
      throw new IOException(label + ": cannot free the endpoint", problem);
    }
  }
}
