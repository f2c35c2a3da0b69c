// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

/** What is known of a node beside its links, by its kind. */
public sealed interface NodeFacts {
  /**
   * A GPU.
   *
   * @param device its number on the machine
   * @param rank its rank
   * @param computeCapability its generation, 90 for Hopper
   * @param gdr whether network devices can reach its memory
   */
  record Gpu(int device, int rank, int computeCapability, boolean gdr) implements NodeFacts {}

  /**
   * A device of a network plugin.
   *
   * @param device its number
   * @param name its name, empty where the file has none
   * @param guid what its ports have in common
   * @param port the port's number
   * @param mbps its speed in Mbit/s as the file has it, 0 where that is not known
   * @param latency in microseconds, 0 where that is not known
   * @param gdr whether it can reach memory of GPUs
   * @param reduces whether it reduces in the network
   */
  record Net(
      int device,
      String name,
      long guid,
      int port,
      int mbps,
      float latency,
      boolean gdr,
      boolean reduces)
      implements NodeFacts {}

  /**
   * A NUMA domain.
   *
   * @param numa its number; -1 where the machine tells none
   * @param arch {@code x86_64}, {@code arm64} or {@code ppc64}
   * @param vendor as the processor says it, empty where there is none
   * @param family the processor's family
   * @param model the processor's model
   * @param affinity its processors as a mask in hexadecimal digits, empty where that is not known
   */
  record Cpu(int numa, String arch, String vendor, int family, int model, String affinity)
      implements NodeFacts {
    static final String INTEL = "GenuineIntel";
    static final String AMD = "AuthenticAMD";

    boolean isAmd() {
      return arch.equals("x86_64") && vendor.equals(AMD);
    }
  }

  /**
   * A PCI switch.
   *
   * @param device vendor, device, and both of the subsystem, 16 bits each
   */
  record Pci(long device) implements NodeFacts {}

  /** A node of which nothing else is known. */
  record None() implements NodeFacts {}
}
