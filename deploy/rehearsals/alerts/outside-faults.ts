import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityFiles, issueIdentities } from '@pto/authority';
import type { LocalStack } from '../../../e2e/local-stack.ts';
import { partner } from '../../../e2e/partner.ts';
import { findInLog, operatorAsIn } from './runbook.ts';
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
    alerts: ['DeliveriesFailOnOurSide'],
    begin: async ({ proxy }) => {
      await proxy.stop();
      return proxy.start;
    },
  },
  {
    what: 'four endpoints respond 500',
    alerts: ['EndpointsBreaking'],
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
    alerts: ['LedgerUnanchored'],
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
    alerts: ['CertificateEndsSoon'],
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
  },
];
