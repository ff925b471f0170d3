import type { verifyChain } from '@pto/custody-verifier';
import { titleOfType } from '@pto/custody-verifier/entry-title';
import { incidentEntries } from '@pto/proto/order-commands';
import { Boundary } from './boundary.tsx';
import { Evidence } from './evidence/evidence.tsx';
import type { ShownEntry, ShownOrder } from './order/source.ts';
import { PlaceAndExactTime } from './place-time.tsx';
import { Text } from './text.tsx';
import { rich, t } from './words.ts';

/** Fields that the drawing of a handover shows. */
const drawn: readonly string[] = ['from_person', 'to_person'];

/** What the recomputation of a chain in this browser said. */
export const Verdict = ({ of, count }: { of: ReturnType<typeof verifyChain>; count: number }) =>
  count === 0 ? (
    <p className="faint">{t('The ledger has no entry of this order.')}</p>
  ) : of.valid ? (
    <p className="verdict good">
      {count === 1
        ? t('Recomputed in this browser: 1 entry fits together.')
        : t('Recomputed in this browser: {count} entries fit together.', { count })}
    </p>
  ) : (
    <p className="verdict bad" role="alert">
      {t('Entry {number} does not fit: {reason}.', { number: of.index + 1, reason: of.reason })}
    </p>
  );

/** The entries of a chain, with the clock of the pick-up, and from the delivery on of the drop-off; their hashes and payloads fold out. @param brokenAt index of the first that does not fit. */
export const Entries = ({
  of,
  order: { pickup_location, dropoff_location },
  brokenAt = Number.POSITIVE_INFINITY,
}: {
  of: readonly ShownEntry[];
  order: ShownOrder['order'];
  brokenAt?: number | undefined;
}) => {
  const delivered = of.findIndex((one) => one.internal_type === 'CUSTODY_TRANSFERRED');
  /** Empty: unknown, as of a time that is none in a tampered chain. */
  const countryAt = (index: number) =>
    Number.isNaN(Date.parse(of[index]!.ts_utc))
      ? ''
      : ((delivered >= 0 && index >= delivered ? dropoff_location : pickup_location)?.country ??
        '');
  return (
    <ol className="chain">
      {of.map(({ internal_type, event_hash, disclosed = {}, ...entry }, index) => (
        <li
          key={entry.id}
          id={`entry-${index + 1}`}
          className={`${index < brokenAt ? 'fits' : 'broken'} ${incidentEntries.has(internal_type) ? 'warns' : ''}`}
        >
          <div className="line">
            <span className="faint">{index + 1}</span>
            <strong>
              {t(
                titleOfType(internal_type) ?? entry.type.replace('order.', '').replaceAll('_', ' '),
              )}
            </strong>
            <span className="times">
              <PlaceAndExactTime from={entry.ts_utc} country={countryAt(index)} />
              {entry.operator !== undefined && (
                <> {rich('by {name}', { name: <Text of={entry.operator} /> })}</>
              )}
            </span>
          </div>
          <Boundary
            instead={<p className="out">{t('The payload lacks what an entry of its type has.')}</p>}
          >
            <Evidence
              internalType={internal_type}
              payload={entry.payload}
              disclosed={disclosed}
              country={countryAt(index)}
            />
          </Boundary>
          {Object.entries(disclosed)
            .filter(([field]) => !drawn.includes(field))
            .map(([field, { value }]) => (
              <p key={field} className="disclosed">
                {field !== 'note' && `${t(field.replaceAll('_', ' '))}: `}
                <Said of={value} isQuoted={field === 'note'} />
              </p>
            ))}
          <details>
            <summary>{t('Details')}</summary>
            <p className="long">
              {internal_type}, {t('hash')} <code>{event_hash}</code>
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
};

/** A disclosed value; a note in quotation marks. */
const Said = ({ of, isQuoted }: { of: unknown; isQuoted: boolean }) => {
  const text = <Text of={typeof of === 'string' ? of : JSON.stringify(of)} />;
  return isQuoted ? <q>{text}</q> : text;
};
