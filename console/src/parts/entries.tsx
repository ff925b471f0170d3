import type { verifyChain } from '@pto/custody-verifier';
import { titleOfType } from '@pto/custody-verifier/entry-title';
import { Boundary } from './boundary.tsx';
import { Evidence } from './evidence/evidence.tsx';
import type { ShownEntry } from './order/source.ts';
import { Text } from './text.tsx';
import { ExactTime } from './time.tsx';

/** Fields that the drawing of a handover shows. */
const drawn: readonly string[] = ['from_person', 'to_person'];

/** What the recomputation of a chain in this browser said. */
export const Verdict = ({ of, count }: { of: ReturnType<typeof verifyChain>; count: number }) =>
  count === 0 ? (
    <p className="faint">The ledger has no entry of this order.</p>
  ) : of.valid ? (
    <p className="verdict good">
      Recomputed in this browser: {count} {count === 1 ? 'entry fits' : 'entries fit'} together.
    </p>
  ) : (
    <p className="verdict bad" role="alert">
      Entry {of.index + 1} does not fit: {of.reason}.
    </p>
  );

/** The entries of a chain; their hashes and payloads fold out. @param brokenAt index of the first that does not fit. */
export const Entries = ({
  of,
  brokenAt = Number.POSITIVE_INFINITY,
}: {
  of: readonly ShownEntry[];
  brokenAt?: number | undefined;
}) => (
  <ol className="chain">
    {of.map(({ internal_type, event_hash, disclosed = {}, ...entry }, index) => (
      <li key={entry.id} className={index < brokenAt ? 'fits' : 'broken'}>
        <div className="line">
          <strong>
            {titleOfType(internal_type) ?? entry.type.replace('order.', '').replaceAll('_', ' ')}
          </strong>
          <ExactTime at={entry.ts_utc} />
          {entry.operator !== undefined && (
            <span>
              by <Text of={entry.operator} />
            </span>
          )}
        </div>
        <Boundary instead={<p className="out">The payload lacks what an entry of its type has.</p>}>
          <Evidence internalType={internal_type} payload={entry.payload} disclosed={disclosed} />
        </Boundary>
        {Object.entries(disclosed)
          .filter(([field]) => !drawn.includes(field))
          .map(([field, { value }]) => (
            <p key={field} className="disclosed">
              {field.replaceAll('_', ' ')}:{' '}
              <Text of={typeof value === 'string' ? value : JSON.stringify(value)} />
            </p>
          ))}
        <details>
          <summary>Details</summary>
          <p className="long">
            {internal_type}, hash <code>{event_hash}</code>
          </p>
          {(entry.payload ?? null) !== null && (
            <pre>
              <Text of={JSON.stringify(entry.payload, null, 2)} />
            </pre>
          )}
        </details>
      </li>
    ))}
  </ol>
);
