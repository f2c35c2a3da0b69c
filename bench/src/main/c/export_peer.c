// SPDX-License-Identifier: Apache-2.0
//
// The C side of bench/native-crossing: an end that moves its messages through libnccl-net-nitinol.so, as NCCL does, and is told what to do through its standard
// input; io.nitinol.bench.socket.EndProcess describes the commands. It calls as PluginEnd does: eight messages in flight, the oldest asked about.
//
//   usage: export_peer near|far LIBRARY VERSION LARGEST

#include "host.h"

enum { SLOTS = 8 };

static int near;
static size_t largest;
static char *memory;
static _Alignas(16) char little[16];
static void *listener, *out, *in; // near: out is the way back; far: in is
static void *out_all, *in_all, *out_little, *in_little;

static uint64_t element(uint64_t i) { return (i + 1) * 0x9e3779b97f4a7c15; }

static void await(void *request) {
  for (int done = 0; !done;) CHECK(host_test(request, &done, NULL));
}

static void send_little(void) {
  void *request = NULL;
  while (request == NULL) CHECK(host_isend(out, little, 8, 0, out_little, &request));
  await(request);
}

static void *receive_little(void) {
  void *request = NULL;
  while (request == NULL) CHECK(host_irecv(in, little + 8, 8, 0, in_little, &request));
  return request;
}

static void stream(int sending, size_t size, long count) {
  static void *requests[SLOTS];
  long posted = 0, done = 0;
  while (done < count) {
    while (posted < count && posted - done < SLOTS) {
      void **request = &requests[posted % SLOTS];
      char *data = memory + (size_t)(posted % SLOTS) * largest;
      *request = NULL;
      CHECK(sending ? host_isend(out, data, size, 0, out_all, request) : host_irecv(in, data, size, 0, in_all, request));
      if (*request == NULL) break;
      posted++;
    }
    int complete = 0;
    if (done < posted) CHECK(host_test(requests[done % SLOTS], &complete, NULL));
    done += complete;
  }
}

static const char *wrong(size_t size, long count) {
  static char text[100];
  for (long i = 0; i < count; i++) {
    for (size_t at = 0; at < size; at += 8) {
      size_t index = ((size_t)i * largest + at) / 8;
      if (((uint64_t *)memory)[index] != element(index)) {
        snprintf(text, sizeof text, "byte %zu of a message of %zu bytes", at, size);
        return text;
      }
    }
  }
  return NULL;
}

static void print_handle(const unsigned char *handle) {
  printf("handles ");
  for (int i = 0; i < NCCL_NET_HANDLE_MAXSIZE; i++) printf("%02x", handle[i]);
  printf("\n");
}

static void meet(const char *words) {
  _Alignas(8) unsigned char handle[NCCL_NET_HANDLE_MAXSIZE];
  for (int i = 0; i < NCCL_NET_HANDLE_MAXSIZE; i++) REQUIRE(sscanf(words + 2 * i, "%2hhx", &handle[i]) == 1);
  double begin = host_seconds();
  while (out == NULL || in == NULL) {
    if (out == NULL) CHECK(host_connect(0, handle, &out));
    if (in == NULL) CHECK(host_accept(listener, &in));
    REQUIRE(host_seconds() - begin < 30);
  }
  CHECK(host_close_listen(listener));
  CHECK(host_reg(out, little, sizeof little, &out_little));
  CHECK(host_reg(in, little, sizeof little, &in_little));
  CHECK(near ? host_reg(in, memory, SLOTS * largest, &in_all) : host_reg(out, memory, SLOTS * largest, &out_all));
}

int main(int argc, char **argv) {
  _Alignas(8) unsigned char handle[NCCL_NET_HANDLE_MAXSIZE];
  char line[1024];
  if (argc != 5) return 2;
  near = strcmp(argv[1], "near") == 0;
  largest = strtoul(argv[4], NULL, 10);
  memory = aligned_alloc(4096, SLOTS * largest);
  memset(memory, 0, SLOTS * largest);
  for (size_t i = 0; !near && i < SLOTS * largest / 8; i++) ((uint64_t *)memory)[i] = element(i);
  setvbuf(stdout, NULL, _IOLBF, 0);
  host_load(argv[2], atoi(argv[3]));
  CHECK(host_init());
  CHECK(host_listen(0, handle, &listener));
  print_handle(handle);
  while (fgets(line, sizeof line, stdin) != NULL) {
    size_t size;
    long count;
    int check;
    const char *fault = NULL;
    double begin = host_seconds();
    if (strncmp(line, "connect ", 8) == 0) {
      meet(line + 8);
    } else if (sscanf(line, "stream %zu %ld %d", &size, &count, &check) == 3 && near) {
      for (int i = 0; check && i < SLOTS; i++) memset(memory + (size_t)i * largest, 0, size);
      begin = host_seconds();
      send_little();
      stream(0, size, count);
      double nanos = (host_seconds() - begin) * 1e9;
      if (check) fault = wrong(size, count < SLOTS ? count : SLOTS);
      if (fault == NULL) printf("ok %.0f\n", nanos);
      else printf("wrong %s\n", fault);
      continue;
    } else if (sscanf(line, "stream %zu %ld %d", &size, &count, &check) == 3) {
      await(receive_little());
      stream(1, size, count);
    } else if (sscanf(line, "ping %ld", &count) == 1) {
      for (long i = 0; i < count; i++) {
        if (near) {
          void *receiving = receive_little();
          send_little();
          await(receiving);
        } else {
          await(receive_little());
          send_little();
        }
      }
    } else {
      return 2;
    }
    printf("ok %.0f\n", (host_seconds() - begin) * 1e9);
  }
  return 0;
}
