import type { Group, groundOf, Point } from '../../parts/ground.ts';
import { groundUrl, type WithPlaces } from '../../parts/map.tsx';
import { nameOf } from '../now/step-window.tsx';
import { type Signed, signs } from './signs.ts';

type Marked = Group<Signed<WithPlaces>>;

/** Pixels of a marker: its height, what a finger hits, and a digit of its number. */
const [high, hit, digit] = [20, 44, 7];

/**
 * Orders at their pick-ups with a line to the drop-off. Those of one place are one marker in the color
 * of the most urgent ones, with their number: `▲ 2/18` says that 2 of 18 are late. The list has the same for keyboards and screen readers.
 */
export const Drawing = ({
  ground,
  size: [width, height],
  groups,
  chosen,
  onChoose,
}: {
  ground: ReturnType<typeof groundOf>;
  size: Point;
  groups: readonly Marked[];
  chosen: Marked | undefined;
  onChoose: (orderId: string) => void;
}) => (
  <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
    <image href={groundUrl(ground, [width, height])} width={width} height={height} />
    {groups.toReversed().map(({ at: [x, y], rows }) =>
      rows.toReversed().map(({ sign, order }) => {
        const [toX, toY] = ground.at(order.dropoff);
        return (
          <g key={order.id} className={sign}>
            <line x1={x} y1={y} x2={toX} y2={toY} />
            <circle cx={toX} cy={toY} r={3} />
          </g>
        );
      }),
    )}
    {/* the most urgent ones are drawn last, over the others */}
    {groups.toReversed().map(({ at: [x, y], rows }) => {
      const [{ sign, order }] = rows;
      const alike = rows.filter((one) => one.sign === sign).length;
      const count = alike === rows.length ? alike : `${alike}/${rows.length}`;
      const words = `${signs[sign]}${rows.length === 1 ? '' : ` ${count}`}`;
      const wide = high + (words.length - 1) * digit;
      return (
        // biome-ignore lint/a11y/noStaticElementInteractions: hidden; the list has links
        <g
          key={order.id}
          className={`marker ${sign}${rows === chosen?.rows ? ' chosen' : ''}`}
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
  </svg>
);
