// SPDX-License-Identifier: Apache-2.0
package ${package}

import io.nitinol.spi.DebugLogger
import io.nitinol.spi.LogSubsystem
import io.nitinol.spi.NetException
import io.nitinol.spi.PointerType
import io.nitinol.spi.ResultCode
import io.nitinol.spi.net.Comm
import io.nitinol.spi.net.ListenComm
import io.nitinol.spi.net.Memory
import io.nitinol.spi.net.MemoryHandle
import io.nitinol.spi.net.RecvComm
import io.nitinol.spi.net.Request
import io.nitinol.spi.net.SendComm
import io.nitinol.spi.net.v6.Net
import io.nitinol.spi.net.v6.NetProperties
import java.lang.foreign.MemorySegment

/**
 * A network that starts and has a device, and can do nothing yet. Each method says what it has to do and which rules of
 * the contract speak of it; the kit says which of them are next.
 */
class ${pluginName} : Net {

  /** What NCCL_NET selects the plugin by: SEL-02. */
  override fun name(): String = "${pluginName}"

  /** Finds libraries and hardware. What is absent is no failure but leads to no devices. */
  override fun init(logger: DebugLogger) {
    logger.info(LogSubsystem.NET, "${pluginName}.kt", "${pluginName} is there")
  }

  override fun devices(): Int = 1

  /** What the device is and can do. Declare no more than works: the kit tries all of it. */
  override fun getProperties(device: Int): NetProperties {
    if (device != 0) {
      throw NetException(
          ResultCode.INVALID_ARGUMENT, "device " + device + ": ${pluginName} has one, number 0")
    }
    return NetProperties(
        "device0", // a name for logs
        null, // a virtual device has no place on the PCI bus
        0, // nothing else is on the same card
        PointerType.HOST.mask(),
        10_000, // Mb/s
        0, // port
        10f, // microseconds
        1024, // comms at a time
        1) // receives of one piece: tags may be ignored (NET-RECV-13)
  }

  /** Opens an address and writes into the handle how a peer finds it: NET-CONN-01 to 04. */
  override fun listen(device: Int, handle: MemorySegment): ListenComm = throw todo("listen")

  /** Connects without ever waiting; null means: call again. NET-CONN-05 to 20. */
  override fun connect(device: Int, handle: MemorySegment): SendComm? = throw todo("connect")

  /** Accepts without ever waiting; null means: call again. NET-CONN-08 to 17. */
  override fun accept(listenComm: ListenComm): RecvComm? = throw todo("accept")

  /** Keeps what isend and irecv need to know about the memory: NET-REG-*. */
  override fun regMr(comm: Comm, memory: Memory): MemoryHandle = throw todo("regMr")

  override fun deregMr(comm: Comm, handle: MemoryHandle): Unit = throw todo("deregMr")

  /** Takes a send into its queue; null means: no room now. NET-SEND-*. */
  override fun isend(
      comm: SendComm, mr: MemoryHandle, offset: Long, length: Long, tag: Int): Request? =
      throw todo("isend")

  /** Takes a receive into its queue; null means: no room now. NET-RECV-*. */
  override fun irecv(
      comm: RecvComm,
      n: Int,
      mrs: Array<MemoryHandle>,
      offsets: LongArray,
      lengths: LongArray,
      tags: IntArray): Request? = throw todo("irecv")

  /** Host memory needs no flush: NET-FLUSH-02. */
  override fun iflush(
      comm: RecvComm,
      n: Int,
      mrs: Array<MemoryHandle>,
      offsets: LongArray,
      lengths: LongArray): Request? = throw todo("iflush")

  /** Moves the comm of the request on, and says whether the request is complete: NET-TEST-*. */
  override fun test(request: Request, sizes: IntArray?): Boolean = throw todo("test")

  override fun closeSend(comm: SendComm): Unit = throw todo("closeSend")

  override fun closeRecv(comm: RecvComm): Unit = throw todo("closeRecv")

  override fun closeListen(listenComm: ListenComm): Unit = throw todo("closeListen")

  private fun todo(method: String): NetException =
      NetException(ResultCode.INTERNAL_ERROR, method + " is yours to write")
}
