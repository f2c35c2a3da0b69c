// SPDX-License-Identifier: Apache-2.0
package io.nitinol.samples.libfabric.fabric;

import io.nitinol.samples.libfabric.config.OfiOptions;
import io.nitinol.samples.libfabric.ffi.Libfabric;
import io.nitinol.samples.libfabric.ffi.fabric_h;
import io.nitinol.samples.libfabric.ffi.fi_domain_attr;
import io.nitinol.samples.libfabric.ffi.fi_ep_attr;
import io.nitinol.samples.libfabric.ffi.fi_fabric_attr;
import io.nitinol.samples.libfabric.ffi.fi_info;
import io.nitinol.samples.libfabric.ffi.fi_tx_attr;
import io.nitinol.toolkit.ErrorText;
import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Asks libfabric for ways to communicate ({@code fi_getinfo}) and keeps those that can be devices
 * of one network: the domains of one provider.
 */
public final class Offers {

  /** The oldest interface that is spoken, 1.17: Debian 12 has it. */
  static final int OLDEST = version(1, 17);

  /** The newest interface that the plugin was written for. */
  static final int NEWEST = version(2, 3);

  /** Beside these no other host is reached, or a better one stands for the same wire. */
  private static final Set<String> NOT_BY_ITSELF = Set.of("shm", "net", "sockets", "udp", "sm2");

  /**
   * What was found.
   *
   * @param infos one for each device; empty where there is none
   * @param reason why there is none; otherwise the version that is spoken and the provider
   */
  public record Result(List<FabricInfo> infos, String reason) {}

  private Offers() {}

  private static int version(int major, int minor) {
    return (major << 16) | minor;
  }

  private static String text(int version) {
    return (version >>> 16) + "." + (version & 0xffff);
  }

  /**
   * Returns the version of the interface to speak with a library.
   *
   * @param library what {@code fi_version} says
   * @return the library's or the newest known one; negative where the library is too old
   */
  static int negotiated(int library) {
    return library < OLDEST ? -1 : Math.min(library, NEWEST);
  }

  /**
   * Asks libfabric.
   *
   * @param options which provider and domain are wanted
   * @return the devices, or why there are none
   */
  public static Result find(OfiOptions options) {
    String absence = Libfabric.absence();
    if (absence != null) {
      return new Result(List.of(), absence);
    }
    int library = fabric_h.fi_version();
    int version = negotiated(library);
    if (version < 0) {
      return new Result(
          List.of(),
          ErrorText.of(
              "%s is version %s of the interface, %s or newer is needed",
              Libfabric.NAME, text(library), text(OLDEST)));
    }
    Libfabric.settle(!mayBeVerbs(options));
    List<FabricInfo> all = new ArrayList<>();
    int code = ask(version, options, true, all);
    // In version 1.17 its sends of small messages never complete if they are to be delivered first.
    all.removeIf(info -> info.provider().equals("shm"));
    List<FabricInfo> chosen = choose(all, options);
    if (chosen.isEmpty()) {
      all.clear();
      code = ask(version, options, false, all);
      chosen = choose(all, options);
    }
    if (!chosen.isEmpty()) {
      return new Result(
          chosen,
          ErrorText.of("interface %s, provider %s", text(version), chosen.getFirst().provider()));
    }
    return new Result(
        List.of(),
        ErrorText.of(
            "libfabric %s offers no reliable datagrams with tags%s%s: %s",
            text(library),
            options.provider().isEmpty() ? "" : " by " + options.provider(),
            options.domain().isEmpty() ? "" : " on " + options.domain(),
            code == 0 ? "see NITINOL_OFI_PROVIDER and FI_PROVIDER" : FabricFailure.text(-code)));
  }

  /** Returns whether verbs is named, or may be chosen and there is hardware for it. */
  private static boolean mayBeVerbs(OfiOptions options) {
    String variable = System.getenv("FI_PROVIDER");
    String named = options.provider().isEmpty() && variable != null ? variable : options.provider();
    if (named.isEmpty() || named.startsWith("^")) { // all providers but those named
      String[] devices = new File("/sys/class/infiniband").list(); // it may be there and be empty
      return devices != null && devices.length > 0 && !named.contains("verbs");
    }
    return named.contains("verbs"); // a list
  }

