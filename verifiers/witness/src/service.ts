import { readFileSync } from 'node:fs';
import { ConfigError } from '@pto/config';
import { vkeyOfWitness } from '@pto/custody-verifier/cosign';
import { type NoteKey, noteKeyOfSeed } from '@pto/custody-verifier/sign-note';
import { listening, type Service } from '@pto/lifecycle';
import { Counter, type Telemetry } from '@pto/telemetry';
import type { WitnessSettings } from './config.ts';
import { createWitnessServer } from './server.ts';
import { openWitness } from './witness.ts';

/** Starts a witness as a service. The port 0 takes a free port. */
export const startWitness = async (
  settings: WitnessSettings,
  telemetry: Telemetry,
): Promise<Service & { port: number; vkey: string }> => {
  const key = readKey(settings);
  const vkey = vkeyOfWitness(key);
  // a log has two keys during a key rotation
  const logs = Map.groupBy(settings.logs, ({ origin }) => origin);
  const witness = await openWitness({ key, logs, folder: settings.stateFolder });
  for (const [origin, note] of await witness.checkpoints())
    if (note === null) telemetry.log.warn({ origin }, 'no state: any first checkpoint is cosigned');
  const requests = new Counter({
    name: 'witness_requests_total',
    help: 'Submitted checkpoints by the status of the response',
    labelNames: ['status'],
    registers: [telemetry.metrics],
  });
  const responded = (status: number) => requests.inc({ status });
  const server = createWitnessServer({ witness, vkey, telemetry, responded });
  const port = await listening(server, settings.port, settings.host);
  telemetry.log.info({ vkey, port, logs: [...logs.keys()] }, 'the witness listens');
  return {
    port,
    vkey,
    checks: { state: async () => void (await witness.checkpoints()) },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
};

/**
 * Reads the witness's key from the environment or from a file.
 * @throws ConfigError if not exactly one of both is given, the file cannot be read, or the seed
 *   does not have 32 bytes. The error does not contain the seed.
 */
const readKey = ({ name, key, keyFile }: WitnessSettings): NoteKey => {
  if ((key !== '') === (keyFile !== ''))
    throw new ConfigError(['WITNESS_KEY or WITNESS_KEY_FILE: give one of the two']);
  const seed = Buffer.from(key || readFile(keyFile), 'base64');
  if (seed.length !== 32)
    throw new ConfigError(['WITNESS_KEY or WITNESS_KEY_FILE: expected 32 bytes in base64']);
  return noteKeyOfSeed(name, seed);
};

const readFile = (path: string): string => {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new ConfigError([`WITNESS_KEY_FILE: ${(error as NodeJS.ErrnoException).code}`]);
  }
};
