// SPDX-License-Identifier: Apache-2.0
package io.nitinol.spi.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between the ends of connections that begin with a hello, an answer and a proof, and lets a
 * test do something between the answer and the proof.
 */
public final class ProofRelay implements AutoCloseable {
  /** What a test does when the accepting end has answered and nobody has heard it yet. */
  @FunctionalInterface
  public interface Answered {
    /**
     * May wait.
     *
     * @param connection counts the connections, from 1
     * @return whether the connection goes on; else the connecting end still gets the answer, and
     *     the accepting end never gets the proof: the connection ends in its place
     * @throws Exception ends the connection
     */
    boolean goesOn(int connection) throws Exception;
  }

  private final ServerSocket door;
  private final InetSocketAddress to;
  private final int helloBytes;
  private final int answerBytes;
  private final Answered answered;
  private final AtomicInteger connections = new AtomicInteger();

  /**
   * Starts one on the loopback interface.
   *
   * @param to where the accepting end listens
   * @param helloBytes the size of the first message
   * @param answerBytes the size of the second one
   * @param answered is asked on a thread of each connection
   * @throws IOException if the system has no more descriptors
   */
  public ProofRelay(InetSocketAddress to, int helloBytes, int answerBytes, Answered answered)
      throws IOException {
    this.to = to;
    this.helloBytes = helloBytes;
    this.answerBytes = answerBytes;
    this.answered = answered;
    this.door = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(this::accept);
  }

  /** Returns where the connecting end finds it. */
  public InetSocketAddress address() {
    return (InetSocketAddress) door.getLocalSocketAddress();
  }

  /** Returns how many connections have come. */
  public int connections() {
    return connections.get();
  }

  private void accept() {
    while (!door.isClosed()) {
      try {
        Socket from = door.accept();
        int number = connections.incrementAndGet();
        Thread.startVirtualThread(() -> serve(from, number));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket from, int number) {
    try (from;
        Socket on = new Socket(to.getAddress(), to.getPort())) {
      from.setTcpNoDelay(true);
      on.setTcpNoDelay(true);
      on.getOutputStream().write(from.getInputStream().readNBytes(helloBytes));
      byte[] answer = on.getInputStream().readNBytes(answerBytes);
      boolean goesOn = answered.goesOn(number);
      from.getOutputStream().write(answer);
      if (!goesOn) {
        from.getInputStream().read(); // the proof, which shows that the answer was taken
        return;
      }
      Thread back = Thread.startVirtualThread(() -> pass(on, from));
      pass(from, on);
      back.join();
    } catch (Exception e) {
      return; // both sockets are closed, which is what the two ends notice
    }
  }

  private static void pass(Socket from, Socket to) {
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      in.transferTo(out);
      to.shutdownOutput();
    } catch (IOException gone) {
      try {
        from.close();
        to.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
  }
}
