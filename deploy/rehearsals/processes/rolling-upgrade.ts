import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGuards, freePorts } from '@pto/stores';
import { until } from '@pto/testing';
import { openReleases } from '../../../e2e/chaos/releases.ts';
import { type LocalStack, settled } from '../../../e2e/local-stack.ts';
import { partner } from '../../../e2e/partner.ts';
import { openStack, operatorOf } from '../stage/local-stack.ts';
import { closedIn, statusText, underLoad } from '../stage/partners.ts';
import { drainMs } from '../stage/pod-drain.ts';
import { needProgram } from '../stage/programs.ts';
import { startReaders } from '../stage/readers.ts';
import { allReceived, requireSound } from '../stage/received.ts';
import type { Rehearsal, Stage } from '../stage/rehearsal.ts';

const lanes = 6;
const replicas = 'gateway=2,orders=2,custody=2,webhooks=2';

/** docs/operators/upgrade.md: the pods of one release are replaced by those of another, and back. */
export const rollingUpgrade: Rehearsal = {
  name: 'rolling-upgrade',
  summary:
    'from an earlier release (--from CHECKOUT) to this one, back and forward again under load, without a failed request',
  run: async (stage) => {
    if (stage.from === undefined)
      throw new Error('needs --from CHECKOUT: an earlier release with its packages installed');
    const releases = await stage.step('the programs of both releases', () =>
      openReleases(stage.from!, stage.note),
    );
    stage.atEnd(releases.close);
    const stack = await stage.step('the earlier release', () =>
      openStack(stage, {
        args: ['--no-demo', '--replicas', replicas],
        env: { ...releases.env, GATEWAY_DRAIN: '2s' },
      }),
    );
    const ingress = await openIngress(stage, stack);
    const { receiver, partners } = await underLoad(stage, ingress, lanes);
    await closedIn(partners, 5);
    const readers = startReaders(ingress);
    stage.atEnd(readers.stop);

    await stage.step('the Jobs of the present release', () => releases.migrate(stack));
    for (const release of ['present', 'earlier', 'present'] as const)
      await stage.step(`all pods of the ${release} release, one after the other`, async () => {
        const [placed, read] = [partners.placed.length, readers.requests()];
        await releases.change(stack, release, AbortSignal.timeout(600_000), drainMs);
        await settled(stack);
        await closedIn(partners, 5);
        stage.note(
          `  ${partners.placed.length - placed} orders placed and ${readers.requests() - read} reads meanwhile`,
        );
      });

    await stage.step('nothing failed, nothing is lost, nothing came twice', async () => {
      await readers.stop();
      await partners.finish();
      stage.note(`  responses to creations: ${statusText(partners.statuses)}`);
      stage.note(`  reads: ${readers.requests()}`);
      stage.note(`  steps of operators that failed and were repeated: ${partners.failedSteps()}`);
      await allReceived(
        receiver,
        partners.placed.map(({ id }) => id),
      );
      await requireSound(operatorOf(stage, stack), receiver);
      assert.deepEqual([...partners.statuses.keys()], [201], 'each creation succeeded');
      assert.deepEqual(readers.failures, [], 'each read succeeded');
    });
  },
};

/**
 * HAProxy before both gateways, as the ingress is: a gateway that is not ready gets no request, and
 * a connection that is refused goes to the other one. @returns the stack with it as only gateway.
 */
const openIngress = async (stage: Stage, stack: LocalStack): Promise<LocalStack> => {
  const [port = 0] = await freePorts(1);
  const { gateways, services } = stack.file();
  const health = services
    .filter(({ name }) => name === 'gateway')
    .map(({ healthUrl }) => healthUrl);
  const config = join(stage.folder, 'haproxy-ingress.cfg');
  const servers = gateways.map((url, n) => {
    const { port: admin, pathname } = new URL(health[n]!);
    return { port: new URL(url).port, admin, pathname };
  });
  writeFileSync(
    config,
    `defaults
  mode http
  timeout connect 1s
  timeout client 1m
  timeout server 1m
  option redispatch 1
  retries 3
listen ingress
  bind 127.0.0.1:${port}
  option httpchk GET ${servers[0]!.pathname}
  default-server inter 200ms fall 1 rise 1
${servers.map((one, n) => `  server g${n} 127.0.0.1:${one.port} check port ${one.admin}\n`).join('')}`,
  );
  const guards = createGuards(stage.folder);
  stage.atEnd(guards.stopAll);
  await guards.run('haproxy-ingress', {
    ...{ command: needProgram('haproxy'), args: ['-db', '-f', config] },
    ...{ signal: 'INT', graceS: 2 },
  });
  const front = `http://127.0.0.1:${port}`;
  const behind = { ...stack, file: () => ({ ...stack.file(), gateways: [front] }) };
  await until(
    async () =>
      (
        await partner(behind)
          .get('/ping')
          .catch(() => ({ status: 0 }))
      ).status === 200,
    { what: 'the ingress' },
  );
  return behind;
};
