import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityFiles, issueIdentities } from '@pto/authority';
import type { LocalStack } from '../../../e2e/local-stack.ts';
import { partner } from '../../../e2e/partner.ts';
import { findInLog, metricAsIn, operatorAsIn, panelAsIn, requireNamed } from './runbook.ts';
import type { AlertFault } from './scene.ts';

const anchor = 'custody-anchor.jsonl';

/** Verifies the endpoints again, as their partner does: those that became BROKEN get events again. */
const verifyAll = async (stack: LocalStack): Promise<void> => {
  const { get, post } = partner(stack);
  for (const { id } of (await get('/webhooks')).body) {
    const { body } = await post(`/webhooks/${id}/verify`);
    assert.equal(body.verified, true, `endpoint ${id}`);
  }
};

/** Faults of what lies outside: receivers, the proxy, the anchor, certificates. */
export const outsideFaults: readonly AlertFault[] = [
  {
    what: 'the egress proxy does not listen',
    alerts: [{ alert: 'DeliveriesFailOnOurSide', labels: { outcome: 'proxy' } }],
    begin: async ({ proxy }) => {
      await proxy.stop();
      return proxy.start;
    },
    follow: async (scene) => {
      const alert = 'DeliveriesFailOnOurSide';
      await panelAsIn(
        scene,
        alert,
        'Attempts by outcome',
        ({ outcome }, value) => outcome === 'proxy' && value > 0,
      );
      requireNamed(scene, alert, '`WEBHOOKS_EGRESS_PROXY`, and whether that proxy responds');
      await assert.rejects(fetch(scene.proxy.url), 'the proxy does not respond');
    },
  },
  {
    what: 'four endpoints respond 500',
    alerts: [{ alert: 'EndpointsBreaking' }],
    begin: async ({ stack, receiver }) => {
      for (const n of [1, 2, 3, 4])
        await partner(stack).post('/webhooks', { url: `${receiver.url}/${n}` });
      receiver.state.status = 500;
      return async () => {
        receiver.state.status = 204;
        await verifyAll(stack);
      };
    },
    follow: async (scene) => {
      const [organization] = scene.stack.file().organizations;
      const words = 'endpoint list --org ID';
      const { json } = await operatorAsIn(scene, 'EndpointsBreaking', words, organization!.id);
      const broken = json.filter(({ status }: { status: string }) => status === 'BROKEN');
      assert.notEqual(broken.length, 0, 'broken endpoints are listed');
    },
  },
  {
    what: 'the file of the anchor cannot be written',
    // `page` needs an hour and 5 min, 130 s here, longer than a fault lasts: promtool tests it
    alerts: [{ alert: 'LedgerUnanchored', labels: { severity: 'ticket' } }],
    begin: async ({ stack }) => {
      const path = join(stack.dir, anchor);
      const recent = `${path}.recent-${new Date().toISOString().slice(0, 10)}`;
      const files = [path, recent];
      for (const file of files) {
        renameSync(file, `${file}.kept`);
        mkdirSync(file);
      }
      return () => {
        for (const file of files) {
          rmSync(file, { recursive: true });
          renameSync(`${file}.kept`, file);
        }
      };
    },
    follow: (scene) =>
      findInLog(
        scene,
        'LedgerUnanchored',
        'custody-0',
        'the log could not be extended or signed, will be retried',
      ),
  },
  {
    what: 'a certificate ends in two days',
    alerts: ['ticket', 'page'].map((severity) => ({
      alert: 'CertificateEndsSoon',
      labels: { service: 'courier', file: 'certificate', severity },
    })),
    begin: async ({ stage, stack }) => {
      const [used, next] = [join(stack.dir, 'identities'), join(stage.folder, 'two-days')];
      issueIdentities(next, { courier: ['courier.partner-api.local'] }, 2);
      const [from, to] = [identityFiles(next, 'courier'), identityFiles(used, 'courier')];
      const authority = identityFiles(used, '').caFile;
      const both = `${readFileSync(authority, 'utf8')}${readFileSync(from.caFile, 'utf8')}`;
      writeFileSync(authority, both);
      writeFileSync(to.keyFile, readFileSync(from.keyFile));
      writeFileSync(to.certFile, readFileSync(from.certFile));
      return () => {};
    },
    follow: async (scene) => {
      const alert = 'CertificateEndsSoon';
      const metric = 'tls_certificate_expires_seconds';
      const days = (expires: number) => (expires * 1000 - Date.now()) / 86_400_000;
      const found = await metricAsIn(scene, alert, metric, (_, value) => days(value) < 14);
      const named = found.map(({ metric: { service, file } }) => `${service} ${file}`);
      assert.deepEqual(named, ['courier certificate'], 'one file of one process: not the issuer');
      const words = ['x509', '-noout', '-enddate'];
      requireNamed(scene, alert, `openssl ${words.join(' ')}`);
      const { certFile } = identityFiles(join(scene.stack.dir, 'identities'), 'courier');
      const printed = await scene.stage.command('openssl', [...words, '-in', certFile]);
      const expires = Date.parse(printed.replace('notAfter=', ''));
      assert.equal(expires / 1000, Number(found[0]!.value[1]), 'the process uses the file');
    },
  },
];
