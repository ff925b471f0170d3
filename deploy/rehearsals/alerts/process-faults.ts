import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalProcess } from '../../../e2e/kill.ts';
import { orderBody, partner } from '../../../e2e/partner.ts';
import { findInLog } from './runbook.ts';
import type { AlertFault, AlertScene } from './scene.ts';

/** Time until a request to a Kafka that does not respond has failed with all its repetitions, in ms. */
const gaveUpMs = 120_000;

const pidOf = ({ stack }: AlertScene, name: string): number =>
  stack.file().services.find((one) => one.name === name)!.pid;

/** Stops a process until the fault ends, as on a machine that is suspended. */
const stopped = (name: string) => async (scene: AlertScene) => {
  const pid = pidOf(scene, name);
  process.kill(pid, 'SIGSTOP');
  return () => void signalProcess(pid, 'SIGCONT');
};

/** Repeats some work until the fault ends. */
const repeated = (work: () => Promise<unknown>) => {
  let on = true;
  const working = (async () => {
    while (on) await work().catch(() => sleep(100));
  })();
  return async () => {
    on = false;
    await working;
  };
};

const store = (name: 'redis' | 'kafka') => async (scene: AlertScene) => {
  const pid = scene.stack.file().stores.pids[name]!;
  process.kill(pid, 'SIGSTOP');
  return () => void signalProcess(pid, 'SIGCONT');
};

/** Faults of processes and of the stores that a process can do without. */
export const processFaults: readonly AlertFault[] = [
  {
    what: 'Redis does not respond',
    alerts: ['LimiterFallbacks'],
    begin: store('redis'),
    follow: (scene) => findInLog(scene, 'LimiterFallbacks', 'gateway-0', 'Redis is unavailable'),
  },
  {
    what: 'Kafka does not respond',
    alerts: ['OutboxStuck', 'ConsumerLagUnknown', 'LedgerDelayed'],
    begin: store('kafka'),
    follow: async (scene) => {
      for (const alert of ['OutboxStuck', 'ConsumerLagUnknown'])
        await findInLog(scene, alert, 'orders-0', 'outbox rows could not be sent yet', gaveUpMs);
    },
  },
  {
    what: 'custody does not respond',
    alerts: ['ServiceAbsent', 'ApiAvailabilityBurn'],
    begin: async (scene) => {
      const end = await stopped('custody')(scene);
      const [order] = scene.partners.placed;
      const reading = Array.from({ length: 4 }, () =>
        repeated(() => partner(scene.stack).get(`/orders/${order!.id}/events`)),
      );
      return async () => {
        await end();
        await Promise.all(reading.map((stop) => stop()));
      };
    },
  },
  {
    what: 'orders does not respond',
    alerts: ['AuditLate', 'FullAuditLate'],
    begin: stopped('orders'),
    follow: async (scene) => {
      await findInLog(scene, 'AuditLate', 'auditor-0', 'audit pass failed');
      await findInLog(scene, 'FullAuditLate', 'auditor-0', 'audit pass completed');
    },
  },
  {
    what: 'the operators service gets half of its processor time',
    alerts: ['EventLoopBlocked'],
    begin: async (scene) => {
      const pid = pidOf(scene, 'operators');
      const end = repeated(async () => {
        signalProcess(pid, 'SIGSTOP');
        await sleep(600);
        signalProcess(pid, 'SIGCONT');
        await sleep(300);
      });
      return end;
    },
  },
  {
    what: 'one address opens more connections than it may',
    alerts: ['ConnectionsRejected'],
    begin: async ({ stack }) => {
      const { port, hostname } = new URL(stack.file().gateways[0]!);
      return repeated(async () => {
        const sockets = Array.from({ length: 300 }, () => connect(Number(port), hostname));
        for (const socket of sockets) socket.on('error', () => {});
        await sleep(500);
        for (const socket of sockets) socket.destroy();
      });
    },
  },
  {
    what: 'an organization sends 300 requests at once',
    alerts: ['OrganizationHeldBack'],
    begin: async ({ stack }) =>
      repeated(() =>
        Promise.all(Array.from({ length: 300 }, () => partner(stack).post('/orders', orderBody()))),
      ),
  },
];
