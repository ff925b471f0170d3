import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@pto/testing';
import { environmentOf, signalProcess } from '../../../e2e/kill.ts';
import { operatorClients } from '../../../e2e/operator.ts';
import { orderBody, partner } from '../../../e2e/partner.ts';
import {
  findInLog,
  metricAsIn,
  operatorAsIn,
  pageFires,
  panelAsIn,
  requireNamed,
} from './runbook.ts';
import type { AlertFault, AlertScene } from './scene.ts';

/** Time until a request to a Kafka that does not respond has failed with all its repetitions, in ms. */
const gaveUpMs = 120_000;

/** How long a full audit that works does not stand still, in ms. */
const standsStillMs = 5000;

const serviceOf = ({ stack }: AlertScene, name: string) =>
  stack.file().services.find((one) => one.name === name)!;

const pidOf = (scene: AlertScene, name: string): number => serviceOf(scene, name).pid;

/** Stops a process until the fault ends, as on a machine that is suspended. */
const stopped = (name: string) => async (scene: AlertScene) => {
  const pid = pidOf(scene, name);
  process.kill(pid, 'SIGSTOP');
  return () => void signalProcess(pid, 'SIGCONT');
};

/** Whether a server closes a new connection, which has sent a request, without a response. */
const closesNew = ({ hostname, port }: URL): Promise<boolean> =>
  new Promise((resolve) => {
    let isOpen = false;
    const socket = connect(Number(port), hostname, () => {
      isOpen = true;
    });
    socket.write(`GET /status.json HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`);
    socket.on('error', () => {}); // `close` follows
    socket.once('data', () => resolve(false));
    socket.once('close', () => resolve(isOpen));
  });

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
    alerts: [{ alert: 'LimiterFallbacks' }],
    begin: store('redis'),
    follow: (scene) => findInLog(scene, 'LimiterFallbacks', 'gateway-0', 'Redis is unavailable'),
  },
  {
    what: 'Kafka does not respond',
    alerts: ['OutboxStuck', 'ConsumerLagUnknown', 'LedgerDelayed'].map((alert) => ({ alert })),
    begin: store('kafka'),
    follow: async (scene) => {
      for (const alert of ['OutboxStuck', 'ConsumerLagUnknown'])
        await findInLog(scene, alert, 'orders-0', 'outbox rows could not be sent yet', gaveUpMs);
      pageFires(scene, 'LedgerDelayed', 'OutboxStuck');
      const words = 'dlq list --topic orders.order-events.v1';
      const { json } = await operatorAsIn(scene, 'LedgerDelayed', words);
      assert.deepEqual(json, [], 'no parked event delays the ledger');
    },
  },
  {
    what: 'custody does not respond',
    alerts: [
      { alert: 'ServiceAbsent', labels: { service: 'custody' } },
      { alert: 'ApiAvailabilityBurn', labels: { severity: 'page' } },
    ],
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
    follow: async (scene) => {
      requireNamed(scene, 'ServiceAbsent', "targets' page of Prometheus");
      const custody = new URL(serviceOf(scene, 'custody').metricsUrl).host;
      const targets = await scene.monitoring.targets();
      const target = targets.find(({ scrapeUrl }) => new URL(scrapeUrl).host === custody)!;
      scene.stage.note(`    ServiceAbsent: ${custody} is ${target.health}: ${target.lastError}`);
      assert.equal(target.health, 'down');
      await panelAsIn(
        scene,
        'ApiAvailabilityBurn',
        'Errors by route',
        ({ route }) => route === '/orders/:order_id/events',
      );
      pageFires(scene, 'ApiAvailabilityBurn', 'ServiceAbsent');
    },
  },
  {
    what: 'orders does not respond',
    alerts: [{ alert: 'AuditLate' }, { alert: 'FullAuditLate' }],
    begin: stopped('orders'),
    follow: async (scene) => {
      await findInLog(scene, 'AuditLate', 'auditor-0', 'audit pass failed');
      const position = async () =>
        (await metricAsIn(scene, 'FullAuditLate', 'custody_full_audit_leaves', () => true))[0]!
          .value[1];
      const before = await position();
      await sleep(standsStillMs);
      assert.equal(await position(), before, 'the full audit does not move');
      pageFires(scene, 'FullAuditLate', 'AuditLate');
    },
  },
  {
    what: 'the operators service has much to do and gets a third of the processor time',
    alerts: [{ alert: 'EventLoopBlocked', labels: { service: 'operators' } }],
    begin: async (scene) => {
      const pid = pidOf(scene, 'operators');
      const { access } = operatorClients(scene.stack);
      const busy = repeated(() =>
        Promise.all(Array.from({ length: 30 }, () => access.listOrganizations({}))),
      );
      const throttled = repeated(async () => {
        signalProcess(pid, 'SIGSTOP');
        await sleep(600);
        signalProcess(pid, 'SIGCONT');
        await sleep(300);
      });
      return async () => {
        await throttled();
        await busy();
      };
    },
    follow: async (scene) => {
      const alert = 'EventLoopBlocked';
      requireNamed(scene, alert, 'A limit of less than one core throttles it');
      await panelAsIn(
        scene,
        alert,
        'Processor',
        // at rest it uses less, and without a limit more
        ({ service }, cores) => service === 'operators' && cores > 0.1 && cores < 0.45,
      );
    },
  },
  {
    what: 'one address opens more connections than it may',
    alerts: [{ alert: 'ConnectionsRejected', labels: { bound: 'address' } }],
    begin: async ({ stack }) => {
      const { port, hostname } = new URL(stack.file().gateways[0]!);
      return repeated(async () => {
        const sockets = Array.from({ length: 300 }, () => connect(Number(port), hostname));
        for (const socket of sockets) socket.on('error', () => {});
        await sleep(500);
        for (const socket of sockets) socket.destroy();
      });
    },
    follow: async (scene) => {
      const alert = 'ConnectionsRejected';
      requireNamed(scene, alert, '`GATEWAY_TRUSTED_PROXIES` does not name it');
      const { GATEWAY_TRUSTED_PROXIES: named } = environmentOf(pidOf(scene, 'gateway'));
      assert.equal(named, undefined, 'no address is that of a proxy');
      requireNamed(scene, alert, 'are all gateways ready?');
      assert.ok((await fetch(serviceOf(scene, 'gateway').healthUrl)).ok, 'the gateway is ready');
      requireNamed(scene, alert, 'Gateways close new connections without a response');
      await until(() => closesNew(new URL(scene.stack.file().gateways[0]!)), {
        what: 'a new connection that is closed',
      });
    },
  },
  {
    what: 'an organization sends 300 requests at once',
    alerts: [{ alert: 'OrganizationHeldBack' }],
    begin: async ({ stack }) =>
      repeated(() =>
        Promise.all(Array.from({ length: 300 }, () => partner(stack).post('/orders', orderBody()))),
      ),
    follow: async (scene) => {
      const alert = 'OrganizationHeldBack';
      requireNamed(scene, alert, 'a line `request` for each request, with `organizationId`,');
      const counts = new Map<string, number>();
      for (const line of scene.logs('gateway-0').split('\n')) {
        if (!line.includes('"msg":"request"') || !line.includes('"status":429')) continue;
        const { organizationId } = JSON.parse(line) as { organizationId: string };
        counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1);
      }
      scene.stage.note(`    ${alert}: lines with 429: ${JSON.stringify([...counts])}`);
      const [organization] = scene.stack.file().organizations;
      const [most] = [...counts].sort(([, one], [, other]) => other - one);
      assert.equal(most?.[0], organization!.id);
    },
  },
];
