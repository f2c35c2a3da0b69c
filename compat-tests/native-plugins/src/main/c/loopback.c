/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small sound network plugin in C: TCP over the loopback interface, in every version of the
 * interface from 2 to 12. It is here to be loaded, not to be fast.
 *
 *   -DONLY=8   exports version 8 alone; without it, all of them
 *   -DLAZY     fills the exported struct and changes its name in init, as some plugins do
 *   -DCONNECT_SECONDS=5 is how long connect and accept of versions 2 to 4 wait
 *   -DCUDA     says that it takes device memory (it takes anything the CPU can read)
 *   -DCONSUMES has irecvConsumed (version 7 on), and keeps each receive until it is called
 *
 * A connection has two sockets. On one the receiver announces the pieces of each receive, on the
 * other the sender sends messages that have a piece waiting: a send for which there is none yet is
 * put off. That the sender reads nothing where it writes lets what it sent arrive after its close.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "nccl_abi.h"

#define PIECES 4
#define REQUESTS NCCL_NET_MAX_REQUESTS
#define MAGIC 0x6b63616270706f6cULL
#ifndef CONNECT_SECONDS
#define CONNECT_SECONDS 30
#endif

#ifdef CUDA
#define TYPES (NCCL_PTR_HOST | NCCL_PTR_CUDA)
#else
#define TYPES NCCL_PTR_HOST
#endif

static ncclDebugLogger_t logger;

#define WARN(...) logger(NCCL_LOG_WARN, NCCL_ALL, __FILE__, __LINE__, __VA_ARGS__)
#define INFO(...) logger(NCCL_LOG_INFO, NCCL_INIT | NCCL_NET, __func__, __LINE__, __VA_ARGS__)

/* ---- Sockets ------------------------------------------------------------------------------------ */

struct stream {
  int fd;
  size_t moved; /* of what is being read or written now */
};

/* Moves on; 1 when all is moved, 0 when more is to come, -1 when the peer is gone. */
static int move_all(struct stream *s, void *data, size_t size, int out) {
  while (s->moved < size) {
    char *at = (char *)data + s->moved;
    ssize_t n = out ? send(s->fd, at, size - s->moved, MSG_NOSIGNAL | MSG_DONTWAIT)
                    : recv(s->fd, at, size - s->moved, MSG_DONTWAIT);
    if (n > 0) {
      s->moved += (size_t)n;
    } else if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
      return 0;
    } else {
      return -1;
    }
  }
  s->moved = 0;
  return 1;
}

