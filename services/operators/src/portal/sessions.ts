import { randomBytes } from 'node:crypto';
import {
  derivedApiKey,
  type Environment,
  hashSecret,
  hashText,
  isCheckedSecret,
} from '@pto/access';
import { createBatches } from '@pto/concurrency';
import {
  clockTimestamp,
  type Database,
  execute,
  fragment,
  type Placeholders,
  statement,
} from '@pto/database';
import { Failure, invalid } from '@pto/errors';
import { shown } from '../fields.ts';
import { tables } from '../schema/tables.ts';
import { codePrefix, columns } from './links.ts';

const cannotOpen = (why: string): Failure =>
  new Failure('NOT_FOUND', `${why} Request a new link.`, { details: { resource: 'portal link' } });
const hasEnded = (): Failure =>
  new Failure('INVALID_API_KEY', 'This session has ended. Request a new link.');

/** 32 bytes in base64url. */
const nonceForm = /^[\w-]{43}$/;
const batchMax = 1000;

const selectLinks = statement((given: Placeholders<{ hashes: readonly Buffer[] }>) =>
  tables
    .selectFrom('portal_sessions')
    .select(['code_hash as name', 'opened_at', 'hash'])
    .select(fragment<boolean>`opened_at > clock_timestamp() - interval '1 minute'`.as('is_recent'))
    .where(({ eb, fn }) => eb('code_hash', '=', fn.any(given.hashes))),
);

const selectSessions = statement((given: Placeholders<{ hashes: readonly Buffer[] }>) =>
  tables
    .selectFrom('portal_sessions as s')
    .innerJoin('credentials as c', 'c.id', 's.id')
    .innerJoin('organizations as o', 'o.id', 's.organization_id')
    .select(columns.map((column) => `s.${column}` as const))
    .select(['s.hash as name', 'o.name as organization'])
    .where(({ eb, fn }) => eb('s.hash', '=', fn.any(given.hashes)))
    .where('c.revoked', '=', false)
    .where('c.expires_at', '>', clockTimestamp),
);

/**
 * Returns a function that finds a row by a secret. Anyone may call it, so all calls share one
 * statement at a time, and invented secrets cost the database no more than one client does. There is
 * no limit for an address: a secret has 256 random bits, and a hospital has one address.
 */
const finder = <Row extends { readonly name: Buffer | null }>(
  select: (hashes: readonly Buffer[]) => Promise<Row[]>,
) => {
  const find = createBatches<string, Row | undefined>(
    async (names) => {
      const rows = await select(names.map((name) => Buffer.from(name, 'base64')));
      const found = new Map(rows.map((row) => [row.name?.toString('base64'), row]));
      return (name) => found.get(name);
    },
    { inFlightMax: 1, batchMax },
  );
  return (secret: string) => find(hashText(secret));
};

/**
 * Opens, finds and ends the sessions of the portal (decision 69). A session's secret is a key of the
 * partners' API, so the gateway applies scopes, budgets and the border between organizations.
 * @param changed called after the end of a session.
 */
export const portalSessions = (db: Database, environment: Environment, changed: () => void) => {
  const linkOf = finder((hashes) => selectLinks(db, { hashes }));
  const sessionOf = finder((hashes) => selectSessions(db, { hashes }));
  return {
    /**
     * Exchanges a link's one-time code for a session's secret. Of two browsers with one link, one
     * gets a session. The secret follows from the code and the browser's nonce and is stored nowhere,
     * so the browser that lost the response gets the same one again, for a minute.
     * @param nonce empty: nobody gets the secret again.
     * @throws Failure VALIDATION, NOT_FOUND with what to do next
     */
    open: async (code: string, nonce: string) => {
      if (!isCheckedSecret(codePrefix, code)) throw cannotOpen('This link is not complete.');
      if (nonce !== '' && !nonceForm.test(nonce))
        throw invalid(['nonce'], 'expected 43 characters of base64url');
      const link = await linkOf(code);
      if (!link) throw cannotOpen('This link has expired, or was ended.');
      const chosen = nonce || randomBytes(32).toString('base64url');
      const secret = derivedApiKey(environment, code, chosen);
      const opened = await execute(
        db,
        tables
          .updateTable('portal_sessions')
          .set({ hash: hashSecret(secret), opened_at: clockTimestamp })
          .where('code_hash', '=', hashSecret(code))
          .where('hash', 'is', null)
          .where('opens_until', '>', clockTimestamp)
          .returning('id'),
      );
      if (opened.length > 0) return { secret };
      const { opened_at, hash, is_recent } = (await linkOf(code)) ?? link;
      if (is_recent && hash?.equals(hashSecret(secret))) return { secret };
      throw cannotOpen(
        opened_at === null
          ? 'This link has expired, or was ended.'
          : 'This link was opened before; it works once.',
      );
    },
    /** @throws Failure INVALID_API_KEY for a session that has ended */
    find: async (secret: string) => {
      const row = await sessionOf(secret);
      if (!row) throw hasEnded();
      const { organization, name: _, ...session } = row;
      return { session: shown(session), organization, environment };
    },
    /** Ends a session; one that has ended stays so. */
    end: async (secret: string) => {
      const row = await sessionOf(secret);
      if (!row) return {};
      await execute(db, tables.deleteFrom('portal_sessions').where('id', '=', row.id));
      changed();
      return {};
    },
  };
};
