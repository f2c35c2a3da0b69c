// SPDX-License-Identifier: Apache-2.0
package io.nitinol.stress;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A litmus test: a protocol in the instructions that HotSpot makes of it for ARM, or in C's words,
 * and the outcome that must never be.
 *
 * @param file where it lies
 * @param text its content
 */
record Litmus(Path file, String text) {
  /** Instructions with an order, and the same without; null where nothing is left. */
  private static final Map<String, String> WEAKER =
      Map.of(
          "STLR", "STR",
          "LDAR", "LDR",
          "LDAXR", "LDXR",
          "STLXR", "STXR",
          "CASA", "CAS",
          "CASAL", "CAS",
          "LDADDL", "LDADD",
          "LDADDAL", "LDADD",
          "LDSETAL", "LDSET",
          "DMB", "NOP");

  private static final Pattern OBSERVATION =
      Pattern.compile("(?m)^Observation (\\S+) (Never|Sometimes|Always) ");

  /** Reads all tests. */
  static List<Litmus> all() throws IOException {
    List<Litmus> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(Access.HOME.resolve("src/test/litmus"))) {
      for (Path file : files.sorted().toList()) {
        found.add(new Litmus(file, Files.readString(file)));
      }
    }
    return found;
  }

  static Litmus named(String name) throws IOException {
    return all().stream()
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no litmus test " + name));
  }

  String name() {
    return file.getFileName().toString().replace(".litmus", "");
  }

  private boolean isC() {
    return text.startsWith("C ");
  }

  /** Returns the text with one access weaker. */
  String weaker(Access.InLitmus access) {
    return isC() ? weakerInC(access) : weakerInstruction(access);
  }

  private String weakerInstruction(Access.InLitmus access) {
    List<String> lines = new ArrayList<>(text.lines().toList());
    int changed = 0;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!line.endsWith(";") || !line.startsWith(" ")) {
        continue;
      }
      String[] cells = line.substring(0, line.length() - 1).split("\\|", -1);
      if (access.thread() < cells.length && cells[access.thread()].strip().equals(access.text())) {
        String mnemonic = access.text().split(" ")[0];
        String weaker = WEAKER.get(mnemonic);
        if (weaker == null) {
          throw new IllegalArgumentException(access + " has no order");
        }
        cells[access.thread()] =
            weaker.equals("NOP") ? " NOP " : access.text().replaceFirst(mnemonic, weaker);
        lines.set(i, " " + String.join("|", cells) + ";");
        changed++;
      }
    }
    return once(changed, access, String.join("\n", lines) + "\n");
  }

  private String weakerInC(Access.InLitmus access) {
    Matcher thread = Pattern.compile("(?ms)^P" + access.thread() + "\\(.*?^}").matcher(text);
    if (!thread.find()) {
      throw new IllegalArgumentException(access + ": there is no such thread");
    }
    int changed = 0;
    StringBuilder body = new StringBuilder();
    for (String line : thread.group().split("\n", -1)) {
      if (line.contains(access.text())) {
        changed++;
        line =
            line.contains("fence")
                ? ""
                : line.replaceFirst("memory_order_\\w+", "memory_order_relaxed");
      }
      body.append(line).append('\n');
    }
    return once(
        changed, access, text.substring(0, thread.start()) + body + text.substring(thread.end()));
  }

  private static String once(int changed, Access.InLitmus access, String weaker) {
    if (changed != 1) {
      throw new IllegalArgumentException(access + " is there " + changed + " times");
    }
    return weaker;
  }

  /** Returns the checker, a program that need not be there, or null. */
  static List<String> checker() {
    List<String> command =
        new ArrayList<>(List.of(System.getProperty("nitinol.herd", "herd7").split(" ")));
    try {
      List<String> ask = new ArrayList<>(command);
      ask.add("-version");
      Process asked = new ProcessBuilder(ask).redirectErrorStream(true).start();
      asked.getInputStream().readAllBytes();
      return asked.waitFor() == 0 ? command : List.of();
    } catch (IOException e) {
      return List.of();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns whether the forbidden outcome of {@code ofText}, this test or a weaker one, can be. */
  boolean canBe(List<String> checker, String ofText) throws IOException, InterruptedException {
    Path copy = Files.createTempFile(name(), ".litmus");
    try {
      Files.writeString(copy, ofText);
      List<String> command = new ArrayList<>(checker);
      command.addAll(List.of("-cat", isC() ? "rc11.cat" : "aarch64.cat", copy.toString()));
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.waitFor();
      Matcher observation = OBSERVATION.matcher(told);
      if (!observation.find()) {
        throw new IllegalStateException(String.join(" ", command) + ": " + told);
      }
      return !observation.group(2).equals("Never");
    } finally {
      Files.delete(copy);
    }
  }
}
