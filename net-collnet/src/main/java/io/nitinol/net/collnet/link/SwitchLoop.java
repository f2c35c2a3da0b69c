// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.collnet.link;

import io.nitinol.net.collnet.wire.FrameCodec;
import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.Addresses;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.control.ControlListener;
import io.nitinol.toolkit.control.ControlLoop;
import io.nitinol.toolkit.control.ControlProtocol;
import io.nitinol.toolkit.control.Patience;
import io.nitinol.toolkit.control.StrangerLimits;
import io.nitinol.toolkit.proof.Greeting;
import io.nitinol.toolkit.proof.HandshakeFormat;
import io.nitinol.toolkit.thread.AnyThread;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The control connections of a switch, or of a process's members, and their thread. Each side gives
 * a sign of life every 2 s and gives up another side that was silent for 8 s.
 */
@AnyThread
public final class SwitchLoop implements AutoCloseable {
  static final String HERE = "SwitchLoop";

  private static final int MOST_WAITING = 2 << 20; // many times what any side has to say

  /** The proof gets longer than any side waits for its connection. */
  private static final StrangerLimits STRANGER_LIMITS =
      new StrangerLimits(Duration.ofSeconds(10), Duration.ofMinutes(4));

  private static final Duration JOIN_LIMIT = Duration.ofSeconds(2);

  private static final long MAGIC = 0x4e69537769746368L; // NiSwitch
  private static final ControlProtocol PROTOCOL =
      new ControlProtocol(
          new HandshakeFormat("the switch's protocol", MAGIC, MAGIC, 3, 0, 0, null),
          FrameCodec.MAX_FRAME,
          MOST_WAITING,
          TimeUnit.SECONDS.toNanos(8),
          1_024,
          8,
          HERE,
          LogSubsystem.NET);

  /** What both sides say: nothing but that they know the key. */
  private static final class KeyGreeting implements Greeting {
    private final byte[] secret;

    KeyGreeting(byte[] secret) {
      this.secret = secret;
    }

    @Override
    public byte[] secret() {
      return secret;
    }

    @Override
    public byte[] words() {
      return new byte[0];
    }

    @Override
    public void hear(ByteBuffer words) {}

    @Override
    public String wrongSecret() {
      return "it has another secret (see NITINOL_COLLNET_SECRET, or nitinol switch --secret)";
    }

    @Override
    public String unproven() {
      return "it has not proven that it knows the secret";
    }
  }

  private final DebugLogger logger;
  private final ControlLoop loop;

  private SwitchLoop(ControlLoop loop, DebugLogger logger) {
    this.loop = loop;
    this.logger = logger;
  }

  /**
   * Starts a loop.
   *
   * @param name the name of its thread
   * @param logger where it reports strangers that it turned away
   * @return the loop, until {@link #close}
   * @throws NetException with SYSTEM_ERROR when the system has no more descriptors or threads
   */
  public static SwitchLoop open(String name, DebugLogger logger) {
    try {
      ControlLoop loop = new ControlLoop(name, PROTOCOL, logger);
      loop.start(defect -> {}); // the end of the links tells all waiting calls
      return new SwitchLoop(loop, logger);
    } catch (IOException e) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR, "no thread for control connections: " + e.getMessage(), e);
    }
  }

  /**
   * Listens for connections.
   *
   * @param address where; port 0 takes any free one
   * @param key what a connecting side must know
   * @param accepted is handed each connection once it is proven, on the loop's thread; sets the
   *     link's events before it returns
   * @return the listener, until it is closed
   * @throws NetException with SYSTEM_ERROR when the address cannot be listened on
   */
  public ControlListener listen(
      InetSocketAddress address, SwitchKey key, Consumer<SwitchLink> accepted) {
    byte[] secret = key.bytes();
    try {
      return loop.listen(
          address,
          "the switch",
          STRANGER_LIMITS,
          () -> new KeyGreeting(secret),
          link -> link(link.remote(), accepted).new Heard());
    } catch (IOException e) {
      throw new NetException(
          ResultCode.SYSTEM_ERROR,
          ErrorText.of("cannot listen on %s: %s", Addresses.text(address), e.getMessage()),
          e);
    }
  }

  private SwitchLink link(String peer, Consumer<SwitchLink> proven) {
    return new SwitchLink(loop, logger, peer, proven);
  }

  /**
   * Connects to a switch. A failed try is repeated for 3 s, since a switch that is started together
   * with its members may come up a little later.
   *
   * @param address the switch's
   * @param key what both sides know
   * @param events hears what comes of it; a connection that cannot be made is one that is closed
   * @param limit how long it may take until the other side has proven itself
   * @return the link, to send on at once
   */
  public SwitchLink connect(
      InetSocketAddress address, SwitchKey key, SwitchLink.Events events, Duration limit) {
    SwitchLink link = link(Addresses.text(address), proven -> {});
    Greeting greeting = new KeyGreeting(key.bytes());
    loop.execute(() -> {
      link.setEvents(events);
      link.setLink(
          loop.dial(List.of(address), Patience.WHILE_STARTING, limit, greeting, link.new Heard()));
    });
    return link;
  }

  /**
   * Closes all listeners and links, after what was sent on them is out, and lets the thread end
   * then. Does not wait for that.
   */
  public void end() {
    loop.execute(() -> loop.drain(SwitchLink.GOODBYE_NANOS));
  }

  /** As {@link #end}, and waits for the thread, a second or two at the most. */
  @Override
  public void close() {
    end();
    if (!loop.isLoopThread()) {
      loop.join(JOIN_LIMIT);
    }
  }
}
