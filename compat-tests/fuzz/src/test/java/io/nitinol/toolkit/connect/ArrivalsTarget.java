// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.fuzz.Choices;
import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.spi.testing.Allocations;
import io.nitinol.spi.testing.MemoryChannel;
import io.nitinol.spi.testing.Mutations;
import io.nitinol.spi.testing.RecordingLog;
import io.nitinol.toolkit.PeerProof;
import io.nitinol.toolkit.connect.ConnectOptions.Bound;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What reaches a listening port: noise, hellos that are spoilt, cut off, repeated or made by who
 * has the key but means no good, wrong proofs; several connections at a time, in pieces of any
 * size. Peers in between must get through, nobody else, and who does not have the key hears
 * nothing.
 */
public final class ArrivalsTarget implements FuzzTarget {
  private static final String PLUGIN = "Test";
  private static final int MOST_VISITORS = 12;
  private static final int AT_ONCE = 8;
  private static final int CODE_AT = Hello.SIZE - 32;
  private static final byte[] PURPOSE =
      "nitinol connection hello 3".getBytes(StandardCharsets.US_ASCII);

  /** How often a listener looks at a connection that has nothing more to say. */
  private static final int MOST_LOOKS = 20;

  private enum VisitorKind {
    NOISE,
    SPOILT_HELLO,
    CUT_HELLO,
    REPEATED_HELLO,
    INSIDER,
    WRONG_PROOF,
    CUT_PROOF,
    EARLY_PROOF,
    PEER
  }

  private static final VisitorKind[] KINDS = VisitorKind.values();

  private final ConnectOptions options =
      new ConnectOptions(
          PLUGIN,
          new Bound(34, "TEST_RETRIES"),
          new Bound(100, "TEST_PAUSE"),
          new Bound(50_000, "TEST_CONNECT"),
          new Bound(30_000, "TEST_HANDSHAKE"),
          new Bound(256, "TEST_HALF_OPEN"),
          0,
          0,
          Features.NONE);
  private final RecordingLog log = new RecordingLog();
  private final AtomicLong open = new AtomicLong();
  private final Allocations allocations = new Allocations();

  @Override
  public void run(byte[] input) throws IOException {
    RandomGenerator random = new Choices(input);
    int inputs = 1 + random.nextInt(MOST_VISITORS);
    byte[] key = new byte[16];
    random.nextBytes(key);
    log.lines.clear();
    log.warnings.clear();
    Batch batch = new Batch(random, key);
    while (batch.begun < inputs || !batch.visitors.isEmpty()) {
      while (batch.begun < inputs && batch.visitors.size() < AT_ONCE) {
        batch.add();
      }
      batch.step();
    }
    batch.end();
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(
        Arrivals.class,
        Stranger.class,
        Gathering.class,
        StreamGreeting.class,
        StreamHello.class,
        io.nitinol.toolkit.connect.ConnectKind.class);
  }

  @Override
  public long mostAllocated() {
    return 64 << 20; // several visitors; what each call allocates is looked at here
  }

  private final class Batch {
    private final RandomGenerator random;
    private final byte[] key;
    private final Arrivals arrivals;
    private final Mutations bytes;
    private final List<Visitor> visitors = new ArrayList<>();
    private final Agreement count;
    private byte[] anOldHello = new byte[0];
    private int begun;

    /** Advances by hand, so that nothing expires by accident. */
    private long now = 1;

    Batch(RandomGenerator random, byte[] key) {
      this.random = random;
      this.key = key;
      this.bytes = new Mutations(random);
      this.count = random.nextBoolean() ? Agreement.ONE : new Agreement(3 + random.nextInt(4), 2);
      this.arrivals = new Arrivals(key, count, options, log, "the fuzzed listener");
    }

    /** Adds one connection, or all of a peer. */
    void add() {
      VisitorKind kind = KINDS[random.nextInt(KINDS.length)];
      CommId comm = CommId.random();
      int streams = kind == VisitorKind.PEER ? count.streams() : 1;
      for (int i = 0; i < streams; i++) {
        MemoryChannel channel = new MemoryChannel(open);
        int index = kind == VisitorKind.PEER ? i : random.nextInt(count.streams());
        visitors.add(new Visitor(begun++, kind, comm, index, channel));
        arrivals.add(channel, now);
      }
    }

