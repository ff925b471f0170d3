import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { scopes } from '../../../local/src/operators/organizations.ts';
import { operatorProgram } from '../../../tilt/buttons/operator.ts';
import type { cluster } from './cluster.ts';
import { forwardGateway, gatewayUrl } from './gateway-forward.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The tests of e2e/ that use only public interfaces: as partner, as operator, and as a fuzzer. */
const tests = ['e2e/test/every-operation-requires-a-key', 'e2e/test/hostile/schemathesis'];

/** Runs them over the gateway's Service. @returns jest's own count. */
export const conformance = async (on: ReturnType<typeof cluster>): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'pto-cluster-'));
  const forward = await forwardGateway(on.namespace);
  const operator = await on.openOperator();
  try {
    const names = ['Demo Clinic', 'Other Clinic'];
    const organizations = await Promise.all(names.map((name) => organization(on, name)));
    const mesh = {
      baseUrl: `${gatewayUrl}/api/partner/v1`,
      gateways: [gatewayUrl],
      organizations,
      operator: {
        command: [process.execPath, operatorProgram],
        cwd: folder,
        env: operator.environment,
      },
      services: [],
    };
    const file = join(folder, 'mesh.json');
    writeFileSync(file, JSON.stringify(mesh), { mode: 0o600 });
    const env = { ...process.env, MESH_FILE: file };
    const words = ['--silent', 'test', '--', '--ci', ...tests];
    const run = await promisify(execFile)('npm', words, { cwd: root, env, maxBuffer: 64 << 20 });
    return /^Tests:\s+(.*)$/m.exec(run.stderr)?.[1] ?? run.stderr;
  } finally {
    operator.close();
    forward.kill();
    rmSync(folder, { recursive: true, force: true });
  }
};

const organization = async (on: ReturnType<typeof cluster>, name: string) => {
  const { id } = await on.operator('org', 'create', '--name', name);
  const keys: Record<string, string> = {};
  for (const [kind, scope] of Object.entries(scopes)) {
    const words = ['--org', id, '--scopes', scope, '--reads', '1000000', '--writes', '1000000'];
    keys[kind] = (await on.operator('key', 'issue', ...words)).key;
  }
  return { id, name, keys };
};
