import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import {
  columns,
  dueOf,
  exceptionsOf,
  isEscalated,
  isUnderWay,
  type Untold,
} from '../../board/columns.ts';
import { Badge } from '../../parts/badge.tsx';
import { LinkedText } from '../../parts/linked-text.tsx';
import { hasPlaces } from '../../parts/map.tsx';
import { Countdown } from '../../parts/place-time.tsx';
import { Text } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { hasDriverUnderWay, type Positions } from '../../parts/use-positions.ts';
import { nameOf } from '../now/step-window.tsx';
import { type Sign, type Signed, signs } from './signs.ts';

const reasonsOf = (order: OpenOrder, untold: Untold | undefined): string =>
  [...(isEscalated(order) ? ['escalated'] : []), ...exceptionsOf(order, untold)].join('; ');

/** Orders with their state and how late they are: what the map shows, for every reader. */
export const OrderRows = ({
  of,
  untold,
  positions,
  onMark,
}: {
  of: readonly Signed[];
  untold: Untold | undefined;
  positions: Positions | undefined;
  /** Gets the id of the order that is pointed at or has the focus. */
  onMark: (orderId: string) => void;
}) =>
  (Object.keys(signs) as Sign[])
    .map((sign) => [sign, of.filter((one) => one.sign === sign)] as const)
    .filter(([, rows]) => rows.length > 0)
    .map(([sign, rows]) => (
      <section key={sign} aria-label={columns[sign]} className="order-rows">
        <h2 className={sign}>
          <span aria-hidden="true">{signs[sign]}</span> {columns[sign]}
        </h2>
        <ul className="plain">
          {rows.map(({ order }) => (
            <li
              key={order.id}
              onMouseEnter={() => onMark(order.id)}
              onMouseLeave={() => onMark('')}
              onFocus={() => onMark(order.id)}
              onBlur={() => onMark('')}
            >
              <LinkedText of={nameOf(order)} at={`/orders/${order.id}`} className="order" />
              <span>
                {isUnderWay(order) ? <Badge of={order.status} /> : <Countdown at={dueOf(order)} />}
              </span>
              <span className="faint">
                <Text of={`${order.pickup?.city ?? '?'} → ${order.dropoff?.city ?? '?'}`} />
                {!hasPlaces(order) && ', not on the map'}
                {positions && hasDriverUnderWay(order) && (
                  <>
                    , position{' '}
                    {positions.has(order.id) ? (
                      <Time at={positions.get(order.id)!.at} />
                    ) : (
                      'unknown'
                    )}
                  </>
                )}
              </span>
              {reasonsOf(order, untold) && (
                <span className="wrong">
                  <Text of={reasonsOf(order, untold)} />
                </span>
              )}
            </li>
          ))}
        </ul>
      </section>
    ));
