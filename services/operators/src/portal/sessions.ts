import { type Environment, hashSecret, isCheckedSecret, newApiKey } from '@pto/access';
import { clockTimestamp, type Database, execute } from '@pto/database';
import { Failure } from '@pto/errors';
import { shown } from '../fields.ts';
import type { failedAttempts } from '../identity/failed-attempts.ts';
import { tables } from '../schema/tables.ts';
import { codePrefix, columns } from './links.ts';

const cannotOpen = (why: string): Failure =>
  new Failure('NOT_FOUND', `${why} Request a new link.`, { details: { resource: 'portal link' } });
const hasEnded = (): Failure =>
  new Failure('INVALID_API_KEY', 'This session has ended. Request a new link.');

/**
 * Opens, finds and ends the sessions of the portal (decision 69). A session's secret is a key of the
 * partners' API, so the gateway applies scopes, budgets and the border between organizations.
 * @param attempts limits unknown codes and secrets per client address.
 * @param changed called after the end of a session.
 */
export const portalSessions = (
  db: Database,
  {
    environment,
    attempts,
    changed,
  }: {
    environment: Environment;
    attempts: ReturnType<typeof failedAttempts>;
    changed: () => void;
  },
) => {
  /** Counts a failure against the client's address. @throws Failure RATE_LIMITED */
  const limited = async <T>(address: string, secret: string, run: () => Promise<T>): Promise<T> => {
    await attempts.check(address, secret);
    try {
      return await run();
    } catch (thrown) {
      if (thrown instanceof Failure) await attempts.failed(address, secret);
      throw thrown;
    }
  };
  return {
    /**
     * Exchanges a link's one-time code for a session's secret. Of two browsers with one link, one
     * gets a session.
     * @throws Failure NOT_FOUND with what to do next, RATE_LIMITED
     */
    open: (code: string, address: string) =>
      limited(address, code, async () => {
        if (!isCheckedSecret(codePrefix, code)) throw cannotOpen('This link is not complete.');
        const secret = newApiKey(environment);
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
        const [link] = await execute(
          db,
          tables
            .selectFrom('portal_sessions')
            .select('opened_at')
            .where('code_hash', '=', hashSecret(code)),
        );
        throw cannotOpen(
          link?.opened_at
            ? 'This link was opened before; it works once.'
            : 'This link has expired, or was ended.',
        );
      }),
    /** @throws Failure INVALID_API_KEY for a session that has ended, RATE_LIMITED */
    find: (secret: string, address: string) =>
      limited(address, secret, async () => {
        const [row] = await execute(
          db,
          tables
            .selectFrom('portal_sessions as s')
            .innerJoin('credentials as c', 'c.id', 's.id')
            .innerJoin('organizations as o', 'o.id', 's.organization_id')
            .select(columns.map((column) => `s.${column}` as const))
            .select(['o.name as organization', 'c.expires_at as ends_at'])
            .where('s.hash', '=', hashSecret(secret))
            .where('c.revoked', '=', false)
            .where('c.expires_at', '>', clockTimestamp),
        );
        if (!row) throw hasEnded();
        attempts.passed(secret);
        const { organization, ends_at: _, ...session } = row;
        return { session: shown(session), organization };
      }),
    /** Ends a session; one that has ended stays so. */
    end: async (secret: string) => {
      await execute(
        db,
        tables.deleteFrom('portal_sessions').where('hash', '=', hashSecret(secret)),
      );
      changed();
      return {};
    },
  };
};
