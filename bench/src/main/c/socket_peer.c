// SPDX-License-Identifier: Apache-2.0
//
// The C side of bench/socket-vs-c and bench/socket-netns: one end of some TCP connections, told what to do through its standard input, so that an end that is
// not measured waits in read() and costs no processor time. io.nitinol.bench.socket.EndProcess is the same for Java and describes the commands.
//
//   usage: socket_peer near|far spin|poll|single CONNECTIONS LARGEST ADDRESS
//
// A message is a header of 16 bytes and its payload, which leave with one sendmsg; what is left of a payload and the next header come with one recvmsg. Message
// i of a stream is in slot i % SLOTS and goes by connection i % CONNECTIONS, and no message begins before the one SLOTS earlier has ended. All calls are
// non-blocking: "spin" calls again at once, "poll" sleeps in poll() when nothing moves. A connection is used one way, as the contract of a network plugin has
// it, and there is one more for the way back; "single" spins and has both ways of the ping on one connection.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 8, MOST = 64, MARK = 0x4e54 };

struct header {
  uint32_t mark, tag;
  uint64_t length;
};

// One connection and the message that it is at.
struct way {
  int fd;
  long message;
  size_t headed, done; // bytes of its header and of its payload
  struct header header;
};

static struct way ways[MOST], back;
static int connections, near, spin;
static size_t largest;
static char *memory;

static void fail(const char *what) {
  fprintf(stderr, "socket_peer: %s: %s\n", what, strerror(errno));
  exit(1);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static uint64_t element(uint64_t i) { return (i + 1) * 0x9e3779b97f4a7c15; }

static char *slot(long message) { return memory + (size_t)(message % SLOTS) * largest; }

// The connections.

static struct addrinfo *resolve(const char *address, const char *port) {
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE}, *found;
  int error = getaddrinfo(address, port, &hints, &found);
  if (error) {
    fprintf(stderr, "socket_peer: %s: %s\n", address, gai_strerror(error));
    exit(2);
  }
  return found;
}

static int listener(const char *address, int *port) {
  struct addrinfo *at = resolve(address, "0");
  int fd = socket(at->ai_family, SOCK_STREAM, 0);
  struct sockaddr_in6 bound;
  socklen_t length = sizeof bound;
  if (fd < 0 || bind(fd, at->ai_addr, at->ai_addrlen) || listen(fd, MOST) || getsockname(fd, (struct sockaddr *)&bound, &length)) fail(address);
  *port = ntohs(bound.sin6_port); // where that of sockaddr_in is
  freeaddrinfo(at);
  return fd;
}

static void use(struct way *way, int fd) {
  int on = 1;
  if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on)) fail("TCP_NODELAY");
  way->fd = fd;
}

// The first byte of a connection is its number: accept() may return them in another order.
static void dial(struct way *way, char number, const char *address, const char *port) {
  struct addrinfo *at = resolve(address, port);
  int fd = socket(at->ai_family, SOCK_STREAM, 0);
  if (fd < 0 || connect(fd, at->ai_addr, at->ai_addrlen) || send(fd, &number, 1, 0) != 1) fail(address);
  use(way, fd);
  freeaddrinfo(at);
}

static void meet(int listening, const char *words) {
  char address[64], port[8], number;
  if (sscanf(words, "%63[^/]/%7s", address, port) != 2) fail("a handle");
  if (near) {
    dial(&back, 0, address, port);
  } else {
    for (int i = 0; i < connections; i++) dial(&ways[i], (char)i, address, port);
  }
  for (int i = 0; i < (near ? connections : 1); i++) {
    int fd = accept(listening, NULL, NULL);
    if (fd < 0 || recv(fd, &number, 1, MSG_WAITALL) != 1 || number < 0 || number >= connections) fail("accept");
    use(near ? &ways[(int)number] : &back, fd);
  }
  close(listening);
}

// Messages.

static void pause_until(short events, struct way *some, int count) {
  struct pollfd all[MOST];
  if (spin) return;
  for (int i = 0; i < count; i++) all[i] = (struct pollfd){.fd = some[i].fd, .events = events};
  if (poll(all, (nfds_t)count, 10000) <= 0) fail("poll");
}

// Both move what they can of the message and return whether it has ended.