    void step() {
      Visitor visitor = visitors.get(random.nextInt(visitors.size()));
      visitor.speak();
      allocations.begin();
      Gathering complete = arrivals.look(now);
      allocations.end(visitor.number);
      if (complete != null) {
        welcome(complete);
      }
      visitors.removeIf(Visitor::isOver);
    }

    private void welcome(Gathering complete) {
      if (complete.flags() != options.features().flags()) {
        complete.close(arrivals); // of an insider, who has proven that it has the key
        FuzzTarget.require(
            visitors.stream()
                .noneMatch(each -> each.kind == VisitorKind.PEER && !each.channel.isOpen()),
            "the comm of a peer was given up");
        return;
      }
      for (SocketChannel channel : complete.channels()) {
        welcome(channel);
      }
      complete.close(arrivals);
    }

    private void welcome(SocketChannel channel) {
      Visitor guest =
          visitors.stream().filter(each -> each.channel == channel).findFirst().orElseThrow();
      FuzzTarget.require(
          guest.kind == VisitorKind.PEER
              || (guest.kind == VisitorKind.INSIDER && guest.couldBePeer()),
          guest + " got in");
      FuzzTarget.require(
          channel.isOpen() && guest.channel.taken() == PeerProof.PROOF_BYTES,
          guest + ": " + guest.channel.taken() + " bytes behind its hello were read");
      guest.welcome = true;
    }

    /** Lets the time of all pass that are still there. */
    void end() {
      // Whose hello is whole is answered even now, and then has its time for the proof.
      for (int i = 0; i < 3; i++) {
        now += TimeUnit.DAYS.toNanos(1);
        FuzzTarget.require(arrivals.look(now) == null, "a connection got in by saying nothing");
        arrivals.giveUpIncomplete(now);
      }
      FuzzTarget.require(open.get() == 0, open.get() + " connections were left open");
    }

    /** One connection. */
    private final class Visitor {
      final int number;
      final VisitorKind kind;
      final MemoryChannel channel;
      private final CommId comm;
      private final int index;
      private final boolean silent;
      boolean welcome;
      private boolean greets;
      private boolean proves;
      private int looks;
      private @Nullable Hello greeting;

      Visitor(int number, VisitorKind kind, CommId comm, int index, MemoryChannel channel) {
        this.number = number;
        this.kind = kind;
        this.channel = channel;
        this.comm = comm;
        this.index = index;
        // Some do not go when they have nothing more to say: their time has to end it.
        this.silent = kind != VisitorKind.PEER && random.nextInt(50) == 0;
        bytes.clear();
        compose();
        say();
      }

      private void compose() {
        if (kind == VisitorKind.NOISE
            || (kind == VisitorKind.REPEATED_HELLO && anOldHello.length == 0)) {
          bytes.appendRandom(random.nextInt(300));
          return;
        }
        if (kind == VisitorKind.REPEATED_HELLO) {
          bytes.append(anOldHello);
          bytes.appendRandom(random.nextInt(2) * PeerProof.PROOF_BYTES);
          return;
        }
        byte[] hello =
            Hello.of(PLUGIN, key, comm, index, count, options.features().flags()).bytes();
        bytes.append(hello);
        switch (kind) {
          case SPOILT_HELLO -> {
            do {
              spoil();
            } while (isIntact(hello));
            bytes.appendRandom(random.nextInt(64));
            if (isIntact(hello)) {
              bytes.bytes[0] ^= 1; // what was cut off has come back by chance
            }
          }
          case CUT_HELLO -> bytes.length = random.nextInt(Hello.SIZE);
          case INSIDER -> {
            bytes.spoilField(8 + 2 * random.nextInt(12), 2);
            bytes.length = CODE_AT;
            bytes.append(PeerProof.hmac(key, PURPOSE, Arrays.copyOf(bytes.bytes, CODE_AT)));
            greets = true;
          }
          case EARLY_PROOF -> bytes.appendRandom(PeerProof.PROOF_BYTES);
          case WRONG_PROOF, CUT_PROOF, PEER -> greets = true;
          default -> throw new AssertionError(kind);
        }
      }

