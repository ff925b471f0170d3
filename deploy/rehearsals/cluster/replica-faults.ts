import assert from 'node:assert/strict';
import { asAdministrator } from './administrator.ts';
import { type ClusterFault, type ClusterScene, podAsListed } from './alert-scene.ts';
import type { Cluster } from './cluster.ts';
import { readSecret } from './secret-change.ts';

const page = 'runbooks/ReplicasMissing';
const list = 'kubectl get pods --selector app.kubernetes.io/name=NAME';
const describe = 'kubectl describe pod POD';
/** Two pods with this share of the node's memory find room, a third one never does. */
const share = 0.35;

/**
 * Values with which two pods of the console find room on the node, and no third one. The console has
 * no Job, which would need as much memory.
 */
export const roomForTwo = async (on: Cluster): Promise<object> => {
  const path = '-o=jsonpath={.items[*].status.allocatable.memory}';
  const printed = await on.kubectl('get', 'nodes', path);
  const [, kibibytes] = /^(\d+)Ki$/.exec(printed) ?? [];
  if (kibibytes === undefined) throw new Error(`needs a cluster of one node, not of: ${printed}`);
  const memory = `${Math.floor((Number(kibibytes) / 1024) * share)}Mi`;
  return { console: { resources: { requests: { memory }, limits: { memory } } } };
};

const missingOf = (deployment: string) => ({ alert: 'ReplicasMissing', labels: { deployment } });

/** Replicas that no node has room for, and replicas that are not ready. */
export const replicaFaults: readonly ClusterFault[] = [
  {
    what: 'a third replica of console is declared, for which no node has room',
    alerts: [missingOf('console')],
    begin: async (scene) => {
      await scene.upgrade({ settings: ['--set', 'console.replicas=3'], wait: false });
      return async () => {
        const pod = await podAsListed(scene, page, list, /^(\S+) +0\/1 +Pending/m, {
          NAME: 'console',
        });
        assert.match(await scene.follow(page, describe, { POD: pod }), /Insufficient memory/);
        await scene.upgrade({}); // "lower the replicas"
      };
    },
  },
  {
    what: 'the database of webhooks rejects its logins',
    alerts: [missingOf('webhooks')],
    begin: async (scene) => {
      await setLogin(scene, 'nologin');
      scene.stage.atEnd(() => setLogin(scene, 'login'));
      return async () => {
        const pod = await podAsListed(scene, page, list, /^(\S+) +0\/1 +Running/m, {
          NAME: 'webhooks',
        });
        const reasons = await scene.follow('README', readyz, { NAME: pod });
        assert.match(reasons, /^503 .*database/);
        await setLogin(scene, 'login');
      };
    },
  },
];

const readyz = `kubectl exec pod/NAME -- node -e "fetch('http://127.0.0.1:9090/readyz').then(async (r) => console.log(r.status, await r.text()))"`;

/** Changes whether the role of webhooks may log in, and ends its sessions. */
const setLogin = async ({ on }: ClusterScene, login: 'login' | 'nologin'): Promise<void> => {
  const { ADMIN_DATABASE_URL: administrator } = await readSecret(on, 'webhooks-owner');
  await asAdministrator(
    administrator!,
    `alter role webhooks_service ${login};
     select pg_terminate_backend(pid) from pg_stat_activity where usename = 'webhooks_service'`,
  );
};
