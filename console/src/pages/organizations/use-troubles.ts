import type { Organization } from '@pto/proto/access/v1/access';
import { boardOf } from '../../board/columns.ts';
import { unshownMs, useBoard } from '../../board/use-board.ts';
import { counted } from '../../parts/counted.ts';
import { useMinute } from '../../parts/use-minute.ts';
import { useUntold } from '../../parts/use-untold.ts';
import { useBreakingEndpoints } from '../status/breaking-endpoints.tsx';
import { problemOf, useMoves } from '../status/moves.tsx';

/** What is open at an organization, and the page that shows it. */
interface Trouble {
  readonly words: string;
  readonly href: string;
  readonly weight: number;
}

interface Owned {
  readonly organizationId: string;
}

/**
 * Returns a function from an organization to what is open there, the gravest first, by what the
 * console reads at once for all organizations.
 */
export const useTroubles = (): ((of: Organization) => readonly Trouble[]) => {
  const orders = useBoard({ everyMs: unshownMs }).data?.orders ?? [];
  const { late, exceptions } = boardOf(orders, useMinute(), useUntold());
  const endpoints = useBreakingEndpoints().data?.endpoints ?? [];
  const moves = useMoves().data ?? [];
  return ({ id, enabled }) => {
    const own = <Row extends Owned>(rows: readonly Row[]) =>
      rows.filter(({ organizationId }) => organizationId === id);
    const ofOrders = (rows: readonly Owned[], column: string, noun: string, each: number) => {
      const count = own(rows).length;
      const href = `/?of=${id}&column=${column}`;
      return count === 0 ? [] : [{ words: counted(count, noun), href, weight: count * each }];
    };
    const isFault = ({ hasCustodyFault }: (typeof orders)[number]) => hasCustodyFault;
    return [
      ...ofOrders(exceptions.filter(isFault), 'exceptions', 'custody fault', 1_000_000),
      ...ofOrders(late, 'late', 'late order', 1000),
      ...ofOrders(
        exceptions.filter((one) => !isFault(one)),
        'exceptions',
        'exception',
        1000,
      ),
      ...own(endpoints).map(({ id: endpoint, url, consecutiveFailures }) => ({
        words: `${new URL(url).host} failed ${counted(consecutiveFailures, 'time')} in a row`,
        href: `/endpoints/${endpoint}`,
        weight: 100,
      })),
      ...own(moves)
        .filter((move) => problemOf(move) !== '')
        .map((move) => ({ words: `move: ${problemOf(move)}`, href: '/status', weight: 100 })),
      ...(enabled ? [] : [{ words: 'access disabled', href: `/organizations/${id}`, weight: 1 }]),
    ];
  };
};
