import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { counted } from '../../parts/counted.ts';
import { measuredOf } from '../../parts/measured.ts';
import type { MeasuredRow } from '../../parts/use-measurements.ts';

/** A sentence if there is one or more of something. */
const noted = (count: number, one: string, several: string): string =>
  count === 0 ? '' : ` ${count === 1 ? one : `${count} ${several}`}.`;

/**
 * Whether something needs attention, by the rule of the exit code of `operator status`.
 * @param untold number of orders that an endpoint was not told of.
 * @param stuckMoves number of moves that fail or hold changes.
 * @param checked when the measurements were read.
 */
export const StatusVerdict = ({
  rows,
  untold,
  stuckMoves,
  checked,
}: {
  rows: readonly MeasuredRow[];
  untold: number;
  stuckMoves: number;
  checked: ReactNode;
}) => {
  const attended = rows.filter(({ runbook }) => runbook !== undefined);
  const breaking = rows.find(({ name }) => name === 'webhook_breaking_endpoints')?.number ?? 0;
  const notes = [
    noted(breaking, "A partner's endpoint fails", 'endpoints of partners fail'),
    noted(untold, 'An endpoint was not told of an order', 'orders are unknown to an endpoint'),
    noted(stuckMoves, "An organization's move is stuck", 'moves of organizations are stuck'),
  ].join('');
  if (attended.length === 0)
    return (
      <p className={`verdict ${notes === '' ? 'good' : 'warns'}`} role="status">
        {notes === '' ? 'Everything works.' : `The services work.${notes}`} {checked}
      </p>
    );
  return (
    <div className="verdict bad" role="alert">
      <strong>{counted(attended.length, 'thing needs', 'things need')} attention:</strong> {checked}
      <ul>
        {attended.map(({ id, process, name, what, of, value, runbook }) => {
          const { page } = measuredOf(name);
          return (
            <li key={id}>
              {name === '' ? `${process} ${what.toLowerCase()}` : `${what}: ${value}`}.{' '}
              {page && (
                <>
                  See <Link href={page[0]}>{page[1]}</Link>.{' '}
                </>
              )}
              <span className="source">
                {name !== '' && `At ${[process, of].filter(Boolean).join(', ')}. `}
                Runbook: <code>docs/operators/runbooks/{runbook}.md</code>
              </span>
            </li>
          );
        })}
      </ul>
      {notes}
    </div>
  );
};
