// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.netv4;

import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Host memory that one stream may use: TCP needs no more than a view that channels understand. */
final class V4Registration implements MemoryHandle {
  final Stream stream;
  final ByteBuffer bytes; // one view for all messages: a message sets position and limit anew
  volatile boolean alive = true; // undone perhaps by another thread than the one that sends

  V4Registration(Stream stream, Memory memory) {
    MemorySegment segment = memory.segment();
    if (memory.type() != PointerType.HOST || segment == null) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, "SampleV4 takes host memory, this is " + memory);
    }
    if (memory.size() > Integer.MAX_VALUE) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, "more than 2^31-1 bytes in one registration: " + memory);
    }
    this.stream = stream;
    this.bytes = segment.asByteBuffer();
  }

  void requireRange(long offset, long length) {
    if (offset < 0 || length < 0 || length > bytes.capacity() - offset) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT,
          length + " bytes at " + offset + " of " + bytes.capacity() + " registered ones");
    }
  }
}
