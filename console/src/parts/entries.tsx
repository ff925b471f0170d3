import type { verifyChain } from '@pto/custody-verifier';
import { titleOfType } from '@pto/custody-verifier/entry-title';
import { Boundary } from './boundary.tsx';
import { Evidence } from './evidence/evidence.tsx';
import { Text } from './text.tsx';
import { ExactTime } from './time.tsx';

/** An entry of a custody chain. */
export interface ShownEntry {
  readonly id: string;
  readonly type: string;
  readonly internalType: string;
  readonly at: string;
  readonly hash: string;
  /** Names and values of personal fields, of which the payload has commitments alone. */
  readonly disclosed: readonly (readonly [field: string, value: unknown])[];
  readonly payload: unknown;
  /** Name of the operator whose command made the entry; undefined: none, or unknown. */
  readonly operator?: string | undefined;
}

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

/** The entries of a chain, with their hashes. @param brokenAt index of the first that does not fit. */
export const Entries = ({
  of,
  brokenAt = Number.POSITIVE_INFINITY,
}: {
  of: readonly ShownEntry[];
  brokenAt?: number | undefined;
}) => (
  <ol className="chain">
    {of.map(({ id, type, internalType, at, hash, disclosed, payload, operator }, index) => (
      <li key={id} className={index < brokenAt ? 'fits' : 'broken'}>
        <div className="line">
          <strong>
            {titleOfType(internalType) ?? type.replace('order.', '').replaceAll('_', ' ')}
          </strong>
          <span className="faint">{internalType}</span>
          <ExactTime at={at} />
          {operator !== undefined && (
            <span>
              by <Text of={operator} />
            </span>
          )}
        </div>
        <Boundary instead={<p className="out">The payload lacks what an entry of its type has.</p>}>
          <Evidence internalType={internalType} payload={payload} disclosed={disclosed} />
        </Boundary>
        <code className="hash" title={hash}>
          {hash.slice(0, 16)}…
        </code>
        {disclosed
          .filter(([field]) => !drawn.includes(field))
          .map(([field, value]) => (
            <p key={field} className="disclosed">
              {field.replaceAll('_', ' ')}:{' '}
              <Text of={typeof value === 'string' ? value : JSON.stringify(value)} />
            </p>
          ))}
        {payload !== null && (
          <details>
            <summary>Payload</summary>
            <pre>
              <Text of={JSON.stringify(payload, null, 2)} />
            </pre>
          </details>
        )}
      </li>
    ))}
  </ol>
);
