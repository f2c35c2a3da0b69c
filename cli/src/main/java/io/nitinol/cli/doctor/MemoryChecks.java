// SPDX-License-Identifier: Apache-2.0
package io.nitinol.cli.doctor;

import io.nitinol.core.config.CoreVariables;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.ShellWord;
import io.nitinol.toolkit.SizeText;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shared memory, huge pages, and the limits of this process. */
final class MemoryChecks {
  /** What the JVM itself and a job of a few dozen ranks in one process hold together, and room. */
  private static final long FEW_FILES = 4096;

  /** What the kernel allows by default, and the file that says what it does here. */
  private static final long MANY_FILES = 1L << 20;

  private static final String MOST_FILES = "/proc/sys/fs/nr_open";

  /** Containers have a quarter of it by default. */
  private static final long LITTLE_SHARED = 256L << 20;

  /** What the connections of a communicator inside a host take, and a little. */
  private static final long LITTLE_FREE = 32L << 20;

  private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs", "hugetlbfs");

  private static final String SHARED = "shared memory";
  private static final String OPEN_FILES = "open files";
  private static final String LOCKED = "locked memory";
  private static final String HUGE = "huge pages";
  private static final String TRANSPARENT = "/sys/kernel/mm/transparent_hugepage/enabled";
  private static final String TRANSPARENT_SHARED =
      "/sys/kernel/mm/transparent_hugepage/shmem_enabled";

  /** The capability CAP_IPC_LOCK, as a bit of CapEff. */
  private static final long MAY_LOCK = 1L << 14;

  /** The directory in which the ranks of a host share memory. */
  record Room(long total, long free, String type) {}

  /** Soft and hard limit; {@link Long#MAX_VALUE} for unlimited. */
  private record Limit(long soft, long hard) {
    static Limit of(HostFiles files, String name) throws IOException {
      String line = files.after("/proc/self/limits", name);
      String[] words = line.split("\\s+", -1);
      if (words.length < 2) {
        throw new IOException("/proc/self/limits: expected two limits, found " + name + " " + line);
      }
      return new Limit(limit(words[0]), limit(words[1]));
    }

    private static long limit(String text) throws IOException {
      return text.equals("unlimited")
          ? Long.MAX_VALUE
          : HostFiles.number(text, "/proc/self/limits");
    }
  }

  private MemoryChecks() {}

  static List<DoctorFinding> look(ExaminedHost host) {
    List<DoctorFinding> found = new ArrayList<>();
    found.addAll(DoctorCheck.run(SHARED, () -> List.of(shared(host))));
    found.addAll(DoctorCheck.run(HUGE, () -> List.of(hugePages(host))));
    found.addAll(DoctorCheck.run(OPEN_FILES, () -> List.of(openFiles(host))));
    found.addAll(DoctorCheck.run(LOCKED, () -> List.of(locked(host))));
    return found;
  }

  private static DoctorFinding shared(ExaminedHost host) throws IOException {
    if (host.settings().get(CoreVariables.SHM_DISABLE)) {
      return DoctorFinding.note(SHARED, CoreVariables.SHM_DISABLE + " is set, so none is used");
    }
    String name = host.settings().get(CoreVariables.SHM_DIR).strip();
    Path directory;
    try {
      directory = host.files().path(Path.of(name).toAbsolutePath().toString());
    } catch (InvalidPathException e) {
      return unusable(
          name, ErrorText.of("not a path: %s", e.getMessage()), host.unset(CoreVariables.SHM_DIR));
    }
    String word = ShellWord.quoted(name);
    if (!Files.isDirectory(directory)) {
      return unusable(
          name,
          "no such directory",
          mend(host, ErrorText.of("sudo mkdir -p %s && sudo mount -t tmpfs tmpfs %s", word, word)));
    }
    if (!host.usable().test(directory)) {
      return unusable(
          name,
          "this user cannot write there",
          mend(host, ErrorText.of("sudo chmod 1777 %s", word)));
    }
    FileStore store = Files.getFileStore(directory);
    Room room = new Room(store.getTotalSpace(), store.getUsableSpace(), store.type());
    return shared(name, room, larger(host, name));
  }

  /** The system's own directory is put right; for another one it takes the place again. */
  private static @Nullable String mend(ExaminedHost host, String command) {
    return host.settings().isSet(CoreVariables.SHM_DIR)
        ? host.unset(CoreVariables.SHM_DIR)
        : host.container() == null ? command : null;
  }

  /** The size of another directory than the system's own is its owner's affair. */
  static @Nullable String larger(ExaminedHost host, String name) {
    if (host.settings().isSet(CoreVariables.SHM_DIR)) {
      return null;
    }
    return host.container() == null
        ? ErrorText.of("sudo mount -o remount,size=4G %s", ShellWord.quoted(name))
        : host.containerWith("--shm-size=4g");
  }

  private static DoctorFinding unusable(String name, String what, @Nullable String mend) {
    return DoctorFinding.problem(
        SHARED,
        name + ": " + what,
        ErrorText.of(
            "Processes of one host meet there, and their job fails without it, unless %s=1 sends"
                + " their data through the network.",
            CoreVariables.SHM_DISABLE),
        mend);
  }

