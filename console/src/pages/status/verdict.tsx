import { Link } from 'wouter';
import { measuredOf } from '../../parts/measured.ts';
import type { MeasuredRow } from '../../parts/use-measurements.ts';

/** A sentence if there is one or more of something. */
const noted = (count: number, one: string, several: string): string =>
  count === 0 ? '' : ` ${count === 1 ? one : `${count} ${several}`}.`;

/**
 * Whether something needs attention, by the rule of the exit code of `operator status`.
 * @param untold number of orders that an endpoint was not told of.
 * @param stuckMoves number of moves that fail or hold changes.
 */
export const StatusVerdict = ({
  rows,
  untold,
  stuckMoves,
}: {
  rows: readonly MeasuredRow[];
  untold: number;
  stuckMoves: number;
}) => {
  const attended = rows.filter(({ runbook }) => runbook !== undefined);
  const breaking = rows.find(({ name }) => name === 'webhook_breaking_endpoints')?.number ?? 0;
  const notes = [
    noted(breaking, "A partner's endpoint becomes broken", 'endpoints of partners become broken'),
    noted(untold, 'An endpoint was not told of an order', 'orders are unknown to an endpoint'),
    noted(stuckMoves, "An organization's move is stuck", 'moves of organizations are stuck'),
  ].join('');
  if (attended.length === 0)
    return (
      <p className="verdict good" role="status">
        Everything works.{notes}
      </p>
    );
  return (
    <div className="verdict bad" role="alert">
      <strong>
        {attended.length === 1 ? '1 thing needs' : `${attended.length} things need`} attention:
      </strong>
      <ul>
        {attended.map(({ id, process, name, what, value, runbook }) => {
          const { page } = measuredOf(name);
          return (
            <li key={id}>
              {process}: {value === '' ? what.toLowerCase() : `${what}, ${value}`}.{' '}
              {page && (
                <>
                  See <Link href={page[0]}>{page[1]}</Link>.{' '}
                </>
              )}
              Runbook: <code>docs/operators/runbooks/{runbook}.md</code>
            </li>
          );
        })}
      </ul>
      {notes}
    </div>
  );
};
