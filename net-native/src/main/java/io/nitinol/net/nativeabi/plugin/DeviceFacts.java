// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.nativeabi.plugin;

/**
 * The properties of a device that the calls on its comms depend on.
 *
 * @param device its number
 * @param name its name, for messages
 * @param ptrSupport the types of memory it takes, a mask
 * @param maxRecvs how many buffers a receive may have
 * @param regIsGlobal whether a registration is good for all comms of the device
 * @param maxMessage how long a message may be, in bytes
 */
record DeviceFacts(
    int device, String name, int ptrSupport, int maxRecvs, boolean regIsGlobal, long maxMessage) {

  /** Returns the words for messages: {@code on device 0 (eth0)}, with a space in front. */
  String where() {
    return " on device " + device + " (" + name + ")";
  }
}
