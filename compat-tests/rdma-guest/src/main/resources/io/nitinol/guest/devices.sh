# SPDX-License-Identifier: Apache-2.0
#
# Two Soft-RoCE devices, rxe0 at 10.77.0.1 and rxe1 at 10.77.0.2, on the ends of one cable. MTU, in bytes, is the cable's.

# Both ends are on this host, which would otherwise take neither's packets from the cable.
for each in all default; do
  sysctl -qw "net.ipv4.conf.$each.accept_local=1" "net.ipv4.conf.$each.rp_filter=0"
done
ip link add veth0 type veth peer name veth1
ip address add 10.77.0.1/24 dev veth0
ip address add 10.77.0.2/24 dev veth1
for each in veth0 veth1; do ip link set "$each" mtu "$MTU" up; done
rdma link add rxe0 type rxe netdev veth0
rdma link add rxe1 type rxe netdev veth1
# Known beforehand: the first connection would wait a second for the answer.
ip neighbour replace 10.77.0.2 lladdr "$(cat /sys/class/net/veth1/address)" dev veth0
ip neighbour replace 10.77.0.1 lladdr "$(cat /sys/class/net/veth0/address)" dev veth1
