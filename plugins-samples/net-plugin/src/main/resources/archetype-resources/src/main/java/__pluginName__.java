// SPDX-License-Identifier: Apache-2.0
package ${package};

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.LogSubsystem;
import io.nitinol.spi.NetException;
import io.nitinol.spi.PointerType;
import io.nitinol.spi.ResultCode;
import io.nitinol.spi.net.Comm;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v6.Net;
import io.nitinol.spi.net.v6.NetProperties;
import java.lang.foreign.MemorySegment;

/**
 * A network that starts and has a device, and can do nothing yet. Each method says what it has to do
 * and which rules of the contract speak of it; the kit says which of them are next.
 */
public final class ${pluginName} implements Net {

  /** What NCCL_NET selects the plugin by: SEL-02. */
  @Override
  public String name() {
    return "${pluginName}";
  }

  /** Finds libraries and hardware. What is absent is no failure but leads to no devices. */
  @Override
  public void init(DebugLogger logger) {
    logger.info(LogSubsystem.NET, "${pluginName}.java", "${pluginName} is there");
  }

  @Override
  public int devices() {
    return 1;
  }

  /** What the device is and can do. Declare no more than works: the kit tries all of it. */
  @Override
  public NetProperties getProperties(int device) {
    if (device != 0) {
      throw new NetException(
          ResultCode.INVALID_ARGUMENT, "device " + device + ": ${pluginName} has one, number 0");
    }
    return new NetProperties(
        "device0", // a name for logs
        null, // a virtual device has no place on the PCI bus
        0, // nothing else is on the same card
        PointerType.HOST.mask(),
        10_000, // Mb/s
        0, // port
        10, // microseconds
        1024, // comms at a time
        1); // receives of one piece: tags may be ignored (NET-RECV-13)
  }

  /** Opens an address and writes into the handle how a peer finds it: NET-CONN-01 to 04. */
  @Override
  public ListenComm listen(int device, MemorySegment handle) {
    throw todo("listen");
  }

  /** Connects without ever waiting; null means: call again. NET-CONN-05 to 20. */
  @Override
  public SendComm connect(int device, MemorySegment handle) {
    throw todo("connect");
  }

  /** Accepts without ever waiting; null means: call again. NET-CONN-08 to 17. */
  @Override
  public RecvComm accept(ListenComm listenComm) {
    throw todo("accept");
  }

  /** Keeps what isend and irecv need to know about the memory: NET-REG-*. */
  @Override
  public MemoryHandle regMr(Comm comm, Memory memory) {
    throw todo("regMr");
  }

  @Override
  public void deregMr(Comm comm, MemoryHandle handle) {
    throw todo("deregMr");
  }

  /** Takes a send into its queue; null means: no room now. NET-SEND-*. */
  @Override
  public Request isend(SendComm comm, MemoryHandle mr, long offset, long length, int tag) {
    throw todo("isend");
  }

  /** Takes a receive into its queue; null means: no room now. NET-RECV-*. */
  @Override
  public Request irecv(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths, int[] tags) {
    throw todo("irecv");
  }

  /** Host memory needs no flush: NET-FLUSH-02. */
  @Override
  public Request iflush(
      RecvComm comm, int n, MemoryHandle[] mrs, long[] offsets, long[] lengths) {
    throw todo("iflush");
  }

  /** Moves the comm of the request on, and says whether the request is complete: NET-TEST-*. */
  @Override
  public boolean test(Request request, int[] sizes) {
    throw todo("test");
  }

  @Override
  public void closeSend(SendComm comm) {
    throw todo("closeSend");
  }

  @Override
  public void closeRecv(RecvComm comm) {
    throw todo("closeRecv");
  }

  @Override
  public void closeListen(ListenComm listenComm) {
    throw todo("closeListen");
  }

  private static NetException todo(String method) {
    return new NetException(ResultCode.INTERNAL_ERROR, method + " is yours to write");
  }
}
