// SPDX-License-Identifier: Apache-2.0
package io.nitinol.core.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No name is left, wherever the end of the process meets the thread that makes or removes it. */
class NamedFilesTest {
  @TempDir private Path directory;

  /** The hook at the end of the process, which runs beside all other threads. */
  private Thread end = new Thread(() -> {});

  private void meetTheEnd(NamedFiles names) {
    end = Thread.ofPlatform().daemon().start(names::end);
    while (end.getState() == Thread.State.NEW || end.getState() == Thread.State.RUNNABLE) {
      Thread.onSpinWait(); // until it waits for this thread, or is over
    }
  }

  @Test
  void theEndWaitsForAFileThatIsBeingMade() throws Exception {
    NamedFiles names = new NamedFiles(Files::deleteIfExists);
    Path file = directory.resolve("file");
    names.make(
        file,
        path -> {
          meetTheEnd(names);
          return Files.createFile(path);
        });
    end.join();
    assertThat(directory).isEmptyDirectory();
    assertThatThrownBy(() -> names.make(file, Files::createFile))
        .hasMessage("this process is ending");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void theEndWaitsForANameThatIsBeingRemoved() throws Exception {
    Path file = directory.resolve("file");
    NamedFiles[] names = new NamedFiles[1];
    boolean[] left = new boolean[1];
    names[0] =
        new NamedFiles(path -> {
          if (end.getState() == Thread.State.NEW) {
            meetTheEnd(names[0]);
            left[0] = !end.isAlive() && Files.exists(path);
          }
          return Files.deleteIfExists(path);
        });
    names[0].make(file, Files::createFile);
    names[0].remove(file);
    end.join();
    assertThat(left[0]).as("the process could have ended with the name still there").isFalse();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aNameThatCannotBeRemovedIsTriedAgainAtTheEnd() throws Exception {
    Path file = directory.resolve("file");
    boolean[] fails = {true};
    NamedFiles names =
        new NamedFiles(path -> {
          if (fails[0]) {
            throw new IOException("not now");
          }
          return Files.deleteIfExists(path);
        });
    names.make(file, Files::createFile);
    assertThatThrownBy(() -> names.remove(file)).hasMessage("not now");
    fails[0] = false;
    names.end();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aFileOfAnotherProcessStays() throws Exception {
    NamedFiles names = new NamedFiles(Files::deleteIfExists);
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> names.make(file, Files::createFile))
        .isInstanceOf(FileAlreadyExistsException.class);
    names.end();
    assertThat(file).exists();
  }
}
