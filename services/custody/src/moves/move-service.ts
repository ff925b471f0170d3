import type { Database } from '@pto/database';
import { Failure } from '@pto/errors';
import {
  heldOf,
  holdOrganization,
  releaseOrganization,
  requireLevel,
  requireOrganization,
  servesIn,
} from '@pto/moves';
import { Level, OrganizationMoveService } from '@pto/proto/moves/v1/moves';
import { implement } from '@pto/rpc';
import { migrations } from '../../migrations/index.ts';
import { exportEntries } from './export-entries.ts';
import { importEntries } from './import-entries.ts';
import { decodePage } from './page.ts';
import { remainingToAnchor, remainingToSend } from './remaining.ts';
import { countEntries, newestNumber } from './stored-entries.ts';

/**
 * Serves moves of organizations between cells (docs/operators/growth.md). The ledger is append-only:
 * the source keeps its chains, leaves and log, and the target appends the same entries to its own
 * log. A mark and a page are numbers of the organization's feed, which both cells share.
 * @param options.imported called when entries of another cell were queued for the log.
 */
export const organizationMoveService = ({
  db,
  imported,
}: {
  readonly db: Database;
  readonly imported: () => void;
}) =>
  implement(OrganizationMoveService, {
    mark: async (request) => ({
      mark: `${await newestNumber(db, requireOrganization(request))}`,
      schema: migrations.at(-1)!.name,
    }),
    export: async ({ since, until, page, ...request }) => {
      const copy = {
        organizationId: requireOrganization(request),
        since: since === '' ? 0 : numberOf('since', since),
        until: numberOf('until', until),
      };
      const after = page === '' ? null : numberOf('page', page);
      const { rows, next } = await exportEntries(db, copy, after);
      return { rows, nextPage: next === null ? '' : `${next}` };
    },
    import: async ({ rows, ...request }) => {
      const page = decodePage(rows);
      await importEntries(db, heldOf(request), page);
      imported();
      return { rows: page.entries.length };
    },
    count: async (request) => ({
      rows: { entries: BigInt(await countEntries(db, requireOrganization(request))) },
    }),
    serves: (request) => servesIn(db, request, async (id) => (await countEntries(db, id)) > 0),
    hold: async ({ probe, ...request }) => {
      const level = requireLevel(request.level);
      if (probe.length > 0)
        throw new Failure('VALIDATION', 'probe cannot be read: that of custody is empty.');
      const held = heldOf(request);
      await db.transaction((tx) => holdOrganization(tx, held, level));
      const { organizationId } = held;
      if (level === Level.WRITES)
        return {
          remaining: BigInt(await remainingToSend(db, organizationId)),
          waitsFor: 'entries without a leaf, and custody events that are not sent',
        };
      if (level === Level.ARRIVING)
        return {
          remaining: BigInt(await remainingToAnchor(db, organizationId)),
          waitsFor: 'entries that no anchored checkpoint covers',
        };
      return { remaining: 0n };
    },
    release: async (request) => {
      await db.transaction((tx) => releaseOrganization(tx, heldOf(request)));
      return {};
    },
    // the ledger's entries are evidence: neither cell ever deletes them
    retire: async (request) => {
      heldOf(request);
      return { more: false };
    },
  });

/** @throws Failure VALIDATION */
const numberOf = (field: string, text: string): number => {
  if (!/^\d{1,15}$/.test(text))
    throw new Failure('VALIDATION', `${field} is not a number of an organization's feed.`);
  return Number(text);
};
