import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { noteKeyOfSeed, vkeyOfWitness } from '@pto/custody-verifier/sign-note';
import { freePorts } from '@pto/stores';
import type { Stage } from '../stage/rehearsal.ts';

const larger = 1_000_000_000;

const vkeyOf = (name: string): string => vkeyOfWitness(noteKeyOfSeed(name, randomBytes(32)));

/**
 * Returns two witnesses, as `CUSTODY_WITNESSES` has them: one does not listen, the other one states a
 * size that the log never had.
 */
export const openWitnesses = async (stage: Stage): Promise<string> => {
  const [none = 0, other = 0] = await freePorts(2);
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end(`${larger}\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(other, '127.0.0.1', resolve));
  stage.atEnd(() => void server.close());
  return [
    `${vkeyOf('witness.example.org/silent')}@http://127.0.0.1:${none}`,
    `${vkeyOf('witness.example.org/contradicting')}@http://127.0.0.1:${other}`,
  ].join(',');
};