  /**
   * Judges the directory.
   *
   * @param larger the command that gives it more memory; null where there is none
   */
  static DoctorFinding shared(String name, Room room, @Nullable String larger) {
    String seen =
        ErrorText.of("%s: %s, %s free", name, SizeText.of(room.total()), SizeText.of(room.free()));
    if (!IN_MEMORY.contains(room.type())) {
      return DoctorFinding.warning(
          SHARED,
          seen + ", on " + room.type(),
          "Files outside of memory may be written to a disk, which is slow.",
          null);
    }
    if (room.total() == 0) { // so ramfs answers, and tmpfs with size=0
      return DoctorFinding.ok(SHARED, ErrorText.of("%s: %s without a limit", name, room.type()));
    }
    if (room.total() < LITTLE_SHARED) {
      return DoctorFinding.warning(
          SHARED,
          seen,
          "Connections of one communicator have room in it. Several communicators, or buffers of"
              + " Communicator.allocate, need more and fail.",
          larger);
    }
    if (room.free() < LITTLE_FREE) {
      return DoctorFinding.warning(
          SHARED,
          seen,
          ErrorText.of(
              "Processes of one host share memory there, and fail where there is no room. ls -l %s"
                  + " shows the files that take it.",
              ShellWord.quoted(name)),
          null);
    }
    return DoctorFinding.ok(SHARED, seen);
  }

  static DoctorFinding hugePages(ExaminedHost host) throws IOException {
    HostFiles files = host.files();
    String reserved = files.after("/proc/meminfo", "HugePages_Total:");
    return DoctorFinding.note(
        HUGE,
        ErrorText.of(
            "transparent: %s, of shared memory: %s; reserved: %s",
            selected(files, TRANSPARENT), selected(files, TRANSPARENT_SHARED), reserved),
        "So the system is set. Nitinol asks for none: what says madvise or advise gives it none.");
  }

  /** Returns the word in brackets, which is the one that counts, or that there is none. */
  private static String selected(HostFiles files, String file) throws IOException {
    String text = files.textOr(file, "");
    int open = text.indexOf('[');
    int close = text.indexOf(']');
    return open >= 0 && close > open ? text.substring(open + 1, close) : "unknown";
  }

  static DoctorFinding openFiles(ExaminedHost host) throws IOException {
    Limit limit = Limit.of(host.files(), "Max open files");
    String seen = ErrorText.of("%s (at most %s)", count(limit.soft()), count(limit.hard()));
    if (limit.soft() >= FEW_FILES) {
      return DoctorFinding.ok(OPEN_FILES, seen);
    }
    String why =
        "A rank has connections to the others, each of which is an open file, and all ranks of a"
            + " process share the limit.";
    long most = mostFiles(host.files());
    if (limit.hard() > limit.soft()) {
      return DoctorFinding.warning(
          OPEN_FILES,
          seen,
          why + " The JVM raises it to the hard limit by itself unless -XX:-MaxFDLimit is given.",
          "ulimit -n " + Math.min(limit.hard(), most));
    }
    String container = host.containerWith("--ulimit nofile=" + most);
    return DoctorFinding.warning(
        OPEN_FILES,
        seen,
        why,
        container != null ? container : host.unlessContained(raised("nofile " + most)));
  }

  /** Returns the limit to ask for, at most the kernel's own: with more than that no login works. */
  private static long mostFiles(HostFiles files) throws IOException {
    String bound = files.textOr(MOST_FILES, "");
    return bound.isEmpty() ? MANY_FILES : Math.min(MANY_FILES, HostFiles.number(bound, MOST_FILES));
  }

  /** Returns the command that raises both limits of this user, and of no other one. */
  private static String raised(String limit) {
    return ErrorText.of(
        "echo \"$USER - %s\" | sudo tee -a /etc/security/limits.d/nitinol.conf # and log in again",
        limit);
  }

  private static String count(long limit) {
    return limit == Long.MAX_VALUE ? "unlimited" : Long.toString(limit);
  }

  static DoctorFinding locked(ExaminedHost host) throws IOException {
    HostFiles files = host.files();
    Limit limit = Limit.of(files, "Max locked memory");
    String seen = ErrorText.of("%s (at most %s)", size(limit.soft()), size(limit.hard()));
    if (host.rdmaDevices().isEmpty()) {
      return DoctorFinding.note(LOCKED, seen, "Only RDMA devices need it, and there is none.");
    }
    if (limit.soft() == Long.MAX_VALUE || mayLock(files)) {
      return DoctorFinding.ok(LOCKED, seen);
    }
    String why =
        "Memory that an RDMA device reads and writes is locked, and counts against this limit.";
    if (limit.hard() == Long.MAX_VALUE) {
      return DoctorFinding.warning(LOCKED, seen, why, "ulimit -l unlimited");
    }
    String container = host.containerWith("--ulimit memlock=-1");
    return DoctorFinding.warning(
        LOCKED,
        seen,
        why,
        container != null ? container : host.unlessContained(raised("memlock unlimited")));
  }

  /** Returns whether the limit does not count for this process, as for root outside containers. */
  private static boolean mayLock(HostFiles files) throws IOException {
    String text = files.after("/proc/self/status", "CapEff:");
    try {
      boolean initialUsers = files.textOr("/proc/self/uid_map", "").matches("0\\s+0\\s+4294967295");
      return initialUsers && (Long.parseUnsignedLong(text, 16) & MAY_LOCK) != 0;
    } catch (NumberFormatException e) {
      throw new IOException(
          ErrorText.of("/proc/self/status: expected hexadecimal digits, found CapEff: %s", text),
          e);
    }
  }

  private static String size(long limit) {
    return limit == Long.MAX_VALUE ? "unlimited" : SizeText.of(limit);
  }
}
