import { createHash } from 'node:crypto';
import { type Database, execute, hyphenated, leastUuid } from '@pto/database';
import { noMetadata } from '../domain/decide.ts';
import { tables } from '../schema/tables.ts';
import type { CommandDeps } from './apply-command.ts';
import { applyCommand } from './run-command.ts';

const pageSize = 100;

/** A device of a driver, and the time from which on its records are not trusted. */
interface Revocation {
  readonly driverId: string;
  readonly key: string;
  /** `YYYY-MM-DDTHH:mm:ss.sssZ`. */
  readonly from: string;
}

/**
 * Appends the revocation of a device to each order that the driver has or had and that has an entry
 * of that time or later, so that a verifier states it (decision 85). A repetition adds what is
 * missing: the id of each command follows from device, time and order.
 * @returns the number of orders that have the entry now.
 */
export const recordRevocation = async (
  deps: CommandDeps & { readonly db: Database },
  revocation: Revocation,
): Promise<number> => {
  let count = 0;
  for (let after = leastUuid; ; ) {
    const page = tables
      .selectFrom('driver_orders as d')
      .innerJoin('orders as o', (join) =>
        join.onRef('o.organization_id', '=', 'd.organization_id').onRef('o.id', '=', 'd.order_id'),
      )
      .select(['d.organization_id', 'd.order_id', 'o.last_event_at'])
      .where('d.driver_id', '=', revocation.driverId)
      .where('d.order_id', '>', after)
      .orderBy('d.order_id')
      .limit(pageSize);
    const rows = await execute(deps.db, page);
    for (const {
      organization_id: organizationId,
      order_id: orderId,
      last_event_at: last,
    } of rows) {
      if (last === null || last < revocation.from) continue;
      const command = { name: 'revokeDevice', ...revocation } as const;
      const target = { organizationId, orderId };
      await applyCommand(deps, target, command, noMetadata, commandIdOf(revocation, orderId));
      count += 1;
    }
    if (rows.length < pageSize) return count;
    after = rows.at(-1)!.order_id;
  }
};

const commandIdOf = ({ key, from }: Revocation, orderId: string) => {
  const requestSha256 = createHash('sha256').update(`device/1 ${key} ${from} ${orderId}`).digest();
  // version 8 is for ids of one's own making (RFC 9562)
  const hex = requestSha256.toString('hex');
  const id = hyphenated(`${hex.slice(0, 12)}8${hex.slice(13, 16)}8${hex.slice(17, 32)}`);
  return { id, requestSha256 };
};
