import { CheckedAt } from '../parts/checked-at.tsx';
import { useMeasurements } from '../parts/use-measurements.ts';
import { useUntold } from '../parts/use-untold.ts';
import { BreakingEndpoints } from './status/breaking-endpoints.tsx';
import { Groups } from './status/groups.tsx';
import { Moves, problemOf, useMoves } from './status/moves.tsx';
import { UntoldOrders } from './status/untold-orders.tsx';
import { StatusVerdict } from './status/verdict.tsx';

/** What `operator status` shows, live, with its verdict on top, and what other pages list as broken. */
export const StatusPage = () => {
  const query = useMeasurements();
  const moves = useMoves();
  const stuck = moves.data?.filter((move) => problemOf(move) !== '').length ?? 0;
  const untold = useUntold()?.size ?? 0;
  const checked = <CheckedAt query={query} />;
  return (
    <>
      <h1>Status</h1>
      {query.error && query.data ? (
        <p className="verdict faint">Not known now. {checked}</p>
      ) : (
        query.data &&
        query.data.length > 0 && (
          <StatusVerdict {...{ rows: query.data, untold, checked }} stuckMoves={stuck} />
        )
      )}
      <Groups query={query} />
      <BreakingEndpoints />
      <UntoldOrders />
      <Moves query={moves} />
    </>
  );
};
