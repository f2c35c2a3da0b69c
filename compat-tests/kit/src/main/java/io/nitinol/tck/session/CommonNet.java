// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.session;

import io.nitinol.spi.DebugLogger;
import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.v12.NetProperties;
import java.lang.foreign.MemorySegment;

/**
 * The methods that a Net and a CollNet have in common, for rules that bind both: one test serves
 * both.
 */
public interface CommonNet {

  /** Returns the plugin's name. */
  String name();

  /** Starts the plugin. */
  void init(DebugLogger logger);

  /** Returns the number of devices. */
  int devices();

  /** Returns the properties of a device. */
  NetProperties getProperties(int device);

  /** Opens a listener on a device. */
  ListenComm listen(int device, MemorySegment handle);

  /** Closes a listener. */
  void closeListen(ListenComm listenComm);

  /** Views a network. */
  static CommonNet of(TestedNet net) {
    return new CommonNet() {
      @Override
      public String name() {
        return net.name();
      }

      @Override
      public void init(DebugLogger logger) {
        net.init(logger);
      }

      @Override
      public int devices() {
        return net.devices();
      }

      @Override
      public NetProperties getProperties(int device) {
        return net.getProperties(device);
      }

      @Override
      public ListenComm listen(int device, MemorySegment handle) {
        return net.listen(device, handle);
      }

      @Override
      public void closeListen(ListenComm listenComm) {
        net.closeListen(listenComm);
      }
    };
  }

  /** Views a collective network. */
  static CommonNet of(TestedCollNet net) {
    return new CommonNet() {
      @Override
      public String name() {
        return net.name();
      }

      @Override
      public void init(DebugLogger logger) {
        net.init(logger);
      }

      @Override
      public int devices() {
        return net.devices();
      }

      @Override
      public NetProperties getProperties(int device) {
        return net.getProperties(device);
      }

      @Override
      public ListenComm listen(int device, MemorySegment handle) {
        return net.listen(device, handle);
      }

      @Override
      public void closeListen(ListenComm listenComm) {
        net.closeListen(listenComm);
      }
    };
  }
}
