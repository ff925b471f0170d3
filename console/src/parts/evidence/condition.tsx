import type { ExcursionPayload, ReadCondition } from '@pto/proto/payloads';
import { duration } from '../duration.ts';
import { PlaceAndExactTime } from '../place-time.tsx';
import { visibleText } from '../visible-text.ts';
import { number, t } from '../words.ts';
import { celsius } from './celsius.ts';
import { EvidenceFile } from './file.tsx';

const [width, height, top, bar] = [320, 44, 8, 14];

/** A condition, or the excursions of one with fewer members. */
export type ShownCondition = Omit<ExcursionPayload, 'v' | 'readings_sha256'> &
  Partial<ReadCondition>;

/**
 * Temperatures of a file of readings: the range drawn against the order's limits, and in words. Since
 * decision 78 the limits judge the readings within the custody alone.
 */
export const Condition = ({ of, country }: { of: ShownCondition; country: string }) => {
  const { custody } = of;
  const judged = custody ? custody.covered : of;
  const isWhole = custody?.covered?.from === of.from && custody.covered.to === of.to;
  const inFile = `${rangeOf(of, of.unit)}${of.mean === undefined ? '' : `, ${t('{value} °C on average', { value: decimal(of.mean, of.unit) })}`}`;
  return (
    <div className="evidence">
      {/* the excursions of a file are drawn with its entry */}
      {judged && of.count !== undefined && <Range of={of} judged={judged} />}
      <p className={of.excursion_count > 0 ? 'out' : judged ? 'within' : 'faint'}>
        {judged
          ? `${custody ? judgedRange(of, judged) : inFile}${verdictOn(of)}`
          : t('No reading lies within the custody')}
      </p>
      <p>
        <PlaceAndExactTime from={of.from} to={of.to} country={country} />
        <span className="faint">
          {custody && `, ${inFile}`}
          {of.count !== undefined && `, ${t('{count} readings', { count: of.count })}`}
          {of.device_id !== undefined &&
            ` ${t('of {device}', { device: visibleText(of.device_id) })}`}
          {of.calibration_expired === true && `, ${t('whose calibration had expired')}`}
        </span>
      </p>
      {custody && !isWhole && <Custody of={custody} country={country} />}
      {of.readings && <EvidenceFile of={of.readings} name="readings" />}
    </div>
  );
};

const decimal = (value: number, unit: string): string => number(celsius(value, unit));

type Extremes = Pick<ExcursionPayload, 'minimum' | 'maximum'>;

/** Returns the extremes in words. */
export const rangeOf = ({ minimum, maximum }: Extremes, unit: ExcursionPayload['unit']): string =>
  `${decimal(minimum, unit)} ${t('to')} ${decimal(maximum, unit)} °C`;

/** The range that the limits judge, which since decision 78 is that of the custody. */
const judgedRange = ({ custody, unit }: ShownCondition, judged: Extremes): string => {
  const range = rangeOf(judged, unit);
  return custody ? t('{range} in custody', { range }) : range;
};

const verdictOn = (of: ShownCondition): string => {
  if (of.excursion_count > 0)
    return `: ${t('outside of the limits {times}, {duration} in all', { times: times(of.excursion_count), duration: duration(of.excursion_seconds) })}`;
  return of.limit_min === null && of.limit_max === null ? '' : `: ${t('within the limits')}`;
};

/** The part of the custody that readings cover, and excursions outside of it, which are none. */
const Custody = ({
  of: { covered, outside },
  country,
}: {
  of: NonNullable<ShownCondition['custody']>;
  country: string;
}) => (
  <>
    {covered && (
      <p>
        {t('In custody')}{' '}
        <PlaceAndExactTime from={covered.from} to={covered.to} country={country} />
        <span className="faint">, {t('{count} readings', { count: covered.count })}</span>
      </p>
    )}
    {outside.excursion_count > 0 && (
      <p className="faint">
        {t(
          'Before or after the custody outside of the limits {times}, {duration} in all, which is no incident',
          {
            times: times(outside.excursion_count),
            duration: duration(outside.excursion_seconds),
          },
        )}
      </p>
    )}
  </>
);

const times = (count: number): string => (count === 1 ? t('once') : t('{count} times', { count }));

/** A bar from the lowest to the highest value over the permitted band; what is outside is marked. */
const Range = ({ of, judged }: { of: ShownCondition; judged: Extremes }) => {
  const { unit, limit_min: min, limit_max: max } = of;
  const minimum = celsius(judged.minimum, unit);
  const maximum = celsius(judged.maximum, unit);
  const known = [minimum, maximum, min, max].filter((value) => value !== null);
  const pad = Math.max(1, (Math.max(...known) - Math.min(...known)) * 0.1);
  const [low, high] = [Math.min(...known) - pad, Math.max(...known) + pad];
  const x = (value: number) => ((value - low) / (high - low)) * width;
  const [bandFrom, bandTo] = [min === null ? 0 : x(min), max === null ? width : x(max)];
  const [from, to] = [x(minimum), Math.max(x(maximum), x(minimum) + 3)];
  const sides = [[from, Math.min(to, bandFrom)] as const, [Math.max(from, bandTo), to] as const];
  const outside = sides.filter(([begin, end]) => begin < end);
  const limits = [min, max].filter((value) => value !== null);
  return (
    <svg
      className="range"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={t('{range}; permitted {min} to {max} °C', {
        range: judgedRange(of, judged),
        min: min ?? '…',
        max: max ?? '…',
      })}
    >
      <rect className="band" x={bandFrom} y={0} width={bandTo - bandFrom} height={top * 2 + bar} />
      <rect className="measured" x={from} y={top} width={to - from} height={bar} rx={3} />
      {outside.map(([begin, end]) => (
        <rect className="outside" key={begin} x={begin} y={top} width={end - begin} height={bar} />
      ))}
      {limits.map((limit) => (
        <g key={limit}>
          <line className="limit" x1={x(limit)} x2={x(limit)} y1={0} y2={top * 2 + bar} />
          <text x={x(limit)} y={height - 2} textAnchor="middle">
            {number(limit)} °C
          </text>
        </g>
      ))}
    </svg>
  );
};
