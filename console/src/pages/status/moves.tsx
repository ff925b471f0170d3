import type { Move } from '@pto/proto/access/v1/moves';
import { unshownMs } from '../../board/use-board.ts';
import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';
import { counted } from '../../parts/counted.ts';
import { Finding } from '../../parts/finding.tsx';
import { LinkedText } from '../../parts/linked-text.tsx';
import { useOrganizationName } from '../../parts/organizations.ts';
import { type Column, Rows } from '../../parts/table.tsx';
import { Text } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';

/** Reads the moves of organizations that have not ended. */
export const useMoves = () =>
  useCall(
    ['moves'],
    async () =>
      (await clients.moves.listMoves({})).moves.filter(({ endedAt }) => endedAt === undefined),
    { live: true, everyMs: unshownMs },
  );

/** Why a move needs a person; empty: it goes on. */
export const problemOf = ({ phase, failure, waitsFor }: Move): string =>
  [phase === 'HOLDING' && 'holds changes', failure, waitsFor && `waits for ${waitsFor}`]
    .filter(Boolean)
    .join('; ');

/** Moves of organizations that have not ended, live. */
export const Moves = ({ query }: { query: ReturnType<typeof useMoves> }) => {
  const nameOf = useOrganizationName();
  const columns: readonly Column<Move>[] = [
    [
      'Organization',
      ({ organizationId: id }) => <LinkedText of={nameOf(id)} at={`/organizations/${id}`} />,
    ],
    ['Cells', ({ source, target }) => `${source} → ${target}`],
    ['Phase', ({ phase }) => phase.toLowerCase(), 'state'],
    ['Failed tries', ({ tries }) => tries, 'named'],
    ['Problem', (move) => <Text of={problemOf(move)} />],
    ['Started', ({ startedAt }) => <Time at={startedAt} />, 'named'],
  ];
  const moves = query.data ?? [];
  const stuck = moves.filter((move) => problemOf(move) !== '').length;
  return (
    <section aria-label="Moves">
      <Finding
        query={query}
        tone={stuck > 0 ? 'bad' : 'good'}
        says={
          moves.length === 0
            ? 'No move between cells is under way.'
            : `${counted(moves.length, 'organization is', 'organizations are')} moved to another cell${stuck > 0 ? `; ${counted(stuck, 'move is', 'moves are')} stuck` : ''}.`
        }
        isOpen={moves.length > 0}
      >
        {moves.length > 0 && <Rows of={moves} columns={columns} caption="Moves" />}
      </Finding>
    </section>
  );
};
