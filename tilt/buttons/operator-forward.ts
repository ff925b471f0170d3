import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The operator's command line, which runs on this machine: no pod holds an operator's identity. */
export const operatorProgram = fileURLToPath(
  new URL('../../operator/src/main.ts', import.meta.url),
);
const readyWithinMs = 30_000;

/** The operators service of a cluster at a port of this machine, until `close`. */
export interface Forward {
  /** Settings for the command line; they lack the credential. */
  readonly environment: Readonly<Record<'OPERATOR_URL' | 'OPERATOR_CA_FILE', string>>;
  close(): void;
}

/**
 * Opens a free port of this machine that `kubectl port-forward` connects to the operators service.
 * @param where `--namespace` and the like, for kubectl.
 * @throws Error if there is no port within 30 s.
 */
export const openForward = async (where: readonly string[]): Promise<Forward> => {
  const path = '-o=jsonpath={.data.ca\\.crt}';
  const words = [...where, 'get', 'secret', 'operators-tls', path];
  const { stdout: ca } = await promisify(execFile)('kubectl', words, { timeout: readyWithinMs });
  const folder = mkdtempSync(join(tmpdir(), 'operator-'));
  const caFile = join(folder, 'ca.crt');
  writeFileSync(caFile, Buffer.from(ca, 'base64'));
  const to = ['port-forward', '--address=127.0.0.1', 'service/operators', ':operators'];
  const child = spawn('kubectl', [...where, ...to], { stdio: ['ignore', 'pipe', 'inherit'] });
  const close = () => {
    child.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const signal = AbortSignal.timeout(readyWithinMs);
    const ended = once(child, 'exit', { signal }).then(() => {
      throw new Error('kubectl port-forward ended');
    });
    const [line] = await Promise.race([once(child.stdout, 'data', { signal }), ended]);
    const [, port] = /127\.0\.0\.1:(\d+) ->/.exec(String(line)) ?? [];
    if (port === undefined) throw new Error(`kubectl port-forward printed ${line}`);
    const url = `https://localhost:${port}`;
    return { environment: { OPERATOR_URL: url, OPERATOR_CA_FILE: caFile }, close };
  } catch (error) {
    close();
    throw error;
  }
};
