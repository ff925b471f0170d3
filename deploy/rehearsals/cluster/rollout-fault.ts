import assert from 'node:assert/strict';
import { type ClusterFault, podAsListed, rollBackAsIn } from './alert-scene.ts';

const page = 'runbooks/RolloutStalled';
const list = 'kubectl get pods --selector app.kubernetes.io/name=NAME';
const digest = `sha256:${'1'.repeat(64)}`;

/** Fires more than the 180 s of `progressDeadlineSeconds` after its begin, which no rule shortens. */
export const rolloutFault: ClusterFault = {
  what: 'an upgrade names an image of gateway that does not exist',
  alerts: [{ alert: 'RolloutStalled', labels: { deployment: 'gateway' } }],
  begin: async (scene) => {
    const endUpgrade = scene.upgradeInVain(`global.image.digests.gateway=${digest}`);
    return async () => {
      const { follow } = scene;
      const row = /^(\S+) +0\/1 +(?:ErrImagePull|ImagePullBackOff)/m;
      const pod = await podAsListed(scene, page, list, row, { NAME: 'gateway' });
      const events = await follow(page, 'kubectl describe pod POD', { POD: pod });
      assert.match(events, /Failed to pull image/);
      await endUpgrade();
      await rollBackAsIn(scene, page);
    };
  },
};
