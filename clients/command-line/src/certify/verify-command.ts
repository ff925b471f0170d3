import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutSettings } from '../keyring.ts';
import { Unmet } from './check.ts';
import { printableBody } from './printable-body.ts';
import type { Trial } from './trial.ts';

/** Maximum time in ms for the partner's verifier. */
const verifyMaxMs = 60_000;
/** Part of the end of its standard error that is kept, in characters. */
const errorsMax = 4096;
/** Exit codes of a shell that cannot start a program: not executable, not found. */
const notStarted = [126, 127];

/** How the partner's verifier ended. */
export interface Ended {
  readonly code: number;
  /** The last line of its standard error that is an error, else the last one; printable. */
  readonly lastLine: string;
}

/**
 * Runs the partner's verifier with the path of a proof file as its last argument. The command gets
 * no setting of pto: neither key nor secret.
 * @throws Unmet if it cannot be started or does not end within 60 s, the reason of the signal.
 */
export const judge = async (
  { verifyCommand, environment, signal }: Trial,
  proof: string,
): Promise<Ended> => {
  const folder = mkdtempSync(join(tmpdir(), 'pto-proof-'));
  try {
    const file = join(folder, 'proof.json');
    writeFileSync(file, proof);
    return await ended(`${verifyCommand} "${file}"`, withoutSettings(environment), signal);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const ended = (command: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const limits = { timeout: verifyMaxMs, killSignal: 'SIGKILL', signal } as const;
    const stdio: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe'];
    const child = spawn(command, { shell: true, stdio, env, ...limits });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      errors = (errors + part).slice(-errorsMax);
    });
    child.once('error', (error) =>
      reject(signal.aborted ? signal.reason : new Unmet(`the verifier: ${error.message}`)),
    );
    child.once('close', (code, by) => {
      const lastLine = lastLineOf(errors);
      if (code !== null && notStarted.includes(code))
        reject(new Unmet(`the verifier could not be started: ${lastLine}`));
      else if (code !== null) resolve({ code, lastLine });
      else reject(signal.aborted ? signal.reason : new Unmet(`the verifier was ended by ${by}`));
    });
  });

const lastLineOf = (errors: string): string => {
  const lines = errors.split('\n').filter((line) => line.trim() !== '');
  // Node and Python print more after or before the line that says what is wrong
  const error = lines.findLast((line) => /^\w*Error\b/.test(line));
  return printableBody(error ?? lines.at(-1) ?? '', []);
};
