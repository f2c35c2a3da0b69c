// SPDX-License-Identifier: Apache-2.0
package io.nitinol.bench.gpu;

/**
 * A case: how many ranks, and how they are spread over processes.
 *
 * @param ranks the number of ranks, each on a GPU
 * @param mode how many processes they are in
 * @param shared whether ranks share a GPU, where figures say nothing of the links between GPUs
 */
record GpuCase(int ranks, Mode mode, boolean shared) {

  /** How ranks are spread. */
  enum Mode {
    /** One process drives all ranks, with one thread. */
    THREADS("threads"),
    /** A process for each rank. */
    PROCESSES("processes"),
    /** A process for each rank, each as if on a host of its own: sockets on loopback. */
    HOSTS("hosts");

    private final String label;

    Mode(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }

    /**
     * Returns the mode of a name.
     *
     * @throws IllegalArgumentException where there is none
     */
    static Mode of(String label) {
      for (Mode mode : values()) {
        if (mode.label.equals(label)) {
          return mode;
        }
      }
      throw new IllegalArgumentException(
          "--mode " + label + ": expected threads or processes; --hosts is the third");
    }
  }

  /** Returns how many processes a side has. */
  int processes() {
    return mode == Mode.THREADS ? 1 : ranks;
  }

  @Override
  public String toString() {
    return ranks
        + (ranks == 1 ? " rank, " : " ranks, ")
        + mode.label()
        + (shared ? ", on shared GPUs" : "");
  }
}
