// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.topology;

import java.nio.charset.StandardCharsets;

/** Topology files of machines as they are sold, made up from their public descriptions. */
public final class TopologyMachines {
  private static final String HEADER = "<?xml version=\"1.0\"?>\n<!-- made up -->\n";
  private static final String INTEL =
      " arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"143\"";
  private static final String GEN5 = " link_speed=\"32.0 GT/s PCIe\" link_width=\"16\"";
  private static final String GEN3 = " link_speed=\"8.0 GT/s PCIe\" link_width=\"16\"";

  private TopologyMachines() {}

  /** Two sockets with four switches each; below each switch a GPU and a NIC of 400 Gbit/s. */
  public static String dgx() {
    StringBuilder xml = new StringBuilder(HEADER).append("<system version=\"1\">\n");
    for (int numa = 0; numa < 2; numa++) {
      xml.append("<cpu numaid=\"" + numa + "\" affinity=\"ffff\"" + INTEL + ">\n");
      for (int i = numa * 4; i < numa * 4 + 4; i++) {
        xml.append(pci(i, 0, "0x060400", GEN5) + ">\n");
        xml.append(pci(i, 1, "0x030200", GEN5) + ">\n");
        xml.append(gpu(i, 90, 1) + ">" + nvlink(18) + "</gpu></pci>\n");
        xml.append(pci(i, 2, "0x020700", GEN5) + "><nic>\n");
        xml.append(net(i, "mlx5_" + i, 400_000, 1) + "</nic></pci></pci>\n");
      }
      xml.append("</cpu>\n");
    }
    return xml.append("</system>\n").toString();
  }

  /** H200s of one socket, joined by NVSwitches, with no network card that PCI shows. */
  public static String h200(int gpus) {
    StringBuilder xml = new StringBuilder(HEADER).append("<system version=\"1\">\n");
    xml.append("<cpu numaid=\"0\"" + INTEL.replace("143", "207") + ">\n");
    for (int i = 0; i < gpus; i++) {
      xml.append(pci(i, 0, "0x030200", GEN5) + ">\n");
      xml.append(gpu(i, 90, 1) + ">" + nvlink(18) + "</gpu></pci>\n");
    }
    xml.append("<nic>" + net(0, "eth0", 10_000, 0) + "</nic>\n");
    return xml.append("</cpu></system>\n").toString();
  }

  /** Two sockets, a switch on each with two GPUs without NVLink; one NIC of 100 Gbit/s. */
  public static String pcie() {
    StringBuilder xml = new StringBuilder(HEADER).append("<system version=\"1\">\n");
    for (int numa = 0; numa < 2; numa++) {
      xml.append("<cpu numaid=\"" + numa + "\"" + INTEL.replace("143", "85") + ">\n");
      xml.append(pci(8 + numa, 0, "0x060400", GEN3) + ">\n");
      for (int i = numa * 2; i < numa * 2 + 2; i++) {
        xml.append(pci(i, 0, "0x030200", GEN3) + ">" + gpu(i, 80, 1) + "/></pci>\n");
      }
      if (numa == 0) {
        xml.append(pci(4, 0, "0x020000", GEN3) + "><nic>");
        xml.append(net(0, "mlx5_0", 100_000, 1) + "</nic></pci>\n");
      }
      xml.append("</pci></cpu>\n");
    }
    return xml.append("</system>\n").toString();
  }

  /**
   * A cloud instance of two sockets with four switches each; below each switch a GPU and four NICs
   * of 100 Gbit/s, as machines with 32 of them have.
   */
  public static String manyNics() {
    StringBuilder xml = new StringBuilder(HEADER).append("<system version=\"1\">\n");
    for (int numa = 0; numa < 2; numa++) {
      xml.append("<cpu numaid=\"" + numa + "\"" + INTEL + ">\n");
      for (int i = numa * 4; i < numa * 4 + 4; i++) {
        xml.append(pci(i, 0, "0x060400", GEN5) + ">\n");
        xml.append(pci(i, 1, "0x030200", GEN5) + ">\n");
        xml.append(gpu(i, 90, 1) + ">" + nvlink(18) + "</gpu></pci>\n");
        for (int j = 0; j < 4; j++) {
          int net = i * 4 + j;
          xml.append(pci(i, 2 + j, "0x020000", GEN5) + "><nic>\n");
          xml.append(net(net, "rdmap" + net, 100_000, 1) + "</nic></pci>\n");
        }
        xml.append("</pci>\n");
      }
      xml.append("</cpu>\n");
    }
    return xml.append("</system>\n").toString();
  }

