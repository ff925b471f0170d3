import { useCall } from '../../calls/use-call.ts';
import { duration } from '../duration.ts';
import type { Schemas } from '../schemas.ts';
import { type Column, Table } from '../table.tsx';
import { t } from '../words.ts';
import type { EndpointParts } from './source.ts';

type Day = Schemas['WebhookEndpointDay'];

/** A page that reads its endpoint again and again reads its metrics so many times more seldom. */
const seldom = 12;

const parts = ['delivered', 'failed', 'pending'] as const;

const countOf = (of: Day): number => of.delivered + of.failed + of.pending;

/** What became of the deliveries of a day, as a bar whose cells beside it say the same. */
const Bar = ({ of, most }: { of: Day; most: number }) => {
  let x = 0;
  return (
    <svg className="week" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      {parts.map((part) => {
        const width = (of[part] / most) * 100;
        const from = x;
        x += width;
        return <rect key={part} className={part} x={from} y={0} width={width} height={8} />;
      })}
    </svg>
  );
};

/** A day without deliveries is an empty row. */
const cell = (part: (typeof parts)[number]) => (of: Day) => countOf(of) > 0 && of[part];

/** Reads the metrics of an endpoint. */
export const useMetrics = (source: EndpointParts['source'], id: string) =>
  useCall(
    ['endpoint', id, 'metrics'],
    () => source.metrics(id),
    source.live && { live: true, everyMs: () => source.live!.everyMs() * seldom },
  );

/** The deliveries of 7 days, by the day on which they were queued. */
export const EndpointMetrics = ({ source, endpoint: { id } }: EndpointParts) => {
  const query = useMetrics(source, id);
  const days = query.data?.days ?? [];
  const most = Math.max(1, ...days.map(countOf));
  const sum = (part: (typeof parts)[number]) => days.reduce((all, of) => all + of[part], 0);
  const columns: readonly Column<Day>[] = [
    ['Day (UTC)', ({ day }) => day],
    ['Deliveries', (of) => <Bar of={of} most={most} />],
    ['Delivered', cell('delivered'), 'named'],
    ['Failed', cell('failed'), 'named'],
    ['Pending', cell('pending'), 'named'],
    [
      '95 % of attempts within',
      ({ p95_ms: p95 }) => (p95 == null ? '' : duration(p95 / 1000)),
      'named',
    ],
  ];
  return (
    <section aria-label={t('The last 7 days')}>
      <h2>{t('The last 7 days')}</h2>
      {days.filter(countOf).length > 1 && (
        <p>
          {t('{delivered} delivered, {failed} failed, {pending} pending.', {
            delivered: sum('delivered'),
            failed: sum('failed'),
            pending: sum('pending'),
          })}
        </p>
      )}
      <Table
        query={query}
        rows={(found) => found.days.toReversed()}
        id={({ day }) => day}
        columns={columns}
        caption="The last 7 days"
        empty={t('Nothing was sent yet.')}
      />
    </section>
  );
};
