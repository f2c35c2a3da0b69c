// SPDX-License-Identifier: Apache-2.0
package io.nitinol.net.ib;

import io.nitinol.net.ib.data.Fracture;

/** What fails; a queue pair stands for a port, of which all queue pairs fail. */
enum PortFault {
  SENDERS_PAIR {
    @Override
    void strike(Cable cable, int lane, Wire wire) {
      Fracture.pair(cable.send, lane);
    }
  },
  RECEIVERS_PAIR {
    @Override
    void strike(Cable cable, int lane, Wire wire) {
      Fracture.pair(cable.recv, lane);
    }
  },
  BOTH_PAIRS {
    @Override
    void strike(Cable cable, int lane, Wire wire) {
      Fracture.pair(cable.recv, lane);
      Fracture.pair(cable.send, lane);
    }
  },
  CABLE_OUT {
    @Override
    void strike(Cable cable, int lane, Wire wire) {
      wire.down(lane % 2 == 0 ? "veth0" : "veth2");
    }
  },
  PACKETS_LOST {
    @Override
    void strike(Cable cable, int lane, Wire wire) {
      wire.lose(lane % 2 == 0 ? "veth1" : "veth3");
    }
  };

  abstract void strike(Cable cable, int lane, Wire wire);
}
