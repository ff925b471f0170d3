import { until } from '@pto/testing';
import { metricOf, whileScaledToNone } from '../../stage/local-stack.ts';
import type { Scene } from '../restore-one/scene.ts';
import type { RestoreTarget } from '../server.ts';

const services = ['gateway', 'operators', 'orders', 'custody', 'webhooks', 'courier', 'auditor'];
const deadlineMs = 90_000;

/** docs/operators/backup-restore.md, "Restore all databases": stops all, restores all, starts all. */
export const restoreAll = async (scene: Scene, target: RestoreTarget = {}): Promise<void> => {
  const servers = Object.values(scene.servers);
  for (const server of servers) await server.kill();
  await whileScaledToNone(scene.stage, scene.stack, services, async () => {
    for (const server of servers) await server.restore(target);
  });
};

/** Restores custody alone, while it and the auditor are stopped; `work` is done before they start. */
export const restoreCustody = async (
  scene: Scene,
  target: RestoreTarget,
  work: () => void = () => {},
): Promise<void> => {
  const { custody } = scene.servers;
  await custody.kill();
  await whileScaledToNone(scene.stage, scene.stack, ['custody', 'auditor'], async () => {
    work();
    await custody.restore(target);
  });
};

/** Waits until a number of a service's metrics has this property. */
export const metricIs = (
  { stack }: Pick<Scene, 'stack'>,
  service: string,
  name: string,
  test: (value: number) => boolean,
): Promise<boolean> =>
  until(
    async () => {
      const value = await metricOf(stack, service, name);
      return value !== undefined && test(value);
    },
    { deadlineMs, what: `${name} of ${service}` },
  );