static int push(struct way *way, char *payload, size_t size) {
  way->header = (struct header){MARK, 0, size};
  struct iovec parts[2] = {
      {(char *)&way->header + way->headed, sizeof way->header - way->headed},
      {payload + way->done, size - way->done},
  };
  struct msghdr call = {.msg_iov = parts, .msg_iovlen = 2};
  if (parts[0].iov_len == 0) call = (struct msghdr){.msg_iov = parts + 1, .msg_iovlen = 1};
  ssize_t taken = sendmsg(way->fd, &call, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (taken < 0 && errno != EAGAIN) fail("sendmsg");
  if (taken <= 0) return 0;
  size_t of_header = (size_t)taken < parts[0].iov_len ? (size_t)taken : parts[0].iov_len;
  way->headed += of_header;
  way->done += (size_t)taken - of_header;
  if (way->headed < sizeof way->header || way->done < size) return 0;
  way->headed = way->done = 0;
  return 1;
}

static int pull(struct way *way, char *payload, size_t size, int more) {
  if (way->headed == sizeof way->header && (way->header.mark != MARK || way->header.length != size)) {
    errno = EBADMSG;
    fail("a header");
  }
  struct header next;
  struct iovec parts[2] = {{payload + way->done, size - way->done}, {&next, more ? sizeof next : 0}};
  if (way->headed < sizeof way->header) {
    parts[0] = (struct iovec){(char *)&way->header + way->headed, sizeof way->header - way->headed};
    // Small messages come as a whole.
    parts[1] = (struct iovec){payload, size <= 4096 ? size : 0};
  }
  struct msghdr call = {.msg_iov = parts, .msg_iovlen = parts[1].iov_len ? 2 : 1};
  ssize_t came = recvmsg(way->fd, &call, MSG_DONTWAIT);
  if (came == 0) fail("closed by the peer");
  if (came < 0 && errno != EAGAIN) fail("recvmsg");
  if (came < 0) return 0;
  size_t first = (size_t)came < parts[0].iov_len ? (size_t)came : parts[0].iov_len, second = (size_t)came - first;
  if (way->headed < sizeof way->header) {
    way->headed += first;
    way->done = second;
    if (way->headed < sizeof way->header || way->done < size) return 0;
    if (way->header.mark != MARK || way->header.length != size) {
      errno = EBADMSG;
      fail("a header");
    }
    way->headed = way->done = 0;
    return 1;
  }
  way->done += first;
  if (way->done < size) return 0;
  way->header = next;
  way->headed = second;
  way->done = 0;
  return 1;
}

static void stream(int sending, size_t size, long count) {
  unsigned char ended[SLOTS] = {0};
  for (int i = 0; i < connections; i++) ways[i].message = i;
  for (long oldest = 0; oldest < count;) {
    int moved = 0;
    for (int i = 0; i < connections; i++) {
      struct way *way = &ways[i];
      long message = way->message;
      if (message >= count || message >= oldest + SLOTS) continue;
      size_t headed = way->headed, done = way->done;
      int end = sending ? push(way, slot(message), size) : pull(way, slot(message), size, message + connections < count);
      moved |= end || headed != way->headed || done != way->done;
      if (!end) continue;
      way->message += connections;
      ended[message % SLOTS] = 1;
      while (oldest < count && ended[oldest % SLOTS]) ended[oldest++ % SLOTS] = 0;
    }
    if (!moved && oldest < count) pause_until(sending ? POLLOUT : POLLIN, ways, connections);
  }
}

static void put(struct way *way, char *payload) {
  while (!push(way, payload, 8)) pause_until(POLLOUT, way, 1);
}

static void get(struct way *way, char *payload) {
  while (!pull(way, payload, 8, 0)) pause_until(POLLIN, way, 1);
}

static long wrong(size_t size, long count) {
  for (long s = 0; s < SLOTS && s < count; s++) {
    uint64_t *words = (uint64_t *)slot(s);
    for (size_t i = 0; i < size / 8; i++)
      if (words[i] != element((size_t)s * largest / 8 + i)) return (long)(i * 8);
  }
  return -1;
}

int main(int argc, char **argv) {
  if (argc != 6 || (connections = atoi(argv[3])) < 1 || connections > MOST) {
    fprintf(stderr, "usage: socket_peer near|far spin|poll|single CONNECTIONS LARGEST ADDRESS\n");
    return 2;
  }
  near = !strcmp(argv[1], "near");
  spin = strcmp(argv[2], "poll");
  int single = !strcmp(argv[2], "single");
  largest = strtoull(argv[4], NULL, 10);
  if (posix_memalign((void **)&memory, 4096, SLOTS * largest)) fail("memory");
  for (size_t i = 0; i < SLOTS * largest / 8; i++) ((uint64_t *)memory)[i] = near ? 0 : element(i);
  int port, listening = listener(argv[5], &port);
  printf("handles %s/%d\n", argv[5], port);
  fflush(stdout);

  char line[256];
  size_t size;
  long count;
  int check;
  while (fgets(line, sizeof line, stdin)) {
    double start = now();
    if (!strncmp(line, "connect ", 8)) {
      meet(listening, line + 8);
    } else if (sscanf(line, "stream %zu %ld %d", &size, &count, &check) == 3) {
      char go[8] = {0};
      if (near) {
        for (int s = 0; check && s < SLOTS; s++) memset(slot(s), 0, size);
        start = now();
        put(&back, go);
        stream(0, size, count);
        double nanos = now() - start;
        long at = check ? wrong(size, count) : -1;
        if (at >= 0) {
          printf("wrong byte %ld of a message of %zu bytes\n", at, size);
          fflush(stdout);
          continue;
        }
        start = now() - nanos;
      } else {
        get(&back, go);
        stream(1, size, count);
      }
    } else if (sscanf(line, "ping %ld", &count) == 1) {
      char bytes[8] = {0};
      struct way *there = single ? &ways[0] : &back;
      for (long i = 0; i < count; i++) {
        if (near) {
          put(there, bytes);
          get(&ways[0], bytes);
        } else {
          get(there, bytes);
          put(&ways[0], bytes);
        }
      }
    } else {
      fprintf(stderr, "not understood: %s", line);
      return 2;
    }
    printf("ok %.0f\n", now() - start);
    fflush(stdout);
  }
  return 0;
}
