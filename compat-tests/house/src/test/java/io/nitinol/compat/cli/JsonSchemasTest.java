// SPDX-License-Identifier: Apache-2.0
package io.nitinol.compat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.testing.FirstRows;
import io.nitinol.spi.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What commands print as JSON is what {@code docs/schemas} says. {@code diagnose}: DiagnoseTest,
 * {@code top}: TopTest.
 */
class JsonSchemasTest {
  private static final Path DOCS = Path.of(System.getProperty("nitinol.root", ".."), "docs");

  /** An example of the page, behind the heading of its command. */
  private static final Pattern EXAMPLE =
      Pattern.compile("(?ms)^## `nitinol (\\w+)[^\\n]*$.*?^```json\\n(.*?)^```$");

  private static final String MACHINE =
      """
      <system version="1">
        <cpu numaid="0" affinity="0000000f" arch="x86_64" vendor="GenuineIntel" familyid="6"
             modelid="143">
          <pci busid="0000:0a:00.0" class="0x030200" vendor="0x10de" device="0x2330"
               subsystem_vendor="0x10de" subsystem_device="0x16c1" link_speed="32.0 GT/s PCIe"
               link_width="16">
            <gpu dev="0" sm="90" rank="0" gdr="1"/>
          </pci>
          <nic>
            <net name="eth0" dev="0" speed="100000" port="0" guid="0x1" maxconn="64" gdr="0"/>
          </nic>
        </cpu>
      </system>
      """;

  private static String run(int status, Map<String, String> variables, String line)
      throws Exception {
    try (CommandProcess command = CommandProcess.start(variables, line.split(" ", -1))) {
      assertThat(command.exit()).as("%s", command).isEqualTo(status);
      return command.out();
    }
  }

  private static void requireValid(String command, String json) throws IOException {
    assertThat(SchemaCheck.mistakes(command, json)).as("%s: %s", command, json).isEmpty();
  }

  @Test
  void env() throws Exception {
    Map<String, String> wrong = Map.of("NCCL_BUFFSIZE", "lots", "NCCL_UNKNOWN", "1");
    requireValid("env", run(0, wrong, "env --json"));
  }

  @Test
  @Slow
  void plugins() throws Exception {
    requireValid("plugins", run(0, Map.of(), "plugins --json"));
    requireValid("plugins", run(3, Map.of("NCCL_NET", "Nope"), "plugins --json"));
  }

  @Test
  void doctor() throws Exception {
    requireValid("doctor", run(0, Map.of(), "doctor --json"));
  }

  @Test
  @Slow
  void topo(@TempDir Path work) throws Exception {
    requireValid("topo", run(0, Map.of(), "topo --json"));
    Path file = Files.writeString(work.resolve("machine.xml"), MACHINE);
    String json = run(0, Map.of(), "topo --json --graphs --file " + file);
    assertThat(json).contains("\"graphs\"", "\"compute_capability\" : 90");
    requireValid("topo", json);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "all_reduce --iters 2",
        "broadcast --percentiles -r all --min-bandwidth 0.0000001 --iters 2",
        "sendrecv --rate -c 0 --iters 2",
        "sendrecv --pairs --iters 2",
        "all_gather --interval 0.1 --seconds 0.2"
      })
  @FirstRows(1)
  void perf(String words, @TempDir Path work) throws Exception {
    Path file = work.resolve("result.json");
    run(0, Map.of(), "perf " + words + " -n 2 --threads -b 1K -w 1 --json " + file);
    requireValid("perf", Files.readString(file));
  }

  @Test
  void tck(@TempDir Path work) throws Exception {
    Path file = work.resolve("tck.json");
    run(0, Map.of(), "tck Socket --in-process --rule NET-DEV-02 --json " + file);
    requireValid("tck", Files.readString(file));
  }

  @ParameterizedTest
  @ValueSource(strings = {"all_reduce:64K,broadcast:1M:1", "all_reduce:1G --hosts 128"})
  @FirstRows(1)
  void sim(String words, @TempDir Path work) throws Exception {
    Path file = work.resolve("sim.json");
    run(0, Map.of(), "sim " + words + " --json " + file);
    requireValid("sim", Files.readString(file));
  }

  @Test
  void theExamplesOfThePageAreRight() throws IOException {
    List<String> commands = new ArrayList<>();
    Matcher example = EXAMPLE.matcher(Files.readString(DOCS.resolve("json.md")));
    while (example.find()) {
      commands.add(example.group(1));
      requireValid(example.group(1), example.group(2));
    }
    try (Stream<Path> schemas = Files.list(DOCS.resolve("schemas"))) {
      List<String> names =
          schemas.map(file -> file.getFileName().toString().replace(".schema.json", "")).toList();
      assertThat(new TreeSet<>(commands)).isEqualTo(new TreeSet<>(names)).hasSize(9);
    }
  }

  @Test
  void whatTheSchemaDoesNotSayIsFound() {
    String schema =
        """
        {"type": "object", "required": ["a", "b"], "additionalProperties": false,
         "properties": {"a": {"type": ["integer", "null"]}, "b": {"$ref": "#/$defs/b"},
          "c": {"anyOf": [{"type": "boolean"}, {"type": "null"}]}},
         "$defs": {"b": {"type": "array", "items": {"type": "string"}}}}
        """;
    assertThat(mistakes(schema, "{\"a\": null, \"b\": [\"x\"], \"c\": true}")).isEmpty();
    assertThat(mistakes(schema, "{\"a\": 1.5, \"b\": [\"x\", 1], \"c\": 0, \"d\": 1}"))
        .containsExactly(
            "$.a: 1.5 is not of type [\"integer\",\"null\"]",
            "$.b[1]: 1 is not of type \"string\"",
            "$.c: 0 is not of type \"boolean\"",
            "$: nothing is said of d");
    assertThat(mistakes(schema, "{\"a\": 1}")).containsExactly("$: there is no b");
  }

  private static List<String> mistakes(String schema, String value) {
    return SchemaCheck.mistakes(SchemaCheck.read(schema), SchemaCheck.read(value));
  }
}
