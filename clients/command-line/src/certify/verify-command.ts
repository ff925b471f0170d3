import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutSettings } from '../keyring.ts';
import { Unmet } from './check.ts';
import type { Trial } from './trial.ts';

/** Maximum time in ms for the partner's verifier. */
const verifyMaxMs = 60_000;

/**
 * Runs the partner's verifier with the path of a proof file as its last argument. The command gets
 * no setting of pto: neither key nor secret.
 * @returns its exit code.
 * @throws Unmet if it cannot be started or does not end within 60 s, the reason of the signal.
 */
export const exitCodeOf = async (
  { verifyCommand, environment, signal }: Trial,
  proof: string,
): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'pto-proof-'));
  try {
    const file = join(folder, 'proof.json');
    writeFileSync(file, proof);
    return await ended(`${verifyCommand} "${file}"`, withoutSettings(environment), signal);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const ended = (command: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<number> =>
  new Promise((resolve, reject) => {
    const limits = { timeout: verifyMaxMs, killSignal: 'SIGKILL', signal } as const;
    const child = spawn(command, { shell: true, stdio: 'ignore', env, ...limits });
    child.once('error', (error) =>
      reject(signal.aborted ? signal.reason : new Unmet(`the verifier: ${error.message}`)),
    );
    child.once('exit', (code, by) => {
      if (code !== null) resolve(code);
      else reject(signal.aborted ? signal.reason : new Unmet(`the verifier was ended by ${by}`));
    });
  });
