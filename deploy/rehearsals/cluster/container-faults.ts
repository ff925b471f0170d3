import assert from 'node:assert/strict';
import type { Notice } from '../alerts/notifications.ts';
import {
  type ClusterFault,
  type ClusterScene,
  lastFatal,
  restartAsIn,
  rollBackAsIn,
} from './alert-scene.ts';
import { changeSecret } from './secret-change.ts';

const page = 'runbooks/ContainerCrashLoops';
const describe = 'kubectl describe pod POD';

/** Requires that the page's commands show why the container ends, and with which exit code. */
const requireCause = async (
  scene: ClusterScene,
  { labels }: Notice,
  { line, code }: { readonly line?: RegExp; readonly code: number },
): Promise<void> => {
  const words = { POD: labels.pod! };
  if (line) assert.match(await lastFatal(scene, page, labels.pod!), line);
  const state = /Last State:[\s\S]*?Exit Code: +(\d+)/.exec(
    await scene.follow(page, describe, words),
  );
  assert.equal(Number(state?.[1]), code, 'the exit code of the last state');
};

const crashLoopOf = (container: string) => ({
  alert: 'ContainerCrashLoops',
  labels: { container },
});

/** New containers that end at their start, while the old pods serve. */
export const containerFaults: readonly ClusterFault[] = [
  {
    what: 'a Secret has a wrong key of the cursors, and orders is restarted',
    alerts: [crashLoopOf('orders')],
    begin: async (scene) => {
      const { on, stage } = scene;
      const putBack = await changeSecret(on, stage, 'orders', () => ({
        ORDERS_CURSOR_KEY: 'no key',
      }));
      await on.kubectl('rollout', 'restart', 'deployment/orders');
      return async (notice) => {
        await requireCause(scene, notice, { line: /ORDERS_CURSOR_KEY/, code: 78 });
        await putBack();
        await restartAsIn(scene, 'orders');
      };
    },
  },
  {
    what: 'a Secret has a wrong password of the database, and custody is restarted',
    alerts: [crashLoopOf('custody')],
    begin: async (scene) => {
      const { on, stage } = scene;
      const putBack = await changeSecret(on, stage, 'custody', ({ DATABASE_URL: old }) => {
        const url = new URL(old!);
        url.password = 'of-yesterday';
        return { DATABASE_URL: url.href };
      });
      await on.kubectl('rollout', 'restart', 'deployment/custody');
      return async (notice) => {
        await requireCause(scene, notice, { line: /password authentication failed/, code: 1 });
        await putBack();
        await restartAsIn(scene, 'custody');
      };
    },
  },
  {
    what: 'an upgrade lowers the memory of operators to 40 MiB',
    alerts: [crashLoopOf('operators')],
    begin: async (scene) => {
      const resources = { requests: { memory: '40Mi' }, limits: { memory: '40Mi' } };
      await scene.upgrade({ values: { operators: { resources } }, wait: false });
      return async (notice) => {
        await requireCause(scene, notice, { code: 137 });
        await scene.upgrade({}); // "raise the limit"
      };
    },
  },
  {
    what: 'an upgrade sets an invalid value for gateway',
    alerts: [crashLoopOf('gateway')],
    begin: async (scene) => {
      const endUpgrade = scene.upgradeInVain('gateway.env.GATEWAY_DRAIN=soon');
      return async (notice) => {
        await requireCause(scene, notice, { line: /GATEWAY_DRAIN/, code: 78 });
        await endUpgrade();
        await rollBackAsIn(scene, page);
      };
    },
  },
];
