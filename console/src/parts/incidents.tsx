import type { ExcursionPayload, SealMismatchPayload } from '@pto/proto/payloads';
import { wordOf } from './badge.tsx';
import { rangeOf } from './evidence/condition.tsx';
import { differenceOf } from './evidence/handover.tsx';
import type { ShownEntry } from './order/source.ts';
import { QuietButton } from './quiet-button.tsx';
import type { Schemas } from './schemas.ts';
import { Text } from './text.tsx';
import { Time } from './time.tsx';
import { rich, t } from './words.ts';

type Open = Pick<NonNullable<Schemas['Order']['open_incidents']>[number], 'entry' | 'kind'> & {
  readonly severity: string;
};

/** Returns what an incident concerns, in words. */
export const concernOf = ({ kind }: Pick<Open, 'kind'>): string =>
  wordOf(kind === 'other' ? 'incident' : kind);

/** How many incidents of an order were reported, if none of them is open. */
export const ResolvedIncidents = ({ of, open = [] }: Incidents) => {
  const count = of.filter(({ type }) => type === 'order.incident_reported').length;
  if (count === 0 || open.length > 0) return null;
  return (
    <span className="badge">
      {count === 1 ? t('1 incident, resolved') : t('{count} incidents, all resolved', { count })}
    </span>
  );
};

/**
 * Each open incident in a sentence.
 * @param isLinked whether the page has the entries.
 * @param onResolve resolves one of them.
 */
export const OpenIncidents = ({
  of,
  open = [],
  isLinked = true,
  onResolve,
}: Incidents & {
  isLinked?: boolean;
  onResolve?: ((incident: Open) => void) | undefined;
}) => (
  <section aria-label={t('Open incidents')} className="incidents" hidden={open.length === 0}>
    {open.map(({ entry, kind, severity }) => (
      <div key={entry}>
        <p>
          <strong>
            {t('Open')}: {concernOf({ kind })}
          </strong>
          , {wordOf(severity)}
          <Reported of={of[entry - 1]} />
          {isLinked && (
            <>
              {' '}
              <a href={`#entry-${entry}`}>
                {t('entry')} {entry}
              </a>
            </>
          )}
        </p>
        {onResolve && (
          <QuietButton
            className="small"
            aria-label={`${t('Resolve')}: ${concernOf({ kind })}`}
            onClick={() => onResolve({ entry, kind, severity })}
          >
            {t('Resolve')}
          </QuietButton>
        )}
      </div>
    ))}
  </section>
);

interface Incidents {
  /** The entries of the order's chain, as far as they are read. */
  readonly of: readonly ShownEntry[];
  readonly open?: readonly Open[] | undefined;
}

/** What the system itself has found, as the end of a sentence: seals or temperatures. */
const measuredOf = (type: string, payload: ShownEntry['payload']): string => {
  const seals = payload as SealMismatchPayload | null;
  if (type === 'SEAL_MISMATCH' && seals?.missing_seal_ids) return `: ${differenceOf(seals)}`;
  const excursion = payload as ExcursionPayload | null;
  if (type === 'TEMPERATURE_EXCURSION' && excursion?.unit)
    return `: ${rangeOf(excursion, excursion.unit)}`;
  return '';
};

/** When and by whom an incident was reported, what happened, and what is requested of whom. */
const Reported = ({ of: entry }: { of: ShownEntry | undefined }) => {
  if (!entry) return null;
  const { ts_utc, operator, internal_type, payload, disclosed = {} } = entry;
  const said = (field: string) => disclosed[field]?.value?.toString();
  const [note, asks, askedBy] = [said('note'), said('asks'), said('asked_by')];
  const time = <Time at={ts_utc} />;
  return (
    <>
      ,{' '}
      {operator === undefined
        ? rich('reported {time}', { time })
        : rich('reported {time} by {name}', { time, name: <Text of={operator} /> })}
      {measuredOf(internal_type, payload)}
      {note && (
        <>
          :{' '}
          <q>
            <Text of={note} />
          </q>
        </>
      )}
      {asks && (
        <>
          {'. '}
          {rich(askedBy ? '{name} asks: {text}' : 'Requested: {text}', {
            name: <Text of={askedBy ?? ''} />,
            text: (
              <q>
                <Text of={asks} />
              </q>
            ),
          })}
        </>
      )}
    </>
  );
};
