import assert from 'node:assert/strict';
import { mayCall, type ProcessName } from '@pto/proto/callers';
import type { cluster } from './cluster.ts';

/** Calls along arrows of the network, by the process's own certificate. */
const calls: readonly (readonly [from: ProcessName, to: ProcessName, rpcs: readonly string[]])[] = [
  [
    'auditor',
    'orders',
    [
      'orders.v1.CustodyEvidenceService/ListHeads',
      'orders.v1.ViolationService/ListViolations',
      'orders.v1.OrderCommandService/ShowOrder',
      'orders.v1.OrderCommandService/DeliverOrder',
    ],
  ],
  [
    'custody',
    'orders',
    [
      'orders.v1.CustodyEvidenceService/ListHeads',
      'orders.v1.ViolationService/RecordViolations',
      'orders.v1.OrderCommandService/DeliverOrder',
    ],
  ],
  [
    'webhooks',
    'operators',
    ['access.v1.AccessService/GetOrganization', 'access.v1.AccessService/IssueKey'],
  ],
];

/** In a pod: one call with the process's certificate, or with none. Prints the HTTP status. */
const script = (to: string, rpc: string, certified: boolean): string => `
  const fs = require('node:fs');
  const tls = { ca: fs.readFileSync('/tls/ca.crt') };
  if (${certified}) Object.assign(tls, { cert: fs.readFileSync('/tls/tls.crt'), key: fs.readFileSync('/tls/tls.key') });
  const request = require('node:https').request('https://${to}:8081/${rpc}', { ...tls, method: 'POST', headers: { 'content-type': 'application/json' } }, (answer) => {
    process.stdout.write(String(answer.statusCode));
    answer.resume();
  });
  request.on('error', () => process.stdout.write('no connection'));
  request.end('{}');`;

/** @returns what was allowed and denied, as the table says it. */
export const callersInCluster = async (on: ReturnType<typeof cluster>): Promise<string> => {
  const seen: string[] = [];
  for (const [from, to, rpcs] of calls)
    for (const name of rpcs) {
      const [service = '', rpc = ''] = name.split('/');
      const run = (certified: boolean) =>
        on.kubectl(
          ...['exec', `deployment/${from}`, '--', 'node', '--eval'],
          script(to, name, certified),
        );
      const denied = (await run(true)) === '403';
      assert.equal(denied, !mayCall(service, rpc, { process: from }), `${from} → ${name}`);
      assert.equal(await run(false), 'no connection');
      seen.push(`${from} → ${name}: ${denied ? 'denied' : 'allowed'}`);
    }
  return `\n  ${seen.join('\n  ')}`;
};
