// SPDX-License-Identifier: Apache-2.0
//
// A libfabric that fails as NITINOL_TEST_FAULT says, in front of the real one, whose path is
// NITINOL_TEST_REAL. OfiFaultsTest compiles it and starts a process that loads it in place of
// libfabric.so.1.
//   old   the library is version 1.16 of the interface
//   mr    fi_mr_reg fails
//   cq    the completion queues have overrun, once four operations have completed: two of each
//         side while they connect
//   busy  two of three messages and receives find no room
#include <dlfcn.h>
#include <rdma/fabric.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_tagged.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#undef fi_dupinfo

static void *real(const char *name) {
  static void *library;
  if (!library) {
    library = dlopen(getenv("NITINOL_TEST_REAL"), RTLD_NOW | RTLD_LOCAL);
  }
  void *found = library ? dlsym(library, name) : NULL;
  if (!found) {
    fprintf(stderr, "faulty: no %s in %s\n", name, getenv("NITINOL_TEST_REAL"));
    abort();
  }
  return found;
}

static int fault(const char *name) { return !strcmp(getenv("NITINOL_TEST_FAULT"), name); }

uint32_t fi_version(void) {
  return fault("old") ? FI_VERSION(1, 16) : ((uint32_t(*)(void))real("fi_version"))();
}

const char *fi_strerror(int number) {
  return ((const char *(*)(int))real("fi_strerror"))(number);
}

struct fi_info *fi_dupinfo(const struct fi_info *info) {
  return ((struct fi_info * (*)(const struct fi_info *)) real("fi_dupinfo"))(info);
}

void fi_freeinfo(struct fi_info *info) {
  ((void (*)(struct fi_info *))real("fi_freeinfo"))(info);
}

int fi_getinfo(uint32_t version, const char *node, const char *service, uint64_t flags,
               const struct fi_info *hints, struct fi_info **info) {
  int (*function)(uint32_t, const char *, const char *, uint64_t, const struct fi_info *,
                  struct fi_info **) = real("fi_getinfo");
  return function(version, node, service, flags, hints, info);
}

static int failing_reg(struct fid *fid, const void *buffer, size_t length, uint64_t access,
                       uint64_t offset, uint64_t key, uint64_t flags, struct fid_mr **mr,
                       void *context) {
  return -FI_ENOMEM;
}

static ssize_t (*real_read)(struct fid_cq *, void *, size_t);
static ssize_t completed;

static ssize_t overrun_read(struct fid_cq *cq, void *buffer, size_t count) {
  if (completed >= 4) {
    return -FI_EOVERRUN;
  }
  ssize_t found = real_read(cq, buffer, count);
  completed += found > 0 ? found : 0;
  return found;
}

static int (*real_cq_open)(struct fid_domain *, struct fi_cq_attr *, struct fid_cq **, void *);

static int failing_cq_open(struct fid_domain *domain, struct fi_cq_attr *wish,
                           struct fid_cq **cq, void *context) {
  static struct fi_ops_cq ops;
  int code = real_cq_open(domain, wish, cq, context);
  if (!code) {
    real_read = (*cq)->ops->read;
    ops = *(*cq)->ops;
    ops.read = overrun_read;
    (*cq)->ops = &ops;
  }
  return code;
}

static ssize_t (*real_tsend)(struct fid_ep *, const void *, size_t, void *, fi_addr_t, uint64_t,
                             void *);
static ssize_t (*real_trecv)(struct fid_ep *, void *, size_t, void *, fi_addr_t, uint64_t,
                             uint64_t, void *);
static unsigned posts;

static ssize_t busy_tsend(struct fid_ep *ep, const void *buffer, size_t length, void *descriptor,
                          fi_addr_t peer, uint64_t tag, void *context) {
  return ++posts % 3 ? -FI_EAGAIN
                     : real_tsend(ep, buffer, length, descriptor, peer, tag, context);
}

static ssize_t busy_trecv(struct fid_ep *ep, void *buffer, size_t length, void *descriptor,
                          fi_addr_t peer, uint64_t tag, uint64_t ignore, void *context) {
  return ++posts % 3 ? -FI_EAGAIN
                     : real_trecv(ep, buffer, length, descriptor, peer, tag, ignore, context);
}

static int (*real_endpoint)(struct fid_domain *, struct fi_info *, struct fid_ep **, void *);

static int busy_endpoint(struct fid_domain *domain, struct fi_info *info, struct fid_ep **ep,
                         void *context) {
  static struct fi_ops_tagged ops;
  int code = real_endpoint(domain, info, ep, context);
  if (!code) {
    real_tsend = (*ep)->tagged->send;
    real_trecv = (*ep)->tagged->recv;
    ops = *(*ep)->tagged;
    ops.send = busy_tsend;
    ops.recv = busy_trecv;
    (*ep)->tagged = &ops;
  }
  return code;
}

static int (*real_domain)(struct fid_fabric *, struct fi_info *, struct fid_domain **, void *);

static int failing_domain(struct fid_fabric *fabric, struct fi_info *info,
                          struct fid_domain **domain, void *context) {
  static struct fi_ops_mr mr;
  static struct fi_ops_domain ops;
  int code = real_domain(fabric, info, domain, context);
  if (!code && fault("mr")) {
    mr = *(*domain)->mr;
    mr.reg = failing_reg;
    (*domain)->mr = &mr;
  }
  if (!code && fault("busy")) {
    real_endpoint = (*domain)->ops->endpoint;
    ops = *(*domain)->ops;
    ops.endpoint = busy_endpoint;
    (*domain)->ops = &ops;
  }
  if (!code && fault("cq")) {
    real_cq_open = (*domain)->ops->cq_open;
    ops = *(*domain)->ops;
    ops.cq_open = failing_cq_open;
    (*domain)->ops = &ops;
  }
  return code;
}

int fi_fabric(struct fi_fabric_attr *attributes, struct fid_fabric **fabric, void *context) {
  static struct fi_ops_fabric ops;
  int code = ((int (*)(struct fi_fabric_attr *, struct fid_fabric **, void *))real("fi_fabric"))(
      attributes, fabric, context);
  if (!code) {
    real_domain = (*fabric)->ops->domain;
    ops = *(*fabric)->ops;
    ops.domain = failing_domain;
    (*fabric)->ops = &ops;
  }
  return code;
}