  /**
   * The older kind with 8 GPUs: below each of four switches two GPUs and a NIC of 100 Gbit/s, six
   * NVLinks from each GPU to the NVSwitches.
   */
  public static String olderDgx() {
    StringBuilder xml = new StringBuilder(HEADER).append("<system version=\"1\">\n");
    for (int numa = 0; numa < 2; numa++) {
      xml.append("<cpu numaid=\"" + numa + "\"" + INTEL.replace("143", "85") + ">\n");
      for (int i = numa * 2; i < numa * 2 + 2; i++) {
        xml.append(pci(8 + i, 0, "0x060400", GEN3) + ">\n");
        for (int j = i * 2; j < i * 2 + 2; j++) {
          xml.append(pci(j, 1, "0x030200", GEN3) + ">\n");
          xml.append(gpu(j, 80, 1) + ">" + nvlink(12) + "</gpu></pci>\n");
        }
        xml.append(pci(8 + i, 2, "0x020700", GEN3) + "><nic>\n");
        xml.append(net(i, "mlx5_" + i, 100_000, 1) + "</nic></pci></pci>\n");
      }
      xml.append("</cpu>\n");
    }
    return xml.append("</system>\n").toString();
  }

  /** Eight GPUs joined to a cube by NVLink, without a switch: some reach others through a third. */
  public static String cube() {
    int[][] links = {
      {1, 2, 3, 4}, {0, 2, 3, 5}, {0, 1, 3, 6}, {0, 1, 2, 7},
      {5, 6, 7, 0}, {4, 6, 7, 1}, {4, 5, 7, 2}, {4, 5, 6, 3}
    };
    StringBuilder xml = new StringBuilder(HEADER).append("<system version=\"1\">\n");
    for (int numa = 0; numa < 2; numa++) {
      xml.append("<cpu numaid=\"" + numa + "\"" + INTEL.replace("143", "85") + ">\n");
      for (int i = numa * 4; i < numa * 4 + 4; i++) {
        xml.append(pci(i, 1, "0x030200", GEN3) + ">\n" + gpu(i, 70, 1) + ">");
        for (int to : links[i]) {
          String target = pci(to, 1, "", "").replaceFirst(".*busid=\"([^\"]*)\".*", "$1");
          int count = Math.abs(to - i) == 4 || (to ^ i) == 1 ? 2 : 1;
          xml.append(
              "<nvlink target=\"" + target + "\" count=\"" + count + "\" tclass=\"0x030200\"/>");
        }
        xml.append("</gpu></pci>\n");
      }
      xml.append(pci(8 + numa, 2, "0x020700", GEN3) + "><nic>\n");
      xml.append(net(numa, "mlx5_" + numa, 100_000, 1) + "</nic></pci></cpu>\n");
    }
    return xml.append("</system>\n").toString();
  }

  /** A virtual machine with one GPU and a network that hides its card; speeds are unknown. */
  public static String vm() {
    return HEADER
        + "<system version=\"1\"><cpu numaid=\"-1\" arch=\"x86_64\" vendor=\"AuthenticAMD\""
        + " familyid=\"175\" modelid=\"1\">\n"
        + pci(1, 0, "0x030200", " link_speed=\"Unknown\" link_width=\"0\"")
        + ">"
        + gpu(0, 75, 0)
        + "/></pci>\n<nic>"
        + net(0, "eth0", -1, 0)
        + "</nic></cpu></system>\n";
  }

  public static TopologyDocument document(String xml) throws TopologyException {
    return TopologyDocument.parse("machine.xml", xml.getBytes(StandardCharsets.UTF_8));
  }

  private static String pci(int bus, int device, String kind, String link) {
    return String.format("<pci busid=\"0000:%02x:%02x.0\" class=\"%s\"%s", bus, device, kind, link);
  }

  private static String gpu(int number, int sm, int gdr) {
    return String.format(
        "<gpu dev=\"%d\" sm=\"%d\" rank=\"%d\" gdr=\"%d\"", number, sm, number, gdr);
  }

  private static String nvlink(int count) {
    return "<nvlink target=\"0000:ff:00.0\" count=\"" + count + "\" tclass=\"0x068000\"/>";
  }

  private static String net(int number, String name, int mbps, int gdr) {
    return String.format(
        "<net name=\"%s\" dev=\"%d\" speed=\"%d\" port=\"1\" guid=\"0x%x\" gdr=\"%d\"/>",
        name, number, mbps, 0x1000 + number, gdr);
  }
}
