// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.nitinol.spi.net.ListenComm;
import io.nitinol.spi.net.Memory;
import io.nitinol.spi.net.MemoryHandle;
import io.nitinol.spi.net.RecvComm;
import io.nitinol.spi.net.Request;
import io.nitinol.spi.net.SendComm;
import io.nitinol.spi.net.v4.Net;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plugin in docs/plugin-in-one-screen.md compiles against the spi alone, and works. */
class OneScreenPluginTest {
  private static final Path DOCUMENT = Path.of("../docs/plugin-in-one-screen.md");

  @TempDir Path directory;

  @Test
  void theExampleCompilesAndCarriesAMessage() throws Exception {
    Matcher code =
        Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(DOCUMENT));
    assertThat(code.find()).isTrue();
    Path source = Files.writeString(directory.resolve("MyNet.java"), code.group(1));
    Path classes = directory.resolve("out");
    StringWriter said = new StringWriter();
    PrintWriter out = new PrintWriter(said);
    String spi =
        Path.of(Net.class.getProtectionDomain().getCodeSource().getLocation().toURI()) + "";
    int status =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(out, out, "-Xlint:all", "-cp", spi, "-d", classes.toString(), source.toString());
    assertThat(said.toString()).isEmpty();
    assertThat(status).isZero();
    URL[] path = {classes.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(path, Net.class.getClassLoader())) {
      carry((Net) loader.loadClass("my.net.MyNet").getDeclaredConstructor().newInstance());
    }
  }

  private static void carry(Net net) {
    net.init(new Silence());
    try (Arena arena = Arena.ofShared()) {
      MemorySegment handle = arena.allocate(Net.HANDLE_MAXSIZE);
      ListenComm listener = net.listen(0, handle);
      SendComm send = net.connect(0, handle);
      RecvComm recv = net.accept(listener);
      MemorySegment from = arena.allocateFrom("over the wire", StandardCharsets.UTF_8);
      MemorySegment into = arena.allocate(100);
      MemoryHandle fromMr = net.regMr(send, Memory.ofHost(from));
      MemoryHandle intoMr = net.regMr(recv, Memory.ofHost(into));
      Request received = net.irecv(recv, intoMr, 10, 90);
      Request sent = net.isend(send, fromMr, 0, from.byteSize());
      int[] size = new int[1];
      await(net, sent, null);
      await(net, received, size);
      assertThat(size[0]).isEqualTo((int) from.byteSize());
      assertThat(into.getString(10)).isEqualTo("over the wire");
      net.closeSend(send);
      net.closeRecv(recv);
      net.closeListen(listener);
    }
  }

  private static void await(Net net, Request request, int[] sizes) {
    while (!net.test(request, sizes)) {
      assertThat(Thread.currentThread().isInterrupted()).as("out of time").isFalse();
      Thread.onSpinWait();
    }
  }

  private static final class Silence implements DebugLogger {
    @Override
    public boolean isEnabled(LogLevel level, long subsystems) {
      return false;
    }

    @Override
    public void log(LogLevel level, long subsystems, String location, int line, String message) {}
  }
}
