// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.launch.pmi;

import io.nitinol.core.launch.pmi.ffi.DescriptorCalls;
import io.nitinol.toolkit.ErrorText;
import io.nitinol.toolkit.thread.OneThread;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Carries a text over the first version of PMI, which Hydra (MPICH, Intel MPI, MVAPICH) and {@code
 * srun --mpi=pmi2} speak: lines of {@code key=value} pairs over a descriptor that the process was
 * started with. It begins and ends the conversation in one call, which is the only one: a process
 * that ends between the two is taken for one that has crashed.
 */
@OneThread
public final class Pmi implements TextCarrier {
  private static final String KEY = "nitinol-unique-id";

  /** As PMI's own client allows; the answers are much shorter. */
  private static final int LONGEST = 2048;

  private final int descriptor;
  private final DescriptorCalls calls = new DescriptorCalls();

  /**
   * Creates the conversation.
   *
   * @param descriptor the value of {@code PMI_FD}
   */
  public Pmi(int descriptor) {
    this.descriptor = descriptor;
  }

  @Override
  public String name() {
    return "PMI";
  }

  @Override
  public String carry(@Nullable String text) throws IOException {
    ask("init pmi_version=1 pmi_subversion=1", "response_to_init");
    String space = value(ask("get_my_kvsname", "my_kvsname"), "kvsname");
    if (text != null) {
      ask("put kvsname=" + space + " key=" + KEY + " value=" + text, "put_result");
    }
    ask("barrier_in", "barrier_out");
    String carried = value(ask("get kvsname=" + space + " key=" + KEY, "get_result"), "value");
    ask("finalize", "finalize_ack");
    return carried;
  }

  private String ask(String request, String expected) throws IOException {
    String answer;
    try (Arena arena = Arena.ofShared()) {
      write(arena, "cmd=" + request + "\n");
      answer = readLine(arena);
    }
    String code = find(answer, "rc");
    if (!expected.equals(find(answer, "cmd")) || (code != null && !code.equals("0"))) {
      throw new IOException(
          ErrorText.of(
              "the launcher answers cmd=%s by \"%s\"; expected cmd=%s",
              request.replaceFirst(" .*", ""), answer, expected));
    }
    return answer;
  }

  private void write(Arena arena, String line) throws IOException {
    MemorySegment bytes = arena.allocateFrom(line, StandardCharsets.US_ASCII);
    long left = line.length(); // without the 0 behind it
    while (left > 0) {
      left -= check(call(true, bytes.asSlice(line.length() - left, left)));
    }
  }

  private String readLine(Arena arena) throws IOException {
    MemorySegment buffer = arena.allocate(LONGEST);
    int length = 0;
    while (length < LONGEST) {
      length += (int) check(call(false, buffer.asSlice(length)));
      byte[] bytes = buffer.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
      if (bytes[length - 1] == '\n') { // one answer for one request, so nothing is behind it
        return new String(bytes, 0, length - 1, StandardCharsets.US_ASCII);
      }
    }
    throw new IOException(
        ErrorText.of("the launcher's answer has more than %d characters", LONGEST));
  }

  private long call(boolean write, MemorySegment buffer) throws IOException {
    try {
      return write ? calls.write(descriptor, buffer) : calls.read(descriptor, buffer);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IOException(e);
    }
  }

  private long check(long done) throws IOException {
    if (done <= 0) {
      throw new IOException(
          ErrorText.of(
              "PMI_FD=%d %s",
              descriptor, done < 0 ? "is not open here" : "was closed by the launcher"));
    }
    return done;
  }

  private static String value(String answer, String key) throws IOException {
    String value = find(answer, key);
    if (value == null) {
      throw new IOException(ErrorText.of("the launcher's answer \"%s\" has no %s", answer, key));
    }
    return value;
  }

  /** Returns the value of a key; null where it has none. */
  static @Nullable String find(String answer, String key) {
    for (String pair : answer.split(" ", -1)) {
      if (pair.startsWith(key + "=")) {
        return pair.substring(key.length() + 1);
      }
    }
    return null;
  }
}
