/** Witnesses of the custody log under test: the shipped one, and the log's vkey. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noteKeyOfSeed, vkeyOfSigner } from '@pto/custody-verifier/sign-note';
import { createTelemetry } from '@pto/telemetry';
import { settingsOf, startWitness } from '@pto/witness';

export const origin = 'log.test/custody';
export const logVkey = vkeyOfSigner(noteKeyOfSeed(origin, Buffer.alloc(32, 5)));

/** The real program in this process, on a folder of its own. */
export const startShippedWitness = async (name: string, seed: number) => {
  const folder = mkdtempSync(join(tmpdir(), 'witness-'));
  const environment = {
    WITNESS_NAME: name,
    WITNESS_KEY: Buffer.alloc(32, seed).toString('base64'),
    WITNESS_LOGS: `${origin} ${logVkey}`,
    WITNESS_STATE_DIR: folder,
    HTTP_PORT: '0',
    BIND_HOST: '127.0.0.1',
  };
  const telemetry = createTelemetry({ service: 'witness', write: () => {} });
  const service = await startWitness(settingsOf(environment), telemetry);
  const url = `http://127.0.0.1:${service.port}`;
  return {
    vkey: service.vkey,
    url,
    setting: `${service.vkey}@${url}`,
    stop: async () => {
      await service.stop();
      rmSync(folder, { recursive: true });
    },
  };
};
