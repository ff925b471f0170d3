#!/usr/bin/env bash
# second-node.sh up IMAGE... | off: a second node beside the one of a test cluster, for drill that
# need two. It has a container runtime, a kubelet and processes of its own, and shares the first
# node's network namespace. `up` starts it and gives it images of buildah. `off` cuts it off as a loss
# of power does: its packets are dropped, then all its processes are killed. K8S_HOME is the folder of
# the first node.
set -euo pipefail
K8S_HOME=${K8S_HOME:-$HOME/.cache/partner-k8s}
first=$K8S_HOME/node own=$K8S_HOME/node/second group=${K8S_CGROUP:-partner-k8s}
name=node2 address=10.99.0.2 pods=10.244.128.0/17 firstPod=10.244.128.2
export PATH=$K8S_HOME/bin:$PATH KUBECONFIG=$K8S_HOME/kubeconfig
inFirst() { nsenter -t "$(cat "$first/init.pid")" -m -p -n -- "$@"; }
inSecond() { nsenter -t "$(cat "$own/init.pid")" -m -p -n -- "$@"; }

off() {
  inFirst nft -f - <<K
table ip second_node {
  chain from { type filter hook prerouting priority -300; ip saddr { $pods, $address } drop; }
  chain forwarded { type filter hook forward priority -300; ip daddr $pods drop; }
  chain to { type filter hook output priority -300; ip daddr { $pods, $address } drop; }
}
K
  kill -9 "$(cat "$own/init.pid")"
}

# Inside of the namespaces of the second node: its first process.
run() {
  mount --make-rshared /
  for folder in /run /var/lib/cni /var/log/containers; do
    mount -t tmpfs -o mode=755 tmpfs "$folder"
  done
  mkdir -p /run/netns
  # kernel settings that a kubelet would change for the complete machine
  for file in "$first"/sysctl/*; do
    setting=$(basename "$file")
    mount --bind "$file" "/proc/sys/${setting//.//}"
  done
  containerd -c "$own/containerd.toml" >"$own/containerd.log" 2>&1 &
  until ctr -a "$own/containerd.sock" version >/dev/null 2>&1; do sleep 0.2; done
  "$K8S_HOME/bin/kubelet" --config="$own/kubelet.yaml" --kubeconfig="$own/kubelet.kubeconfig" \
    --root-dir="$own/kubelet" --hostname-override="$name" --node-ip="$address" \
    >"$own/kubelet.log" 2>&1 &
  wait
}

certificate() { # name, subject, use, alternative names
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$own/$1.key" \
    -subj "$2" -out "$own/$1.csr" 2>/dev/null
  openssl x509 -req -in "$own/$1.csr" -CA "$first/pki/ca.crt" -CAkey "$first/pki/ca.key" \
    -CAcreateserial -days 30 -out "$own/$1.crt" -extfile <(printf '%s\n' \
      'keyUsage=critical,digitalSignature' "extendedKeyUsage=$3" ${4:+"subjectAltName=$4"}) 2>/dev/null
}

up() {
  [ ! -e "$own/init.pid" ] || ! kill -0 "$(cat "$own/init.pid")" 2>/dev/null || {
    echo "the second node runs; end it with: $0 off" >&2
    exit 1
  }
  inFirst nft delete table ip second_node 2>/dev/null || true
  kubectl delete node "$name" --ignore-not-found >/dev/null
  rm -rf --one-file-system "$own"
  mkdir -p "$own"/{net.d,kubelet,manifests,pods,root,state}
  for hierarchy in /sys/fs/cgroup/*/; do
    [ ! -d "$hierarchy$group" ] || mkdir -p "$hierarchy$group/second"
  done
  for file in cpuset.cpus cpuset.mems; do
    cat "/sys/fs/cgroup/cpuset/$group/$file" >"/sys/fs/cgroup/cpuset/$group/second/$file"
  done
  inFirst ip addr add "$address/24" dev node0 2>/dev/null || true

  certificate server "/O=system:nodes/CN=system:node:$name" serverAuth "DNS:$name,IP:$address"
  certificate client "/O=system:nodes/CN=system:node:$name" clientAuth
  cat >"$own/kubelet.kubeconfig" <<K
apiVersion: v1
kind: Config
clusters: [{name: node, cluster: {server: "https://127.0.0.1:6443", certificate-authority: "$first/pki/ca.crt"}}]
users: [{name: kubelet, user: {client-certificate: "$own/client.crt", client-key: "$own/client.key"}}]
contexts: [{name: node, context: {cluster: node, user: kubelet}}]
current-context: node
K
  sed -e "s#$first/containerd-root#$own/root#; s#$first/containerd-state#$own/state#" \
    -e "s#$first/containerd.sock#$own/containerd.sock#; s#$first/cni/net.d#$own/net.d#" \
    "$first/conf/containerd.toml" >"$own/containerd.toml"
  sed -e "s#\"$first/cni/ipam\"#\"$own/ipam\"#" \
    -e "s#\(\"subnet\": \"[^\"]*\"\)#\1, \"rangeStart\": \"$firstPod\"#" \
    "$first/cni/net.d/10-node.conflist" >"$own/net.d/10-node.conflist"
  sed -e "s#$first/manifests#$own/manifests#; s#$first/log/pods#$own/pods#; s#$first/kubelet/#$own/kubelet/#" \
    -e "s#^cgroupRoot: .*#cgroupRoot: /$group/second#; s#$first/containerd.sock#$own/containerd.sock#" \
    -e "s#$first/pki/kubelet-server#$own/server#" "$first/conf/kubelet.yaml" >"$own/kubelet.yaml"
  printf '%s\n' 'port: 10260' 'healthzPort: 10258' >>"$own/kubelet.yaml"

  export K8S_HOME
  inFirst setsid unshare --mount --propagation private --pid --fork --kill-child --mount-proc \
    bash "$(realpath "$0")" run >"$own/run.log" 2>&1 </dev/null &
  until pid=$(pgrep -o -x -f "bash [^ ]*second-node.sh run") && [ -S "$own/containerd.sock" ]; do sleep 0.2; done
  echo "$pid" >"$own/init.pid"
  for archive in "$K8S_HOME"/images/*.tar; do images import "$archive"; done
  for image in "$@"; do
    buildah push -q "$image" "docker-archive:$own/image.tar:$image" >/dev/null
    images import "$own/image.tar"
    rm "$own/image.tar"
  done
  until kubectl get node "$name" >/dev/null 2>&1; do sleep 0.5; done
  kubectl wait --for=condition=Ready "node/$name" --timeout=60s
}
images() { inSecond ctr -a "$own/containerd.sock" -n k8s.io images "$@" >/dev/null; }

"$@"
