/** A witness of the local stack's log: configured before the start, given the log afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vkeyOfWitness } from '@pto/custody-verifier/cosign';
import { noteKeyOfSeed } from '@pto/custody-verifier/sign-note';
import { createTelemetry } from '@pto/telemetry';
import { freePort } from '@pto/testing';
import { settingsOf, startWitness } from '@pto/witness';
import type { Mesh } from './mesh.ts';

const name = 'witness.e2e.test';
const seed = Buffer.alloc(32, 51);

export const reserveWitness = async () => {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'pto-witness-'));
  const vkey = vkeyOfWitness(noteKeyOfSeed(name, seed));
  return {
    vkey,
    /** For CUSTODY_WITNESSES. */
    setting: `${vkey}@http://127.0.0.1:${port}`,
    /** Starts it, for the log of this mesh. @returns what stops it. */
    start: async (mesh: Mesh): Promise<() => Promise<void>> => {
      const response = await fetch(`${mesh.file().gateways[0]}/custody/keys.json`);
      const { origin, keys } = (await response.json()) as {
        origin: string;
        keys: { vkey: string }[];
      };
      const service = await startWitness(
        settingsOf({
          WITNESS_NAME: name,
          WITNESS_KEY: seed.toString('base64'),
          WITNESS_LOGS: keys.map((key) => `${origin} ${key.vkey}`).join(','),
          WITNESS_STATE_DIR: folder,
          HTTP_PORT: String(port),
          BIND_HOST: '127.0.0.1',
        }),
        createTelemetry({ service: 'witness', write: () => {} }),
      );
      return async () => {
        await service.stop();
        rmSync(folder, { recursive: true });
      };
    },
  };
};