static int new_socket(void) {
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  int one = 1;
  if (fd >= 0) setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return fd;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- Devices ------------------------------------------------------------------------------------ */

static ncclResult_t start(ncclDebugLogger_t log, const char *version) {
  logger = log;
  INFO("NET/Loopback : started as version %s, %d device, %.1f Gb/s", version, 1, 10.0);
  return ncclSuccess;
}

static ncclResult_t devices(int *count) {
  *count = 1;
  return ncclSuccess;
}

static ncclResult_t check_device(int device) {
  if (device == 0) return ncclSuccess;
  WARN("NET/Loopback : no device %d", device);
  return ncclInvalidArgument;
}

/* ---- Connections -------------------------------------------------------------------------------- */

struct handle {
  uint64_t magic, secret, attempt;
  uint32_t port;
};
_Static_assert(sizeof(struct handle) <= NCCL_NET_HANDLE_MAXSIZE_V4, "fits version 4");

struct hello {
  uint64_t magic, secret, id;
  uint32_t control, zero;
};

struct visitor {
  struct stream stream;
  struct hello hello;
  int known;
  struct visitor *next;
};

struct listener {
  int fd;
  uint64_t secret;
  struct visitor *visitors;
};

struct attempt {
  uint64_t number;
  struct stream streams[2]; /* data, control */
  struct hello hello;
  int connected, greeted; /* how many of the two */
  double began;
  struct attempt *next;
};

static pthread_mutex_t attempts_lock = PTHREAD_MUTEX_INITIALIZER;
static struct attempt *attempts;
static uint64_t attempt_number;

static ncclResult_t do_listen(int device, void *opaque, void **out) {
  ncclResult_t wrong = check_device(device);
  if (wrong) return wrong;
  struct listener *l = calloc(1, sizeof *l);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  l->fd = new_socket();
  if (l->fd < 0 || bind(l->fd, (struct sockaddr *)&address, sizeof address) ||
      listen(l->fd, 1024) || getsockname(l->fd, (struct sockaddr *)&address, &length) ||
      getrandom(&l->secret, sizeof l->secret, 0) != sizeof l->secret) {
    WARN("NET/Loopback : cannot listen: %s", strerror(errno));
    if (l->fd >= 0) close(l->fd);
    free(l);
    return ncclSystemError;
  }
  struct handle h = {.magic = MAGIC, .secret = l->secret, .port = ntohs(address.sin_port)};
  memcpy(opaque, &h, sizeof h);
  *out = l;
  return ncclSuccess;
}

static void drop_attempt(struct attempt *a) {
  for (int i = 0; i < 2; i++)
    if (a->streams[i].fd >= 0) close(a->streams[i].fd);
  free(a);
}

/* Takes the attempt out of the list; drops those that nobody has driven for long. */
static struct attempt *take_attempt(uint64_t number) {
  struct attempt *found = 0;
  pthread_mutex_lock(&attempts_lock);
  for (struct attempt **at = &attempts; *at;) {
    struct attempt *a = *at;
    if (number && a->number == number) {
      *at = a->next;
      found = a;
    } else if (now() - a->began > CONNECT_SECONDS) {
      *at = a->next;
      drop_attempt(a);
    } else {
      at = &a->next;
    }
  }
  pthread_mutex_unlock(&attempts_lock);
  return found;
}

static struct attempt *new_attempt(const struct handle *h) {
  struct attempt *a = calloc(1, sizeof *a);
  a->streams[0].fd = new_socket();
  a->streams[1].fd = new_socket();
  a->began = now();
  a->hello.magic = MAGIC;
  a->hello.secret = h->secret;
  if (a->streams[0].fd < 0 || a->streams[1].fd < 0 ||
      getrandom(&a->hello.id, sizeof a->hello.id, 0) != sizeof a->hello.id) {
    WARN("NET/Loopback : no socket: %s", strerror(errno));
    drop_attempt(a);
    return 0;
  }
  return a;
}

/* 1 when both sockets are connected and have said hello. */
static int drive(struct attempt *a, uint32_t port) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                .sin_port = htons((uint16_t)port)};
  while (a->connected < 2) {
    if (connect(a->streams[a->connected].fd, (struct sockaddr *)&address, sizeof address) &&
        errno != EISCONN) {
      if (errno == EINPROGRESS || errno == EALREADY || errno == EINTR) return 0;
      return -1;
    }
    a->connected++;
  }
  while (a->greeted < 2) {
    a->hello.control = (uint32_t)a->greeted;
    int moved = move_all(&a->streams[a->greeted], &a->hello, sizeof a->hello, 1);
    if (moved <= 0) return moved;
    a->greeted++;
  }
  return 1;
}

struct comm;
static struct comm *new_comm(int data, int control, int sends);

static ncclResult_t do_connect(int device, void *opaque, void **out, int wait) {
  struct handle h;
  *out = 0;
  ncclResult_t wrong = check_device(device);
  if (wrong) return wrong;
  memcpy(&h, opaque, sizeof h);
  if (h.magic != MAGIC || h.port == 0 || h.port > 65535) {
    WARN("NET/Loopback : not a handle: magic %#llx", (unsigned long long)h.magic);
    return ncclInvalidArgument;
  }
  struct attempt *a = take_attempt(h.attempt);
  if (!a && !(a = new_attempt(&h))) return ncclSystemError;
  int state = drive(a, h.port);
  while (wait && state == 0 && now() - a->began < CONNECT_SECONDS) {
    usleep(1000);
    state = drive(a, h.port);
  }
  if (state < 0 || (state == 0 && now() - a->began > CONNECT_SECONDS)) {
    WARN("NET/Loopback : cannot connect to port %u: %s", h.port, strerror(errno));
    drop_attempt(a);
    return ncclRemoteError;
  }
  if (state == 1) {
    *out = new_comm(a->streams[0].fd, a->streams[1].fd, 1);
    free(a);
    return ncclSuccess;
  }
  pthread_mutex_lock(&attempts_lock);
  if (a->number == 0) a->number = ++attempt_number;
  a->next = attempts;
  attempts = a;
  pthread_mutex_unlock(&attempts_lock);
  h.attempt = a->number;
  memcpy(opaque, &h, sizeof h);
  return ncclSuccess;
}

static void drop_visitor(struct listener *l, struct visitor *v, int too) {
  for (struct visitor **at = &l->visitors; *at; at = &(*at)->next)
    if (*at == v) {
      *at = v->next;
      break;
    }
  if (too) close(v->stream.fd);
  free(v);
}