  private static int ask(
      int version, OfiOptions options, boolean delivered, List<FabricInfo> found) {
    MemorySegment hints = fi_info.reinterpret(fabric_h.fi_dupinfo(MemorySegment.NULL));
    MemorySegment fabric = fi_fabric_attr.reinterpret(fi_info.fabric_attr(hints));
    try (Arena arena = Arena.ofConfined()) {
      fi_info.caps(hints, fabric_h.FI_TAGGED());
      fi_info.mode(hints, fabric_h.FI_CONTEXT() | fabric_h.FI_CONTEXT2());
      fi_ep_attr.type(fi_ep_attr.reinterpret(fi_info.ep_attr(hints)), fabric_h.FI_EP_RDM());
      MemorySegment domain = fi_domain_attr.reinterpret(fi_info.domain_attr(hints));
      fi_domain_attr.mr_mode(
          domain,
          fabric_h.FI_MR_LOCAL()
              | fabric_h.FI_MR_VIRT_ADDR()
              | fabric_h.FI_MR_ALLOCATED()
              | fabric_h.FI_MR_PROV_KEY());
      fi_domain_attr.threading(domain, fabric_h.FI_THREAD_SAFE());
      fi_domain_attr.resource_mgmt(domain, fabric_h.FI_RM_ENABLED());
      fi_domain_attr.data_progress(domain, progress(options));
      if (delivered) {
        fi_tx_attr.op_flags(
            fi_tx_attr.reinterpret(fi_info.tx_attr(hints)), fabric_h.FI_DELIVERY_COMPLETE());
      }
      if (!options.provider().isEmpty()) {
        fi_fabric_attr.prov_name(fabric, arena.allocateFrom(options.provider()));
      }
      MemorySegment list = arena.allocate(ValueLayout.ADDRESS);
      int code =
          fabric_h.fi_getinfo(version, MemorySegment.NULL, MemorySegment.NULL, 0, hints, list);
      if (code == 0) {
        MemorySegment first = list.get(ValueLayout.ADDRESS, 0);
        for (MemorySegment at = first; at.address() != 0; at = fi_info.next(at)) {
          at = fi_info.reinterpret(at);
          found.add(FabricInfo.of(at, delivered));
        }
        fabric_h.fi_freeinfo(first);
      }
      return code;
    } finally {
      // fi_freeinfo would free the name, which is not its own.
      fi_fabric_attr.prov_name(fabric, MemorySegment.NULL);
      fabric_h.fi_freeinfo(hints);
    }
  }

  private static int progress(OfiOptions options) {
    return switch (options.progress()) {
      case "auto" -> fabric_h.FI_PROGRESS_AUTO();
      case "manual" -> fabric_h.FI_PROGRESS_MANUAL();
      default -> 0;
    };
  }

  /** Returns the domains of the first provider that fits, each once. */
  private static List<FabricInfo> choose(List<FabricInfo> all, OfiOptions options) {
    boolean named = !options.provider().isEmpty() || System.getenv("FI_PROVIDER") != null;
    List<FabricInfo> chosen = new ArrayList<>();
    for (FabricInfo info : all) {
      String core = info.provider().split(";", 2)[0];
      boolean wanted = named || !NOT_BY_ITSELF.contains(core);
      boolean fits = options.domain().isEmpty() || options.domain().equals(info.domain());
      boolean same = chosen.isEmpty() || chosen.getFirst().provider().equals(info.provider());
      if (wanted && fits && same) {
        add(chosen, info);
      }
    }
    if (chosen.size() > 1) {
      chosen.removeIf(info -> info.domain().equals("lo"));
    }
    return List.copyOf(chosen);
  }

  /** Adds a domain, or takes its IPv4 address where it has several. */
  private static void add(List<FabricInfo> chosen, FabricInfo info) {
    for (int i = 0; i < chosen.size(); i++) {
      if (chosen.get(i).domain().equals(info.domain())) {
        if (info.addressFormat() == fabric_h.FI_SOCKADDR_IN()
            && chosen.get(i).addressFormat() == fabric_h.FI_SOCKADDR_IN6()) {
          chosen.set(i, info);
        }
        return;
      }
    }
    chosen.add(info);
  }
}
