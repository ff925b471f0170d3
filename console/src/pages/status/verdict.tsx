import { Link } from 'wouter';
import type { MeasuredRow } from '../../parts/use-measurements.ts';

/** The page that shows what a measurement counts; undefined: none. */
const pageOf = (name: string): readonly [path: string, words: string] | undefined => {
  if (name === 'bus_dead_letters' || name === 'bus_rejected_messages')
    return ['/dead-letters', 'Dead letters'];
  return name.startsWith('custody_') ? ['/ledger', 'Ledger'] : undefined;
};

/** Whether something needs attention, by the rule of the exit code of `operator status`. */
export const StatusVerdict = ({ rows }: { rows: readonly MeasuredRow[] }) => {
  const attended = rows.filter(({ runbook }) => runbook !== undefined);
  const breaking = rows.find(({ name }) => name === 'webhook_breaking_endpoints')?.number ?? 0;
  if (attended.length === 0)
    return (
      <p className="verdict good" role="status">
        Everything works.
        {breaking > 0 &&
          ` ${breaking === 1 ? "A partner's endpoint becomes" : `${breaking} endpoints of partners become`} broken.`}
      </p>
    );
  return (
    <div className="verdict bad" role="alert">
      <strong>
        {attended.length === 1 ? '1 thing needs' : `${attended.length} things need`} attention:
      </strong>
      <ul>
        {attended.map(({ id, process, name, what, value, runbook }) => {
          const page = pageOf(name);
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
    </div>
  );
};
