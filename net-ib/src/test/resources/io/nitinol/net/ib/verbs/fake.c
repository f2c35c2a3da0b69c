// SPDX-License-Identifier: Apache-2.0
//
// A libibverbs of an older release, with one device that this user may not open.
#include <errno.h>
#include <infiniband/verbs.h>
#undef ibv_get_device_list
#undef ibv_query_port
#undef ibv_reg_mr

static struct ibv_device device = {
  .node_type = IBV_NODE_CA,
  .name = "fake0",
  .dev_name = "uverbs7",
  .ibdev_path = "/sys/class/infiniband/fake0",
};
static struct ibv_device *list[] = {&device, NULL};

struct ibv_device **ibv_get_device_list(int *count) {
  *count = COUNT;
  errno = ENOSYS;
  return COUNT < 0 ? NULL : list;
}
void ibv_free_device_list(struct ibv_device **l) {}
const char *ibv_get_device_name(struct ibv_device *d) { return d->name; }
__be64 ibv_get_device_guid(struct ibv_device *d) { return __builtin_bswap64(0x0123456789abcdef); }
struct ibv_context *ibv_open_device(struct ibv_device *d) {
  errno = ERROR;
  return NULL;
}
const char *ibv_node_type_str(enum ibv_node_type type) { return "fake node"; }
int ibv_fork_init(void) {
  errno = EINVAL;
  return -1;
}
