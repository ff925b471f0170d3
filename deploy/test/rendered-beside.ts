/** Production as Helm renders it for a cluster, of whose API this is as much as Helm asks for. */
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from './programs.ts';
import { helmArguments } from './rendered.ts';

/** @param live replicas of the Deployments that the cluster runs already. */
export const renderedBeside = async (live: Readonly<Record<string, number>>): Promise<string> => {
  const cluster = createServer((request, response) => {
    const answer = answers(live)[request.url!.split('?')[0]!];
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer ?? { kind: 'Status', code: 404, reason: 'NotFound' }));
  });
  await new Promise<void>((listening) => cluster.listen(0, '127.0.0.1', listening));
  const { port } = cluster.address() as AddressInfo;
  const config = join(tmpdir(), `pto-kubeconfig-${process.pid}-${port}`);
  writeFileSync(config, kubeconfig(port));
  try {
    const words = [
      ...['template', 'partner-api', ...helmArguments('production')],
      ...['--namespace', 'partner-api', '--dry-run=server', '--kubeconfig', config],
    ];
    const most = { maxBuffer: 64 * 1024 * 1024, timeout: 60_000 };
    return (await promisify(execFile)(findProgram('helm')!, words, most)).stdout;
  } finally {
    rmSync(config);
    cluster.close();
    cluster.closeAllConnections();
  }
};

const answers = (live: Readonly<Record<string, number>>): Record<string, object> => ({
  '/version': { major: '1', minor: '34', gitVersion: 'v1.34.0' },
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': {
    kind: 'APIGroupList',
    groups: [
      {
        name: 'apps',
        versions: [{ groupVersion: 'apps/v1', version: 'v1' }],
        preferredVersion: { groupVersion: 'apps/v1', version: 'v1' },
      },
    ],
  },
  '/api/v1': { kind: 'APIResourceList', groupVersion: 'v1', resources: [] },
  '/apis/apps/v1': {
    kind: 'APIResourceList',
    groupVersion: 'apps/v1',
    resources: [{ name: 'deployments', namespaced: true, kind: 'Deployment', verbs: ['get'] }],
  },
  ...Object.fromEntries(
    Object.entries(live).map(([name, replicas]) => [
      `/apis/apps/v1/namespaces/partner-api/deployments/${name}`,
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec: { replicas } },
    ]),
  ),
});

const kubeconfig = (port: number): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'fake',
    clusters: [{ name: 'fake', cluster: { server: `http://127.0.0.1:${port}` } }],
    contexts: [{ name: 'fake', context: { cluster: 'fake', user: 'fake' } }],
    users: [{ name: 'fake', user: {} }],
  });
