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

/** What became of the deliveries of a day, as a bar whose cells beside it say the same. */
const Bar = ({ of, most, isToday }: { of: Day; most: number; isToday: boolean }) => {
  let x = 0;
  const isNone = !isToday && parts.every((part) => of[part] === 0);
  return (
    <svg
      className={isNone ? 'day none' : 'day'}
      viewBox="0 0 100 8"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {parts.map((part) => {
        const width = (of[part] / most) * 100;
        const from = x;
        x += width;
        return <rect key={part} className={part} x={from} y={0} width={width} height={8} />;
      })}
    </svg>
  );
};

/** The deliveries of 7 days, by the day on which they were queued. */
export const EndpointMetrics = ({ source, endpoint: { id } }: EndpointParts) => {
  const query = useCall(
    ['endpoint', id, 'metrics'],
    () => source.metrics(id),
    source.live && { live: true, everyMs: () => source.live!.everyMs() * seldom },
  );
  const days = query.data?.days ?? [];
  const most = Math.max(1, ...days.map((of) => of.delivered + of.failed + of.pending));
  const columns: readonly Column<Day>[] = [
    ['Day (UTC)', ({ day }) => day],
    ['Deliveries', (of) => <Bar of={of} most={most} isToday={of === days.at(-1)} />],
    ['Delivered', ({ delivered }) => delivered],
    ['Failed', ({ failed }) => failed],
    ['Pending', ({ pending }) => pending],
    ['95 % of attempts within', ({ p95_ms: p95 }) => (p95 == null ? '' : duration(p95 / 1000))],
  ];
  return (
    <section aria-label={t('The last 7 days')}>
      <h2>{t('The last 7 days')}</h2>
      <Table
        query={query}
        rows={(found) => found.days.toReversed()}
        id={({ day }) => day}
        columns={columns}
        caption="The last 7 days"
        empty=""
      />
    </section>
  );
};
