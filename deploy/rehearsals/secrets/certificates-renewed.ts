import assert from 'node:assert/strict';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityFiles, issueIdentities } from '@pto/authority';
import { processNames } from '@pto/proto/callers';
import { until } from '@pto/testing';
import type { LocalStack } from '../../../e2e/local-stack.ts';
import { openStack, operatorOf, whileScaledToNone } from '../stage/local-stack.ts';
import { closedIn, type Partners, startPartners } from '../stage/partners.ts';
import type { Rehearsal } from '../stage/rehearsal.ts';

/** Longer than the certificates of the start, so that the metric shows which ones are in use. */
const days = 900;
const soonestMs = (days - 1) * 86_400_000;
const deadlineMs = 60_000;

/** docs/operators/keys.md: the authority of the internal wires is replaced, in three steps. */
export const certificatesRenewed: Rehearsal = {
  name: 'certificates-renewed',
  summary: 'all certificates and their authority replaced under load, without a failed request',
  run: async (stage) => {
    const stack = await stage.step('the services', () =>
      openStack(stage, { env: { TLS_RELOAD: '500ms' } }),
    );
    const operator = operatorOf(stage, stack);
    const used = join(stack.dir, 'identities');
    const next = join(stage.folder, 'identities');
    const names = processNames.map((name) => [
      name,
      [`${name}.partner-api.local`, ...(name === 'operators' ? ['127.0.0.1'] : [])],
    ]);
    issueIdentities(next, Object.fromEntries(names), days);
    const authority = (folder: string) => readFileSync(identityFiles(folder, '').caFile, 'utf8');
    const [old, young] = [authority(used), authority(next)];
    const put = (path: string, text: string): void => {
      writeFileSync(`${path}.new`, text, { mode: 0o600 });
      renameSync(`${path}.new`, path);
    };
    const taken = (file: 'authority' | 'certificate') =>
      until(async () => (await outdated(stack, file)).length === 0, {
        deadlineMs,
        what: `the new ${file} in every process`,
      });
    const withoutFailure = (partners: Partners): void => {
      const failed = [...partners.statuses].filter(([status]) => status !== 201);
      assert.deepEqual([failed, partners.failedSteps()], [[], 0], 'no request failed');
    };

    const first = startPartners(stack);
    stage.atEnd(() => first.stop().catch(() => {}));
    await closedIn(first, 3);
    await stage.step('1: both authorities are trusted', async () => {
      put(identityFiles(used, '').caFile, `${old}${young}`);
      await taken('authority');
      await closedIn(first, 3);
      await first.finish();
      withoutFailure(first);
    });
    // a command line that starts now reads both authorities
    const partners = startPartners({ ...stack }, 2, 'renewed');
    stage.atEnd(() => partners.stop().catch(() => {}));
    await stage.step('2: certificates of the new authority', async () => {
      for (const name of processNames) {
        const [from, to] = [identityFiles(next, name), identityFiles(used, name)];
        put(to.keyFile, readFileSync(from.keyFile, 'utf8'));
        put(to.certFile, readFileSync(from.certFile, 'utf8'));
      }
      await taken('certificate');
      await closedIn(partners, 5);
    });
    await stage.step('3: only the new authority is trusted', async () => {
      put(identityFiles(used, '').caFile, young);
      await closedIn(partners, 10);
      await partners.finish();
      withoutFailure(partners);
    });
    await stage.step('processes that start now connect', async () => {
      const after = startPartners({ ...stack }, 2, 'afterwards');
      stage.atEnd(() => after.stop().catch(() => {}));
      await whileScaledToNone(stage, stack, ['orders', 'custody', 'webhooks'], async () => {});
      await closedIn(after, 3);
      await after.finish();
      await until(async () => (await operator('ledger', 'verify')).json.valid, {
        deadlineMs,
        what: 'a valid ledger',
      });
    });
  },
};

/** Returns the processes that show no such file, or one that ends before the new ones do. */
const outdated = async (stack: LocalStack, file: string): Promise<string[]> => {
  const { services } = stack.file();
  const found: string[] = [];
  for (const own of processNames) {
    const replicas = services.filter(({ name }) => name === own);
    const areRenewed = await Promise.all(replicas.map((one) => isRenewed(one.metricsUrl, file)));
    if (replicas.length === 0 || areRenewed.includes(false)) found.push(own);
  }
  return found;
};

/** Returns false also for a process that does not export the series. */
const isRenewed = async (metricsUrl: string, file: string): Promise<boolean> => {
  const text = await (await fetch(metricsUrl)).text();
  const series = new RegExp(
    `^tls_certificate_expires_seconds\\{[^}]*file="${file}"[^}]*\\} (\\S+)$`,
    'm',
  );
  const [, seconds] = series.exec(text) ?? [];
  return Number(seconds) * 1000 >= Date.now() + soonestMs;
};