static struct visitor *other_half(struct listener *l, struct visitor *v) {
  for (struct visitor *o = l->visitors; o; o = o->next)
    if (o->known && o->hello.id == v->hello.id && o->hello.control != v->hello.control) return o;
  return 0;
}

static ncclResult_t accept_once(struct listener *l, void **out) {
  int fd;
  while ((fd = accept4(l->fd, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
    struct visitor *v = calloc(1, sizeof *v);
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    v->stream.fd = fd;
    v->next = l->visitors;
    l->visitors = v;
  }
  for (struct visitor *v = l->visitors, *next; v; v = next) {
    next = v->next;
    if (v->known) continue;
    int moved = move_all(&v->stream, &v->hello, sizeof v->hello, 0);
    if (moved == 0) continue;
    if (moved < 0 || v->hello.magic != MAGIC || v->hello.secret != l->secret ||
        v->hello.control > 1) {
      INFO("NET/Loopback : a stranger was turned away (%s)", moved < 0 ? "left" : "no secret");
      drop_visitor(l, v, 1);
      continue;
    }
    v->known = 1;
    struct visitor *o = other_half(l, v);
    if (o) {
      struct visitor *data = v->hello.control ? o : v, *control = v->hello.control ? v : o;
      *out = new_comm(data->stream.fd, control->stream.fd, 0);
      drop_visitor(l, data, 0);
      drop_visitor(l, control, 0);
      return ncclSuccess;
    }
  }
  return ncclSuccess;
}

static ncclResult_t do_accept(void *opaque, void **out, int wait) {
  double until = now() + CONNECT_SECONDS;
  *out = 0;
  do {
    ncclResult_t result = accept_once(opaque, out);
    if (result || *out || !wait) return result;
    usleep(1000);
  } while (now() < until);
  WARN("NET/Loopback : nobody came in %d seconds", CONNECT_SECONDS);
  return ncclRemoteError;
}

static ncclResult_t close_listen(void *opaque) {
  struct listener *l = opaque;
  while (l->visitors) drop_visitor(l, l->visitors, 1);
  close(l->fd);
  free(l);
  return ncclSuccess;
}

/* ---- Messages ----------------------------------------------------------------------------------- */

struct announcement { /* of one receive, to the sender */
  uint32_t pieces, zero;
  int32_t tags[PIECES];
  uint64_t sizes[PIECES];
};

struct header { /* of one message; the piece in the oldest receive that is not full */
  uint32_t receive, piece;
  uint64_t size;
};

struct request {
  struct comm *comm;
  int busy, done, flush;
  ncclResult_t failure;
  int pieces;
  int filled[PIECES];
  uint32_t number;
  char *data[PIECES];
  uint64_t sizes[PIECES], got[PIECES];
  struct announcement announcement;
  struct header header;
  uint64_t age; /* the first of a comm has 1 */
  struct request *next;
};

struct comm {
  struct stream data, control;
  int sends;
  ncclResult_t failure;
  struct request requests[REQUESTS * PIECES];
  struct request *first, **last; /* in the order of the calls */
  struct request *announced;     /* the first that is not */
  int in_header;
  struct header header;              /* of the message being received */
  struct announcement announcement;  /* being received */
  uint32_t receives;                 /* posted or announced so far */
  struct announcement waiting[REQUESTS * 2];
  uint32_t filled[REQUESTS * 2]; /* a bit for each piece taken */
  uint32_t oldest;               /* the oldest announced receive that is not full */
  uint64_t begun;                /* requests so far */
};

static struct comm *new_comm(int data, int control, int sends) {
  struct comm *c = calloc(1, sizeof *c);
  c->data.fd = data;
  c->control.fd = control;
  c->sends = sends;
  c->last = &c->first;
  c->in_header = 1;
  return c;
}

static struct request *new_request(struct comm *c, int limit) {
  for (int i = 0; i < limit; i++)
    if (!c->requests[i].busy) {
      struct request *r = &c->requests[i];
      memset(r, 0, sizeof *r);
      r->age = ++c->begun;
      r->comm = c;
      r->busy = 1;
      return r;
    }
  return 0;
}

static void enqueue(struct comm *c, struct request *r) {
  *c->last = r;
  c->last = &r->next;
}

static void dequeue(struct comm *c) {
  c->first = c->first->next;
  if (!c->first) c->last = &c->first;
}

static void fail(struct comm *c, ncclResult_t result, const char *why) {
  if (c->failure) return;
  WARN("NET/Loopback : %s comm %p failed: %s", c->sends ? "send" : "receive", (void *)c, why);
  c->failure = result;
}

/* Takes in what the receiver announces. */
static void hear(struct comm *c) {
  while (!c->failure && c->receives - c->oldest < REQUESTS * 2) {
    int moved = move_all(&c->control, &c->announcement, sizeof c->announcement, 0);
    if (moved == 0) return;
    if (moved < 0) {
      fail(c, ncclRemoteError, "the receiver is gone");
      return;
    }
    c->waiting[c->receives % (REQUESTS * 2)] = c->announcement;
    c->filled[c->receives % (REQUESTS * 2)] = 0;
    c->receives++;
  }
}

static void progress_send(struct comm *c) {
  hear(c);
  while (!c->failure && c->first) {
    struct request *r = c->first;
    struct iovec parts[2] = {{&r->header, sizeof r->header}, {r->data[0], r->sizes[0]}};
    size_t size = sizeof r->header + r->sizes[0], skip = c->data.moved;
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    if (skip >= sizeof r->header) {
      message.msg_iov = &parts[1];
      message.msg_iovlen = 1;
      parts[1].iov_base = r->data[0] + (skip - sizeof r->header);
      parts[1].iov_len -= skip - sizeof r->header;
    } else {
      parts[0].iov_base = (char *)&r->header + skip;
      parts[0].iov_len -= skip;
    }
    ssize_t n = sendmsg(c->data.fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n < 0) {
      fail(c, ncclRemoteError, strerror(errno));
      return;
    }
    c->data.moved += (size_t)n;
    if (c->data.moved == size) {
      c->data.moved = 0;
      if (r->header.size > r->sizes[0]) {
        fail(c, ncclInvalidUsage, "a message is longer than the piece that waits for it");
        return;
      }
      r->got[0] = r->sizes[0];
      r->done = 1;
      dequeue(c);
    }
  }
}

static void progress_recv(struct comm *c) {
  while (c->announced) {
    int moved = move_all(&c->control, &c->announced->announcement,
                         sizeof c->announced->announcement, 1);
    if (moved == 0) break;
    if (moved < 0) break; /* the sender hears no more; what it sent may still be here */
    c->announced = c->announced->next;
  }
  while (!c->failure && c->first) {
    struct request *r = c->first;
    if (c->in_header) {
      int moved = move_all(&c->data, &c->header, sizeof c->header, 0);
      if (moved == 0) return;
      if (moved < 0) {
        fail(c, ncclRemoteError, "the sender is gone");
        return;
      }
      if (c->header.receive != r->number || c->header.piece >= (uint32_t)r->pieces) {
        fail(c, ncclInternalError, "a message for a piece that is not there");
        return;
      }
      if (c->header.size > r->sizes[c->header.piece]) {
        fail(c, ncclInvalidUsage, "a message is longer than its piece");
        return;
      }
      c->in_header = 0;
    }
    int moved = move_all(&c->data, r->data[c->header.piece], c->header.size, 0);
    if (moved == 0) return;
    if (moved < 0) {
      fail(c, ncclRemoteError, "the sender is gone, in the middle of a message");
      return;
    }
    c->in_header = 1;
    r->got[c->header.piece] = c->header.size;
    r->filled[c->header.piece] = 1;
    int full = 1;
    for (int i = 0; i < r->pieces; i++) full &= r->filled[i];
    if (full) {
      r->done = 1;
      dequeue(c);
    }
  }
}

static void progress(struct comm *c) {
  if (c->failure) return;
  if (c->sends)
    progress_send(c);
  else
    progress_recv(c);
}

static ncclResult_t do_isend(void *opaque, void *data, uint64_t size, int tag, void **out) {
  struct comm *c = opaque;
  *out = 0;
  progress(c);
  if (c->failure) return c->failure;
  if (c->oldest == c->receives) return ncclSuccess; /* nothing waits */
  struct announcement *a = &c->waiting[c->oldest % (REQUESTS * 2)];
  uint32_t *filled = &c->filled[c->oldest % (REQUESTS * 2)];
  for (uint32_t i = 0; i < a->pieces; i++) {
    if ((*filled & (1u << i)) || a->tags[i] != tag) continue;
    struct request *r = new_request(c, REQUESTS * PIECES);
    if (!r) return ncclSuccess;
    r->header = (struct header){c->oldest, i, size};
    r->pieces = 1;
    r->data[0] = data;
    r->sizes[0] = size;
    if (size > a->sizes[i]) r->sizes[0] = 0; /* the header tells; the receiver fails */
    *filled |= 1u << i;
    if (*filled == (1u << a->pieces) - 1) c->oldest++;
    enqueue(c, r);
    progress(c);
    *out = r;
    return ncclSuccess;
  }
  return ncclSuccess; /* none of this tag yet */
}

static ncclResult_t do_irecv(void *opaque, int n, void **data, const uint64_t *sizes,
                             const int *tags, void **out) {
  struct comm *c = opaque;
  *out = 0;
  if (n < 1 || n > PIECES) {
    WARN("NET/Loopback : a receive of %d pieces, expected 1 to %d", n, PIECES);
    return ncclInvalidArgument;
  }
  progress(c);
  if (c->failure) return c->failure;
  struct request *r = new_request(c, REQUESTS);
  if (!r) return ncclSuccess;
  r->number = c->receives++;
  r->pieces = n;
  r->announcement.pieces = (uint32_t)n;
  for (int i = 0; i < n; i++) {
    r->data[i] = data[i];
    r->sizes[i] = sizes[i];
    r->announcement.tags[i] = tags[i];
    r->announcement.sizes[i] = sizes[i];
  }
  enqueue(c, r);
  if (!c->announced) c->announced = r;
  progress(c);
  *out = r;
  return ncclSuccess;
}

static ncclResult_t do_iflush(void *opaque, int n, void **out) {
  struct comm *c = opaque;
  (void)n;
  *out = 0;
  if (c->failure) return c->failure;
#ifdef CUDA
  static struct request flushed;
  struct request *r = calloc(1, sizeof flushed);
  r->comm = c;
  r->flush = r->done = 1;
  *out = r;
#endif
  return ncclSuccess;
}

static ncclResult_t do_test(void *opaque, int *done, int *sizes) {
  struct request *r = opaque;
  *done = 0;
  if (!r->done && !r->comm->failure) progress(r->comm);
  if (!r->done && r->comm->failure) {
    r->busy = 0;
    return r->comm->failure;
  }
  if (r->done) {
    *done = 1;
    for (int i = 0; sizes && !r->flush && i < r->pieces; i++) sizes[i] = (int)r->got[i];
#ifdef CONSUMES
    if (!r->comm->sends && !r->flush) return ncclSuccess;
#endif
    r->busy = 0;
    if (r->flush) free(r);
  }
  return ncclSuccess;
}

#ifdef CONSUMES
static ncclResult_t irecvConsumed(void *comm, int n, void *opaque) {
  struct request *r = opaque;
  if (r->comm != comm || !r->busy || !r->done || r->flush || r->pieces != n) {
    WARN("NET/Loopback : %p is no complete receive of %d pieces", opaque, n);
    return ncclInternalError;
  }
  r->busy = 0;
  return ncclSuccess;
}
#define CONSUMED .irecvConsumed = irecvConsumed,
#else
#define CONSUMED
#endif

static ncclResult_t do_close(void *opaque) {
  struct comm *c = opaque;
  close(c->control.fd);
  close(c->data.fd);
  free(c);
  return ncclSuccess;
}

/* ---- Memory ------------------------------------------------------------------------------------- */

struct memory {
  uint64_t magic;
  void *data;
  uint64_t size;
};

static ncclResult_t do_reg(void *comm, void *data, uint64_t size, int type, void **out) {
  (void)comm;
  if (!(type & TYPES)) {
    WARN("NET/Loopback : memory of type %d", type);
    return ncclInvalidArgument;
  }
  struct memory *m = malloc(sizeof *m);
  *m = (struct memory){MAGIC, data, size};
  *out = m;
  return ncclSuccess;
}

static ncclResult_t deregMr(void *comm, void *opaque) {
  struct memory *m = opaque;
  (void)comm;
  if (m->magic != MAGIC) {
    WARN("NET/Loopback : %p is no memory handle", opaque);
    return ncclInvalidArgument;
  }
  m->magic = 0;
  free(m);
  return ncclSuccess;
}

static ncclResult_t check_memory(void *opaque, void *data, uint64_t size) {
  struct memory *m = opaque;
  char *from = m->data;
  if (m->magic == MAGIC && (char *)data >= from && (char *)data + size <= from + m->size)
    return ncclSuccess;
  WARN("NET/Loopback : %p+%llu is not in the registered memory", data, (unsigned long long)size);
  return ncclInternalError;
}

#include "loopback_versions.c"
