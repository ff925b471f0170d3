import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityFiles, issueIdentities } from '@pto/authority';
import { processNames } from '@pto/proto/callers';
import { until } from '@pto/testing';
import type { LocalStack } from '../../../e2e/local-stack.ts';
import { metric } from '../../../e2e/metric.ts';
import { openLoaded } from '../bed/loaded.ts';
import { closedIn, startPartners } from '../bed/partners.ts';
import type { Drill } from '../drill.ts';

/** Longer than the certificates of the start, so that the metric shows which ones are in use. */
const days = 900;
const soonestMs = (days - 1) * 86_400_000;

/** docs/operators/keys.md: the authority of the internal wires is replaced, in three steps. */
export const certificates: Drill = {
  name: 'certificates',
  summary: 'all certificates and their authority replaced under load, without a failed request',
  run: async (bed) => {
    const on = await openLoaded(bed, { env: { TLS_RELOAD: '500ms' } });
    const used = join(on.stack.dir, 'identities');
    const next = join(bed.folder, 'identities');
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
      until(() => isTaken(on.stack, file), { what: `the new ${file} in every process` });

    await bed.step('1: both authorities are trusted', async () => {
      put(identityFiles(used, '').caFile, `${old}${young}`);
      await taken('authority');
      await on.closed(3);
      await on.finish();
    });
    // a command line that starts now reads both authorities
    const partners = startPartners({ ...on.stack }, 2, 'renewed');
    bed.atEnd(() => partners.stop().catch(() => {}));
    await bed.step('2: certificates of the new authority', async () => {
      for (const name of processNames) {
        const [from, to] = [identityFiles(next, name), identityFiles(used, name)];
        put(to.keyFile, readFileSync(from.keyFile, 'utf8'));
        put(to.certFile, readFileSync(from.certFile, 'utf8'));
      }
      await taken('certificate');
      await closedIn(partners, 5);
    });
    await bed.step('3: only the new authority is trusted', async () => {
      put(identityFiles(used, '').caFile, young);
      await closedIn(partners, 10);
      await partners.finish();
    });
    await bed.step('no request failed; processes that start now connect', async () => {
      const failed = on.partners.failedSteps() + partners.failedSteps();
      if (failed > 0) throw new Error(`${failed} steps of operators failed`);
      on.unnoticed();
      if ([...partners.statuses.keys()].join() !== '201') throw new Error('a creation failed');
      await on.scaledToNone(['orders', 'custody', 'webhooks']);
      const after = startPartners({ ...on.stack }, 2, 'afterwards');
      bed.atEnd(() => after.stop().catch(() => {}));
      await closedIn(after, 3);
      await after.finish();
      await on.complete();
    });
  },
};

/** Whether each process shows such a file that ends as late as the new ones do. */
const isTaken = async (stack: LocalStack, file: string): Promise<boolean> => {
  for (const name of processNames) {
    const ends = await metric(stack, name, 'tls_certificate_expires_seconds', `file="${file}"`);
    if (ends === undefined || ends * 1000 < Date.now() + soonestMs) return false;
  }
  return true;
};
