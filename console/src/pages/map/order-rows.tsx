import { Link } from 'wouter';
import { columns, dueOf, exceptionsOf, isUnderWay, type Untold } from '../../board/columns.ts';
import { Badge } from '../../parts/badge.tsx';
import { hasPlaces } from '../../parts/map.tsx';
import { Countdown } from '../../parts/place-time.tsx';
import { Text } from '../../parts/text.tsx';
import { nameOf } from '../now/step-window.tsx';
import { type Sign, type Signed, signs } from './signs.ts';

/** Orders with their state and how late they are: what the map shows, for every reader. */
export const OrderRows = ({ of, untold }: { of: readonly Signed[]; untold: Untold | undefined }) =>
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
            <li key={order.id}>
              <Link href={`/orders/${order.id}`} className="order">
                {nameOf(order)}
              </Link>
              <span>
                {isUnderWay(order) ? <Badge of={order.status} /> : <Countdown at={dueOf(order)} />}
              </span>
              <span className="faint">
                <Text of={`${order.pickup?.city ?? '?'} → ${order.dropoff?.city ?? '?'}`} />
                {!hasPlaces(order) && ', not on the map'}
              </span>
              {sign === 'exceptions' && (
                <span className="wrong">
                  <Text of={exceptionsOf(order, untold).join('; ')} />
                </span>
              )}
            </li>
          ))}
        </ul>
      </section>
    ));
