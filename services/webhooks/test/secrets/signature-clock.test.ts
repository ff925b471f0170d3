import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { WebhookService } from '@pto/proto/webhooks/v1/webhooks';
import { grpcClient } from '@pto/rpc';
import { freePort, tlsOf, until } from '@pto/testing';
import { underTest } from '../under-test.ts';
import { verifySignature } from '../verify-signature.ts';
import { anOrganization, environmentOf, eventsOf } from '../webhooks-service.ts';

const under = underTest({}, 0);
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** A module that moves the clock of the process that imports it. */
const movedClock = (ms: number): string =>
  `data:text/javascript,${encodeURIComponent(`const Right = Date;
  globalThis.Date = class extends Right {
    constructor(...given) { if (given.length === 0) super(Right.now() + ${ms}); else super(...given); }
    static now() { return Right.now() + ${ms}; }
  };`)}`;

const startProcess = async (clockMs: number, environment: Record<string, string>) => {
  const words = ['--disable-warning=ExperimentalWarning', '--import', movedClock(clockMs), main];
  const child: ChildProcess = spawn(process.execPath, words, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout!.on('data', (chunk) => {
    output += chunk;
  });
  const started = () => output.includes('"msg":"started"');
  await until(started, { what: 'the process to start' }).catch((error) => {
    child.kill('SIGKILL'); // or jest would wait for it
    throw error;
  });
  return child;
};

test.each([
  ['10 minutes ahead', 600_000],
  ['10 minutes behind', -600_000],
])('a process whose clock is %s signs and dates by the clock of the database', async (_, ms) => {
  const port = await freePort();
  const child = await startProcess(
    ms,
    environmentOf(under.stores, {
      WEBHOOKS_CA_FILE: under.authority.caFile,
      GRPC_PORT: String(port),
    }),
  );
  const webhooks = grpcClient(WebhookService, {
    address: `ipv4:127.0.0.1:${port}`,
    server: 'webhooks',
    tls: tlsOf('gateway'),
  });
  try {
    const organizationId = anOrganization();
    const receiver = await under.receiver((_request, response) => {
      response.writeHead(receiver.received.length === 1 ? 500 : 204).end();
    });
    const { endpoint, secret } = await webhooks.createEndpoint({
      organizationId,
      url: receiver.url,
    });
    const id = endpoint!.id;
    await under.stores.publish(eventsOf(organizationId, 1));
    await until(() => receiver.received.length === 1, { what: 'the delivery' });
    await webhooks.testEndpoint({ id, organizationId });
    expect(receiver.received.map(({ event }) => event)).toEqual(['order.submitted', 'order.test']);
    for (const post of receiver.received) {
      const [, t] = /^t=(\d+)/.exec(post.signature)!;
      expect(Math.abs(Number(t) - post.at / 1000)).toBeLessThan(5);
      expect(await verifySignature(post.signature, post.body, secret, post.at / 1000)).toBe(true);
    }
    const sample = JSON.parse(receiver.received[1]!.body);
    expect(Math.abs(Date.parse(sample.occurred_at) - Date.now())).toBeLessThan(30_000);
    const [row] = await until(
      () =>
        under.stores.superuser
          .query<Record<string, number>>(
            `select extract(epoch from now() - e.created_at)::float8 as created,
             extract(epoch from now() - e.last_failure_at)::float8 as failed,
             extract(epoch from now() - a.at)::float8 as tried,
             extract(epoch from p.due_at - now())::float8 - 60 as due, a.duration_ms / 1000 as took
           from endpoints e join deliveries d on d.endpoint_id = e.id
           join attempts a on a.delivery_id = d.id join pending_deliveries p on p.delivery_id = d.id
           where e.id = $1 and e.last_failure_at is not null`,
            [id],
          )
          .then((rows) => rows.length > 0 && rows),
      { what: 'the failed attempt to be recorded' },
    );
    for (const seconds of Object.values(row!)) expect(Math.abs(seconds)).toBeLessThan(30);
  } finally {
    webhooks.close();
    child.kill('SIGKILL');
  }
});
