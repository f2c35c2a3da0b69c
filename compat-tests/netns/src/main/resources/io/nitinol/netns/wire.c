// SPDX-License-Identifier: Apache-2.0
//
// A bad network: forwards IP packets with delay, loss and reordering, as the kernel's netem does, which many kernels are built without. Needs /dev/net/tun only.
//
//   usage: wire DELAY_US LOSS REORDER SEED NAME [NAME [INSIDE OUTSIDE]]
//
// Makes the TUN devices. With one, each packet comes back where it left; with two, what leaves by one comes in by the other. A packet is lost with probability
// LOSS, and comes at once, ahead of those before it, with probability REORDER; all others come DELAY_US microseconds later. Says "ready", and at the end of
// standard input how many packets it saw.
//
// With INSIDE and OUTSIDE, both IPv4, the wire is also a router that translates addresses: the host of the second device is INSIDE and is seen as OUTSIDE by
// that of the first. It can connect; connections to it, and packets to INSIDE, are lost.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { LARGEST = 1600, ROOM = 1 << 15 }; // a packet; packets under way in a direction: 0.5 Gbit/s for a second

struct packet {
  int64_t due;
  int length;
  char bytes[LARGEST];
};

struct direction {
  int from, to, outward;
  struct packet *ring;
  uint32_t head, tail;
};

static uint64_t state, seen, lost, reordered, overflown;
static uint32_t inside, outside; // both 0: no address is translated

static double chance(void) { // splitmix64
  uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int fail(const char *what) {
  fprintf(stderr, "wire: %s: %s\n", what, strerror(errno));
  exit(1);
}

static int device(const char *name) {
  struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI};
  int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK);
  if (fd < 0) fail("/dev/net/tun");
  strncpy(request.ifr_name, name, IFNAMSIZ - 1);
  if (ioctl(fd, TUNSETIFF, &request) != 0) fail(name);
  return fd;
}

// An interface that is down or full loses the packet, as a wire does.
static void deliver(int fd, const char *bytes, int length) { overflown += write(fd, bytes, (size_t)length) != length; }

// Brings a checksum up to date with an address that has changed (RFC 1624).
static void amend(uint8_t *checksum, uint32_t before, uint32_t after) {
  uint16_t old;
  memcpy(&old, checksum, sizeof old);
  uint32_t sum = (uint16_t)~old + (uint32_t)(uint16_t)~(before >> 16) + (uint16_t)~before + (after >> 16) + (after & 0xffff);
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  uint16_t amended = (uint16_t)~sum;
  memcpy(checksum, &amended, sizeof amended);
}

// Returns whether the packet passes, with the address of the inner host replaced. Only TCP does.
static int translate(uint8_t *ip, int length, int outward) {
  if (length < 40 || ip[0] >> 4 != 4 || ip[9] != IPPROTO_TCP) return 0;
  uint8_t *tcp = ip + 4 * (ip[0] & 15), *address = ip + (outward ? 12 : 16);
  uint32_t before = outward ? inside : outside, after = outward ? outside : inside;
  int opens = (tcp[13] & 0x12) == 0x02; // SYN without ACK
  if (memcmp(address, &before, sizeof before) != 0 || (opens && !outward)) return 0;
  memcpy(address, &after, sizeof after);
  amend(ip + 10, before, after);
  amend(tcp + 16, before, after);
  return 1;
}

static void take(struct direction *way, int64_t delay, double loss, double reorder) {
  for (int i = 0; i < 64; i++) {
    struct packet *packet = &way->ring[way->head % ROOM];
    packet->length = (int)read(way->from, packet->bytes, LARGEST);
    if (packet->length <= 0) return;
    seen++;
    if (outside && !translate((uint8_t *)packet->bytes, packet->length, way->outward)) {
      lost++;
    } else if (chance() < loss) {
      lost++;
    } else if (chance() < reorder) {
      reordered++;
      deliver(way->to, packet->bytes, packet->length);
    } else if (way->head - way->tail == ROOM - 1) {
      overflown++;
    } else {
      packet->due = now() + delay;
      way->head++;
    }
  }
}

static int64_t release(struct direction *way, int64_t time) {
  for (; way->tail != way->head; way->tail++) {
    struct packet *packet = &way->ring[way->tail % ROOM];
    if (packet->due > time) return packet->due;
    deliver(way->to, packet->bytes, packet->length);
  }
  return INT64_MAX;
}

int main(int argc, char **argv) {
  if (argc != 6 && argc != 7 && argc != 9) {
    fprintf(stderr, "usage: wire DELAY_US LOSS REORDER SEED NAME [NAME [INSIDE OUTSIDE]]\n");
    return 2;
  }
  if (argc == 9) {
    inside = inet_addr(argv[7]);
    outside = inet_addr(argv[8]);
  }
  int64_t delay = atoll(argv[1]) * 1000;
  double loss = atof(argv[2]), reorder = atof(argv[3]);
  state = strtoull(argv[4], NULL, 10);
  int count = argc == 6 ? 1 : 2, fds[2];
  for (int i = 0; i < count; i++) fds[i] = device(argv[5 + i]);
  struct direction ways[2];
  for (int i = 0; i < count; i++) {
    ways[i] = (struct direction){.from = fds[i], .to = fds[count - 1 - i], .outward = i == 1, .ring = calloc(ROOM, sizeof(struct packet))};
    if (!ways[i].ring) fail("memory");
  }
  prctl(PR_SET_TIMERSLACK, 1000UL);
  puts("ready");
  fflush(stdout);
  for (;;) {
    int64_t next = INT64_MAX, time = now();
    for (int i = 0; i < count; i++) {
      int64_t due = release(&ways[i], time);
      next = due < next ? due : next;
    }
    struct pollfd ready[3] = {{.fd = 0, .events = POLLIN}};
    for (int i = 0; i < count; i++) ready[i + 1] = (struct pollfd){.fd = fds[i], .events = POLLIN};
    int64_t pause = next - now();
    if (pause < 0) pause = 0;
    struct timespec wait = {.tv_sec = pause / 1000000000, .tv_nsec = pause % 1000000000};
    if (ppoll(ready, (nfds_t)count + 1, next == INT64_MAX ? NULL : &wait, NULL) < 0 && errno != EINTR) fail("ppoll");
    char ignored[64];
    if (ready[0].revents && read(0, ignored, sizeof ignored) <= 0) break;
    for (int i = 0; i < count; i++)
      if (ready[i + 1].revents) take(&ways[i], delay, loss, reorder);
  }
  printf("packets %llu lost %llu reordered %llu overflown %llu\n", (unsigned long long)seen, (unsigned long long)lost, (unsigned long long)reordered,
    (unsigned long long)overflown);
  return 0;
}
