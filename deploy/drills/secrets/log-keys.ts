import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { noteKeyOfSeed, publicBytes } from '@pto/custody-verifier/sign-note';
import type { Loaded } from '../bed/loaded.ts';
import { secretsOf } from '../bed/secret-store.ts';

const origin = 'localhost/custody'; // of the local stack

/** Runs the Job custody-migrate, which registers the public halves of the keys of the log. */
export const register = async ({ bed, stack }: Loaded, seeds: readonly string[]): Promise<void> => {
  const url = new URL(stack.file().stores.postgres.superuser);
  url.pathname = '/custody';
  url.username = 'custody_owner';
  url.password = secretsOf(stack).databases.custody.ownerPassword;
  const halves = seeds.map((seed) =>
    Buffer.from(publicBytes(noteKeyOfSeed(origin, Buffer.from(seed, 'base64')))).toString('base64'),
  );
  const program = new URL('../../../services/custody/src/migrate.ts', import.meta.url).pathname;
  await bed.command(process.execPath, [program], {
    env: {
      ...{ ...process.env, MIGRATION_DATABASE_URL: url.href, CUSTODY_LOG_ORIGIN: origin },
      CUSTODY_PUBLIC_KEYS: halves.join(','),
    },
    shown: 'the Job custody-migrate, with CUSTODY_PUBLIC_KEYS',
  });
};

export const signaturesOf = async ({ stack }: Loaded): Promise<number> => {
  const note = await (await fetch(new URL('/custody/checkpoint', stack.file().baseUrl))).text();
  return note.split('\n').filter((line) => line.startsWith('— ')).length;
};

export const auditPasses = ({ stack }: Loaded): number =>
  readFileSync(join(stack.dir, 'logs', 'auditor-0.log'), 'utf8').split('audit pass completed')
    .length;
