import assert from 'node:assert/strict';
import { type ClusterFault, lastFatal, podAsListed, restartAsIn } from './alert-scene.ts';
import { changeSecret } from './secret-change.ts';

const page = 'runbooks/GatewayUnavailable';
const list = 'kubectl get pods --selector app.kubernetes.io/name=gateway';

/** Faults that leave no ready gateway. */
export const gatewayFaults: readonly ClusterFault[] = [
  {
    what: 'a Secret has an invalid URL of Redis, and all gateways are replaced',
    alerts: [
      { alert: 'GatewayUnavailable' },
      { alert: 'ReplicasMissing', labels: { deployment: 'gateway' } },
      { alert: 'ContainerCrashLoops', labels: { container: 'gateway' } },
    ],
    begin: async (scene) => {
      const { on, stage, follow } = scene;
      const putBack = await changeSecret(on, stage, 'redis', () => ({
        REDIS_URL: 'http://redis:6379',
      }));
      await on.kubectl('delete', 'pod', '-l', 'app.kubernetes.io/name=gateway', '--wait=false');
      return async () => {
        const pod = await podAsListed(scene, page, list, /^(\S+) +0\/1 +CrashLoopBackOff/m);
        assert.match(await lastFatal(scene, page, pod), /REDIS_URL/);
        await follow(page, 'kubectl get events --sort-by=.lastTimestamp | tail -20');
        assert.match(await follow(page, 'kubectl get nodes'), / Ready /);
        await putBack();
        await restartAsIn(scene, 'gateway');
      };
    },
  },
  {
    what: 'gateway is scaled to 0',
    alerts: [{ alert: 'GatewayUnavailable' }],
    begin: async ({ on, follow }) => {
      await on.kubectl('scale', 'deployment/gateway', '--replicas=0');
      return async () => {
        assert.doesNotMatch(await follow(page, list), / Running /, 'no pod is left');
        await follow(page, 'kubectl scale deployment/gateway --replicas=3', { 3: '2' });
        await on.kubectl('rollout', 'status', 'deployment/gateway', '--timeout=10m');
      };
    },
  },
];
