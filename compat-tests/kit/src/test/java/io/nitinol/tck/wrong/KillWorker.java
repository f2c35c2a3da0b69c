// SPDX-License-Identifier: Apache-2.0
package io.nitinol.tck.wrong;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Set;

/**
 * The program of a process that runs rows of the kill table, one after the other: it reads the name
 * of a wrong plugin and the rules for it from a socket, and answers with an empty text or with the
 * failure.
 */
final class KillWorker {
  /** Keeps an answer within what {@link DataOutputStream#writeUTF} can hold in any characters. */
  private static final int LONGEST = 20_000;

  private KillWorker() {}

  /**
   * Serves {@link KillWorkers} until that hangs up.
   *
   * @param args the port on the loopback interface
   * @throws IOException when the connection fails
   */
  public static void main(String[] args) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        DataInputStream in = new DataInputStream(socket.getInputStream());
        DataOutputStream out = new DataOutputStream(socket.getOutputStream())) {
      while (true) {
        Class<?> wrong = WrongPlugins.ofName(in.readUTF());
        String rules = in.readUTF();
        out.writeUTF(failure(wrong, rules.isEmpty() ? Set.of() : Set.of(rules.split(",", -1))));
      }
    } catch (EOFException e) {
      // No more rows. Some wrong plugins leave threads that would keep the process.
      Runtime.getRuntime().halt(0);
    }
  }

  private static String failure(Class<?> wrong, Set<String> rules) {
    try {
      KillRow.kill(wrong, rules);
      return "";
    } catch (Throwable e) {
      StringWriter text = new StringWriter();
      e.printStackTrace(new PrintWriter(text));
      return text.toString().substring(0, Math.min(text.toString().length(), LONGEST));
    }
  }
}
