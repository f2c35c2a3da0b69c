// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.socket;

import static io.nitinol.spi.testing.Failures.awaitFailure;
import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.net.socket.stream.ChunkHeader;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.testing.Await;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a peer may say wrong of the chunks of a message: each a named error, no byte astray. */
class ChunkLieTest {
  private static final int LENGTH = 200_000;
  private static final int CHUNK = 65_536;

  @ParameterizedTest
  @CsvSource({
    "0x4e544e43, 65536, 0, 1, 'in chunks of 65536'",
    "0x4e544e43, 65536, 0, -65536, 'in chunks of 65536'",
    "0x4e544e43, 65536, 0, 262144, 'in chunks of 65536'",
    "0x4e544e43, 65536, 0, 9223372036854710272, 'in chunks of 65536'",
    "0x4e544e43, 65536, 0, 196608, 'has 3392'",
    "0x4e544e43, 65535, 0, 0, 'has 65536'",
    "0x4e544e43, -1, 0, 0, 'has 65536'",
    "0x4e544e43, 65536, -1, 0, 'message -1'",
    "0x4e544e43, 65536, 9999999, 0, 'last message announced is 1'",
    "0x4e544e43, 65536, 1, 0, 'no chunk of that message is still to come'",
    "0x12345678, 65536, 0, 0, 'its mark is 0x12345678'",
  })
  void aWrongChunkIsANamedError(String mark, int length, long message, long offset, String says)
      throws IOException {
    for (int threads = 0; threads <= 2; threads += 2) {
      expect(
          threads,
          says,
          streams -> {
            ByteBuffer header = ByteBuffer.allocate(ChunkHeader.HEADER);
            ChunkHeader.write(header, length, message, offset);
            header.putInt(0, Integer.decode(mark));
            send(streams.sending[2], header);
          });
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void aChunkThatComesTwiceIsANamedError(int threads) throws IOException {
    expect(
        threads,
        "has come before",
        streams -> {
          ByteBuffer chunk = ByteBuffer.allocate(ChunkHeader.HEADER + CHUNK);
          ChunkHeader.write(chunk, CHUNK, 0, CHUNK);
          send(streams.sending[1], chunk);
          send(streams.sending[2], chunk.duplicate().rewind().limit(ChunkHeader.HEADER));
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void aChunkOfACompleteMessageIsNotWrittenIntoTheReceiveThatHasItsSlot(int threads)
      throws IOException {
    try (Loopback one = new Loopback();
        Streams streams = new Streams(2)) {
      SocketRecvComm end = streams.recvEnd(one, threads);
      one.recv = end;
      long room = 10L * CHUNK;
      MemorySegment memory = one.arena.allocate(3 * room).fill((byte) 0x5a);
      MemoryHandle mr = one.register(end, memory);
      Request first = one.irecv(mr, 0, 2 * CHUNK);
      Request second = one.irecv(mr, room, LENGTH); // stays open, so that streams are read
      ByteBuffer frames = ByteBuffer.allocate(2 * ControlHeader.CUT_HEADER);
      ControlHeader.writeCut(frames.slice(0, ControlHeader.CUT_HEADER), 0, 7, 2 * CHUNK, CHUNK);
      ControlHeader.writeCut(
          frames.slice(ControlHeader.CUT_HEADER, ControlHeader.CUT_HEADER), 0, 8, LENGTH, CHUNK);
      send(streams.sending[0], frames);
      send(streams.sending[1], chunk(0, 0));
      send(streams.sending[1], chunk(0, CHUNK));
      Await.until("message 0", () -> one.net.test(first, null));
      assertThat(one.irecv(mr, 2 * room, room)).isSameAs(first);
      send(streams.sending[2], chunk(0, 2 * CHUNK).limit(ChunkHeader.HEADER + 1000));
      NetException failure = awaitFailure(() -> one.net.test(second, null));
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure).hasMessageContaining("no chunk of that message is still to come");
      MemorySegment untouched = one.arena.allocate(room).fill((byte) 0x5a);
      assertThat(memory.asSlice(2 * room).mismatch(untouched)).isEqualTo(-1);
    }
  }

  private static ByteBuffer chunk(long message, long offset) {
    ByteBuffer chunk = ByteBuffer.allocate(ChunkHeader.HEADER + CHUNK);
    ChunkHeader.write(chunk, CHUNK, message, offset);
    return chunk.rewind();
  }

  @ParameterizedTest
  @CsvSource({
    "200000, 0, 'in chunks of 0'",
    "200000, -5, 'in chunks of -5'",
    "200000, 64, 'in chunks of 64'",
    "0, 64, 'of 0 bytes in chunks'",
    "-4, 64, 'out of step'",
    "200001, 65536, 'of 200001 bytes (tag 7) where a receive of 200000'",
  })
  void aWrongAnnouncementIsANamedError(long length, long chunk, String says) throws IOException {
    announce(2, length, chunk, says);
  }

  @Test
  void chunksAreOutOfStepWhereThereAreNoDataStreams() throws IOException {
    announce(0, LENGTH, CHUNK, "out of step");
  }

  /** Announces a message in chunks for a receive of LENGTH on a comm of so many data streams. */
  private static void announce(int data, long length, long chunk, String says) throws IOException {
    try (Loopback one = new Loopback();
        Streams streams = new Streams(data)) {
      SocketRecvComm end = streams.recvEnd(one, 0);
      one.recv = end;
      MemoryHandle mr = one.register(end, one.arena.allocate(LENGTH));
      Request receiving = one.irecv(mr, 0, LENGTH);
      ByteBuffer frame = ByteBuffer.allocate(ControlHeader.CUT_HEADER);
      ControlHeader.writeCut(frame, 0, 7, length, chunk);
      send(streams.sending[0], frame);
      NetException failure = awaitFailure(() -> one.net.test(receiving, null));
      assertThat(failure).hasMessageContaining(says);
    }
  }

  private interface Lie {
    void tell(Streams streams) throws IOException;
  }

  /** Announces message 0 in chunks and sends message 1 whole, both wanted; then lies. */
  private static void expect(int threads, String says, Lie lie) throws IOException {
    try (Loopback one = new Loopback();
        Streams streams = new Streams(2)) {
      SocketRecvComm end = streams.recvEnd(one, threads);
      one.recv = end;
      MemorySegment memory = one.arena.allocate(3L * LENGTH).fill((byte) 0x5a);
      MemoryHandle mr = one.register(end, memory);
      Request receiving = one.irecv(mr, LENGTH, LENGTH);
      one.irecv(mr, LENGTH, LENGTH);
      ByteBuffer frames = ByteBuffer.allocate(ControlHeader.CUT_HEADER + ControlHeader.HEADER);
      ControlHeader.writeCut(frames, 0, 7, LENGTH, CHUNK);
      ControlHeader.write(frames, ControlHeader.CUT_HEADER, 8, 0);
      send(streams.sending[0], frames);
      for (int i = 0; i < 100; i++) {
        one.net.test(receiving, null); // both are announced by now, or soon
      }
      lie.tell(streams);
      NetException failure = awaitFailure(() -> one.net.test(receiving, null));
      assertThat(failure.result()).isEqualTo(ResultCode.REMOTE_ERROR);
      assertThat(failure).hasMessageContaining(says).hasMessageContaining("data stream");
      MemorySegment untouched = one.arena.allocate(LENGTH).fill((byte) 0x5a);
      assertThat(memory.asSlice(0, LENGTH).mismatch(untouched)).isEqualTo(-1);
      assertThat(memory.asSlice(2L * LENGTH).mismatch(untouched)).isEqualTo(-1);
    }
  }

  private static void send(SocketChannel to, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      to.write(bytes);
    }
  }
}
