import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { noteKeyOfSeed, vkeyOfSigner, vkeyOfWitness } from '@pto/custody-verifier/sign-note';
import { createGuards, freePorts } from '@pto/stores';
import { until } from '@pto/testing';
import type { Stage } from '../../stage/rehearsal.ts';

const program = new URL('../../../../verifiers/witness/src/main.ts', import.meta.url).pathname;
const origin = 'localhost/custody'; // of the local stack
const name = 'witness.example.org/rehearsal';

/**
 * Starts a witness of the local stack's log.
 * @returns the environment of the local stack: the log's key and the witness.
 */
export const openWitness = async (stage: Stage): Promise<NodeJS.ProcessEnv> => {
  const guards = createGuards(stage.folder);
  stage.atEnd(guards.stopAll);
  const [seed, own] = [randomBytes(32), randomBytes(32)];
  const state = join(stage.folder, 'witness');
  mkdirSync(state);
  const [port = 0, admin = 0] = await freePorts(2);
  await guards.run('witness', {
    ...{ command: process.execPath, args: [program], signal: 'TERM', graceS: 5 },
    env: {
      ...process.env,
      WITNESS_NAME: name,
      WITNESS_KEY: own.toString('base64'),
      WITNESS_LOGS: `${origin} ${vkeyOfSigner(noteKeyOfSeed(origin, seed))}`,
      WITNESS_STATE_DIR: state,
      BIND_HOST: '127.0.0.1',
      HTTP_PORT: `${port}`,
      ADMIN_PORT: `${admin}`,
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(url)).ok, { what: 'the witness' });
  return {
    CUSTODY_SIGNING_KEYS: seed.toString('base64'),
    CUSTODY_WITNESSES: `${vkeyOfWitness(noteKeyOfSeed(name, own))}@${url}`,
  };
};
