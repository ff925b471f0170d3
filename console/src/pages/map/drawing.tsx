import type { Group, groundOf, Point } from '../../parts/ground.ts';
import { groundUrl, type WithPlaces } from '../../parts/map.tsx';
import type { Positions } from '../../parts/use-positions.ts';
import { nameOf } from '../now/step-window.tsx';
import { isBetween, type Signed, signs } from './signs.ts';

type Marked = Group<Signed<WithPlaces>>;

/** Pixels of a marker: its height, what a finger hits, and a digit of its number. */
const [high, hit, digit] = [20, 44, 7];

/** Degrees of latitude of a kilometer, and the pixels that its circle has at least. */
const [kilometer, circleMin] = [1 / 111.2, 13];

/** The different lines and markers, in whole pixels: names on the ground keep away from them. */
const linesOf = ({ at }: ReturnType<typeof groundOf>, groups: readonly Marked[]) => [
  ...new Set(
    groups.flatMap(({ at: own, rows }) => [
      [...own, ...own].map(Math.round).join(),
      ...rows.map(({ order }) =>
        [...at(order.pickup), ...at(order.dropoff)].map(Math.round).join(),
      ),
    ]),
  ),
];

/** Returns the sign of one order; of several their number, and the sign and number of the worst. */
const wordsOf = (rows: Marked['rows']): string => {
  const [{ sign }] = rows;
  const alike = rows.filter((one) => one.sign === sign).length;
  if (alike < rows.length) return `${rows.length} ${signs[sign]}${alike}`;
  return alike === 1 ? signs[sign] : `${signs[sign]} ${alike}`;
};

/**
 * Orders where they are, on the line from pick-up to drop-off. Those of one place are one marker with
 * their number, and behind it the sign of the worst ones and how many these are. The marker of orders
 * that are between their places is hollow: it is no position. The list has the same for keyboards and
 * screen readers. The ground's address, which servers log, has no position.
 * @param marked id of the order whose line is marked.
 */
export const Drawing = ({
  ground,
  size: [width, height],
  groups,
  chosen,
  marked,
  positions,
  onChoose,
}: {
  ground: ReturnType<typeof groundOf>;
  size: Point;
  groups: readonly Marked[];
  chosen: Marked | undefined;
  marked: string;
  positions: Positions | undefined;
  onChoose: (orderId: string) => void;
}) => (
  <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
    <image
      href={groundUrl(ground, [width, height], linesOf(ground, groups))}
      width={width}
      height={height}
    />
    {groups.toReversed().map(({ rows }) =>
      rows.toReversed().map(({ sign, order }) => {
        const [[x, y], [toX, toY]] = [ground.at(order.pickup), ground.at(order.dropoff)];
        const isMarked = order.id === marked || rows === chosen?.rows;
        return (
          <g key={order.id} className={isMarked ? `${sign} marked` : sign}>
            <line x1={x} y1={y} x2={toX} y2={toY} />
            <circle cx={x} cy={y} r={3} />
            <circle cx={toX} cy={toY} r={3} />
          </g>
        );
      }),
    )}
    {/* the most urgent ones are drawn last, over the others */}
    {groups.toReversed().map(({ at: [x, y], rows }) => {
      const [{ sign, order }] = rows;
      const words = wordsOf(rows);
      const isGuess = rows.every((one) => isBetween(one.order));
      const wide = high + (words.length - 1) * digit;
      return (
        // biome-ignore lint/a11y/noStaticElementInteractions: hidden; the list has links
        <g
          key={order.id}
          className={`marker ${sign}${isGuess ? ' guess' : ''}${rows === chosen?.rows ? ' chosen' : ''}`}
          transform={`translate(${x} ${y})`}
          onClick={() => onChoose(order.id)}
        >
          <title>{rows.map((one) => nameOf(one.order)).join(', ')}</title>
          <rect className="hit" x={-hit / 2} y={-hit / 2} width={hit} height={hit} />
          <rect x={-wide / 2} y={-high / 2} width={wide} height={high} rx={high / 2} />
          <text>{words}</text>
        </g>
      );
    })}
    {groups.flatMap(({ rows }) =>
      rows.map(({ sign, order: { id } }) => {
        const circle = positions?.get(id);
        if (!circle) return null;
        const [x, y] = ground.at(circle);
        const [, north] = ground.at({ ...circle, lat: circle.lat + kilometer });
        const r = Math.max(circleMin, y - north);
        return <circle key={id} className={`position ${sign}`} cx={x} cy={y} r={r} />;
      }),
    )}
  </svg>
);
