// SPDX-License-Identifier: Apache-2.0
package io.nitinol.toolkit.connect;

import io.nitinol.fuzz.FuzzTarget;
import io.nitinol.spi.NetException;
import io.nitinol.spi.ResultCode;
import io.nitinol.toolkit.HostAndPort;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;

/**
 * Handles of listeners, as they come and with a checksum that is right; hellos of streams; places
 * as users write them. What is read is what it would be written as.
 */
public final class HandleTarget implements FuzzTarget {
  private static final String PLUGIN = "Test";

  @Override
  public void run(byte[] input) {
    byte[] bytes = Arrays.copyOf(input, Listener.HANDLE_BYTES);
    handle(bytes);
    CRC32 crc = new CRC32();
    crc.update(bytes, 0, 60);
    ByteBuffer.wrap(bytes).putInt(60, (int) crc.getValue());
    handle(bytes);
    hello(Arrays.copyOfRange(input, 0, StreamHello.FORMAT.connectorWords()));
    place(new String(input, StandardCharsets.ISO_8859_1));
  }

  private static void handle(byte[] bytes) {
    MemorySegment memory = MemorySegment.ofArray(bytes);
    ListenHandle read;
    try {
      read = ListenHandle.read(memory, PLUGIN);
    } catch (NetException e) {
      FuzzTarget.require(e.result() == ResultCode.INVALID_ARGUMENT, "another result");
      return;
    }
    byte[] written = new byte[Listener.HANDLE_BYTES];
    ListenHandle.checkBuffer(MemorySegment.ofArray(written), written.length);
    read.write(MemorySegment.ofArray(written), written.length);
    ListenHandle again = ListenHandle.read(MemorySegment.ofArray(written), PLUGIN);
    FuzzTarget.require(again.sameListener(read), "another listener when read again");
    FuzzTarget.require(again.agreement().equals(read.agreement()), "another agreement");
    FuzzTarget.require(again.plugin().equals(PLUGIN), "another plugin");
  }

  private static void hello(byte[] bytes) {
    ByteBuffer words = ByteBuffer.wrap(bytes);
    StreamHello read = StreamHello.of(words);
    if (StreamHello.objection(words, PLUGIN) == null) {
      StreamHello again = StreamHello.of(ByteBuffer.wrap(read.words(PLUGIN)));
      FuzzTarget.require(again.equals(read), "another hello");
    }
  }

  private static void place(String text) {
    HostAndPort place;
    try {
      place = HostAndPort.parse(text, 0);
    } catch (IllegalArgumentException e) {
      return;
    }
    FuzzTarget.require(HostAndPort.parse(place.toString(), 0).equals(place), "another place");
  }

  @Override
  public List<Class<?>> parsers() {
    return List.of(ListenHandle.class, ConnectKind.class, StreamHello.class, HostAndPort.class);
  }

  @Override
  public List<byte[]> seeds() {
    byte[] handle = new byte[Listener.HANDLE_BYTES];
    for (String address : List.of("127.0.0.1", "::1")) {
      new ListenHandle(
              InetAddress.ofLiteral(address), 4711, new byte[16], new Agreement(3, 2), PLUGIN)
          .write(MemorySegment.ofArray(handle), handle.length);
    }
    byte[] hello = new StreamHello(new CommId(1, 2), 0, Agreement.ONE, 3).words(PLUGIN);
    return List.of(handle, hello, "[::1]:4711".getBytes(StandardCharsets.ISO_8859_1));
  }
}
