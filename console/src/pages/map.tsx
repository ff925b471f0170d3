import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import { Link, useLocation } from 'wouter';
import { boardOf, columns } from '../board/columns.ts';
import { useBoard } from '../board/use-board.ts';
import { titled } from '../parts/environment.ts';
import { groundOf, mapHeight, mapWidth } from '../parts/ground.ts';
import { groundUrl, hasPlaces } from '../parts/map.tsx';
import { Pending } from '../parts/pending.tsx';
import { Text } from '../parts/text.tsx';
import { useMinute } from '../parts/use-minute.ts';
import { useUntold } from '../parts/use-untold.ts';
import { nameOf } from './now/step-window.tsx';

/** The sign of each column of Now, so that a color is not all that tells them apart. */
const signs = { exceptions: '✕', late: '▲', due: '◆', mine: '■', moving: '●', later: '○' } as const;
type Sign = keyof typeof signs;

/** All open orders with coordinates: on a map, and as a list beside it. */
export const MapPage = () => {
  const query = useBoard({});
  const now = useMinute();
  const untold = useUntold();
  const [, go] = useLocation();
  if (!query.data) return <Pending of="Map" query={query} />;
  const board = boardOf(query.data.orders, now, untold);
  const shown = (Object.keys(signs) as Sign[]).flatMap((column) =>
    board[column].filter(hasPlaces).map((order) => ({ column, order })),
  );
  const ground = groundOf(shown.flatMap(({ order }) => [order.pickup, order.dropoff]));
  const open = ({ id }: OpenOrder) => go(`/orders/${id}`);
  return (
    <>
      <title>{`Map – ${titled('Console')}`}</title>
      <h1>Map</h1>
      {shown.length === 0 ? (
        <p className="empty">No open order has coordinates of both places.</p>
      ) : (
        <div className="map-page">
          {/* the list has the same links for keyboards and screen readers */}
          <svg viewBox={`0 0 ${mapWidth} ${mapHeight}`} aria-hidden="true">
            <image href={groundUrl(ground)} width={mapWidth} height={mapHeight} />
            {shown.toReversed().map(({ column, order }) => {
              const [[x, y], [toX, toY]] = [ground.at(order.pickup), ground.at(order.dropoff)];
              return (
                // biome-ignore lint/a11y/noStaticElementInteractions: hidden; the list has links
                <g key={order.id} className={column} onClick={() => open(order)}>
                  <title>{nameOf(order)}</title>
                  <line x1={x} y1={y} x2={toX} y2={toY} />
                  <circle cx={toX} cy={toY} r={2} />
                  <text x={x} y={y}>
                    {signs[column]}
                  </text>
                </g>
              );
            })}
          </svg>
          <ul>
            {shown.map(({ column, order }) => (
              <li key={order.id}>
                <span className={column} title={columns[column]}>
                  {signs[column]}
                </span>{' '}
                <Link href={`/orders/${order.id}`}>{nameOf(order)}</Link>{' '}
                <span className="faint">
                  {columns[column]}: <Text of={`${order.pickup.city} → ${order.dropoff.city}`} />
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
};