      private void spoil() {
        if (random.nextBoolean()) {
          bytes.spoilField(random.nextInt(Hello.SIZE), 1 << random.nextInt(4));
        } else {
          bytes.spoilAnywhere();
        }
      }

      /**
       * Returns whether the hello is one of a peer, if perhaps of one that wants other features.
       */
      boolean couldBePeer() {
        Hello said = Objects.requireNonNull(greeting, "hello of one who has proven itself");
        return count.streams() == 1 && said.index() == 0 && said.agreement().equals(count);
      }

      /** Returns whether the hello is right after all, as by a field set to what it was. */
      private boolean isIntact(byte[] hello) {
        return bytes.length >= Hello.SIZE
            && Arrays.equals(bytes.bytes, 0, Hello.SIZE, hello, 0, Hello.SIZE);
      }

      private void say() {
        channel.send(Arrays.copyOf(bytes.bytes, bytes.length), bytes.length);
        if (!greets && !silent) {
          channel.finish(random.nextInt(3) == 0);
        }
      }

      /** Lets more of it arrive, and proves itself when it has been answered. */
      void speak() {
        if (!channel.hasArrived()) {
          channel.arrive(random.nextBoolean() ? 1 + random.nextInt(40) : Integer.MAX_VALUE / 2);
        } else if (greets && !proves && channel.heard().length == Answer.SIZE) {
          prove();
        } else if (greets && !proves && looks > MOST_LOOKS / 2) {
          channel.finish(false); // as who is not answered does at some time
          looks++;
        } else {
          looks++;
        }
      }

      private void prove() {
        proves = true;
        Hello hello = Hello.of(ByteBuffer.wrap(channel.sent()));
        greeting = hello;
        ByteBuffer answer = ByteBuffer.wrap(channel.heard()).position(Answer.SIZE);
        String objection = Answer.objection(answer, hello, key);
        FuzzTarget.require(objection == null, this + " got a wrong answer: " + objection);
        byte[] proof = Answer.of(answer, hello, key).proofOfConnector();
        bytes.clear();
        bytes.append(proof);
        switch (kind) {
          case WRONG_PROOF -> {
            if (random.nextBoolean()) {
              bytes.bytes[random.nextInt(proof.length)] ^= (byte) (1 << random.nextInt(8));
            } else {
              bytes.clear();
              bytes.append(Arrays.copyOfRange(channel.heard(), Answer.SIZE - 32, Answer.SIZE));
            }
          }
          case CUT_PROOF -> bytes.length = random.nextInt(proof.length);
          case PEER -> {
            anOldHello = hello.bytes();
            bytes.appendRandom(random.nextInt(2) * random.nextInt(100)); // its first messages
          }
          default -> {}
        }
        channel.send(Arrays.copyOf(bytes.bytes, bytes.length), bytes.length);
        if (kind != VisitorKind.PEER && !silent) {
          channel.finish(random.nextInt(3) == 0);
        }
      }

      boolean isOver() {
        if (!channel.isOpen()) {
          FuzzTarget.require(kind != VisitorKind.PEER || welcome, this + " was kept out");
          FuzzTarget.require(
              greets || channel.heard().length == 0 || kind == VisitorKind.EARLY_PROOF,
              this + " was answered");
          return true;
        }
        // An insider may prove one stream of several, which holds its place until its time is over.
        boolean stays = silent || (kind == VisitorKind.INSIDER && proves && count.streams() > 1);
        if (stays && channel.hasArrived() && looks > 0) {
          return true;
        }
        // The streams of a peer wait for one another.
        int most = kind == VisitorKind.PEER ? 100 * MOST_LOOKS : MOST_LOOKS;
        FuzzTarget.require(looks < most, this + " has said everything and is still there");
        return false;
      }

      @Override
      public String toString() {
        return "input "
            + number
            + ", "
            + kind
            + (greets ? ", greeted" : "")
            + (proves ? ", proved" : "");
      }
    }
  }
}
