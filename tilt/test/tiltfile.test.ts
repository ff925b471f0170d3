/** Runs the real Tilt on the Tiltfile, where it is installed, with a cluster that is not there. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { findProgram } from '../../deploy/test/programs.ts';

const root = new URL('../../', import.meta.url).pathname;
const tilt = findProgram('tilt');
const helm = findProgram('helm');

/** The other programs of a developer's machine. `helm` renders without the cluster's objects. */
const programs: Readonly<Record<string, string>> = {
  kubectl: 'echo v1',
  docker: 'exit 0',
  kind: 'exit 0',
  helm: `for word; do shift; case "$word" in --dry-run=server) ;; *) set -- "$@" "$word";; esac; done
exec ${helm} "$@"`,
};

const evaluate = (context: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'tilt-'));
  try {
    for (const [name, script] of Object.entries(programs))
      writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    symlinkSync('/bin/sh', join(folder, 'sh'));
    const config = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': context },
      clusters: [{ name: context, cluster: { server: 'https://127.0.0.1:9' } }],
      users: [{ name: context, user: {} }],
      contexts: [{ name: context, context: { cluster: context, user: context } }],
    };
    writeFileSync(join(folder, 'kubeconfig'), JSON.stringify(config));
    const env = { PATH: folder, HOME: folder, KUBECONFIG: join(folder, 'kubeconfig') };
    const words = ['alpha', 'tiltfile-result', '--file', join(root, 'Tiltfile')];
    return spawnSync(tilt!, words, { encoding: 'utf8', env, timeout: 60_000, maxBuffer: 2 ** 26 });
  } finally {
    rmSync(folder, { recursive: true });
  }
};

(tilt && helm ? test : test.skip)('declares a resource for each process and store', () => {
  const { status, stdout, stderr } = evaluate('kind-kind');
  expect({ status, stderr }).toMatchObject({ status: 0 });
  const { Manifests: found } = JSON.parse(stdout) as { Manifests: { Name: string }[] };
  expect(found.map(({ Name }) => Name)).toEqual(
    expect.arrayContaining(['postgres', 'kafka', 'gateway', 'orders', 'custody', 'webhooks']),
  );
});

(tilt ? test : test.skip)('rejects a cluster that is not on this machine', () => {
  const { status, stdout, stderr } = evaluate('production');
  expect(status).not.toBe(0);
  expect(stdout + stderr).toContain('Tilt will not touch the cluster "production"');
});
