import { useEffect, useRef, useState } from 'react';
import { boardOf, columns } from '../board/columns.ts';
import { useBoard } from '../board/use-board.ts';
import { counted } from '../parts/counted.ts';
import { titled } from '../parts/environment.ts';
import { groundOf, groupsOf } from '../parts/ground.ts';
import { hasPlaces, type WithPlaces } from '../parts/map.tsx';
import { Pending } from '../parts/pending.tsx';
import { QuietButton } from '../parts/quiet-button.tsx';
import { Text } from '../parts/text.tsx';
import { useAddress } from '../parts/use-address.ts';
import { useMinute } from '../parts/use-minute.ts';
import { usePositions } from '../parts/use-positions.ts';
import { useUntold } from '../parts/use-untold.ts';
import { Drawing } from './map/drawing.tsx';
import { OrderRows } from './map/order-rows.tsx';
import { isBetween, placeOf, pointOf, type Sign, type Signed, signs } from './map/signs.ts';

/** Pixels of the map, on a narrow screen as many as it has, and between two markers. */
const [narrow, wide, apart] = [[360, 400] as const, [800, 480] as const, 28];

/** All open orders: on a map where they are, and as a list beside it, the worst first. */
export const MapPage = () => {
  const query = useBoard({});
  const now = useMinute();
  const untold = useUntold();
  const positions = usePositions(query.data?.orders ?? []);
  const address = useAddress();
  const heading = useRef<HTMLParagraphElement>(null);
  const at = address.get('at');
  const [marked, setMarked] = useState('');
  useEffect(() => {
    if (at) heading.current?.scrollIntoView({ block: 'center' });
  }, [at]);
  if (!query.data) return <Pending of="Map" query={query} />;
  const board = boardOf(query.data.orders, now, untold);
  const all = (Object.keys(signs) as Sign[]).flatMap((sign) =>
    board[sign].map((order): Signed => ({ sign, order })),
  );
  const shown = all.filter((one): one is Signed<WithPlaces> => hasPlaces(one.order));
  const size = matchMedia('(max-width: 40rem)').matches ? narrow : wide;
  const ground = groundOf(
    shown.flatMap(({ order }) => [order.pickup, order.dropoff]),
    size,
  );
  const groups = groupsOf(shown, ({ order }) => pointOf(order, ground), apart);
  const chosen = groups.find(({ rows }) => rows.some(({ order }) => order.id === at));
  return (
    <>
      <title>{`Map – ${titled('Console')}`}</title>
      <h1>Map</h1>
      <p>
        {shown.length === 0
          ? 'No open order has coordinates of both places.'
          : `${counted(shown.length, 'open order is', 'open orders are')} shown, ${shown.filter(({ sign }) => sign === 'late').length} of them late.`}
        {all.length > shown.length &&
          ` ${counted(all.length - shown.length, 'more has', 'more have')} no place on it.`}
        {query.data.hasMore && ' More orders are open than are read.'}
      </p>
      {all.length > 0 && (
        <div className="map-page">
          {shown.length > 0 && (
            <div>
              <ul className="legend">
                {(Object.keys(signs) as Sign[])
                  .filter((sign) => shown.some((one) => one.sign === sign))
                  .map((sign) => (
                    <li key={sign}>
                      <span className={sign} aria-hidden="true">
                        {signs[sign]}
                      </span>{' '}
                      {columns[sign]} {shown.filter((one) => one.sign === sign).length}
                    </li>
                  ))}
                {shown.some(({ order }) => isBetween(order)) && (
                  <li>dashed: on the way, drawn halfway</li>
                )}
                {shown.some(({ order }) => positions?.has(order.id)) && (
                  <li>
                    <span aria-hidden="true">◌</span> a driver, within 1 km of the middle
                  </li>
                )}
              </ul>
              <Drawing
                {...{ ground, size, groups, chosen, marked, positions }}
                onChoose={(id) => address.set({ at: id })}
              />
            </div>
          )}
          <section aria-label="Orders">
            {chosen && (
              <p ref={heading}>
                <strong>
                  {counted(chosen.rows.length, 'order')} <Text of={placeOf(chosen.rows[0].order)} />
                </strong>{' '}
                <QuietButton className="small" onClick={() => address.set({ at: '' })}>
                  Show all
                </QuietButton>
              </p>
            )}
            <OrderRows of={chosen?.rows ?? all} onMark={setMarked} {...{ untold, positions }} />
          </section>
        </div>
      )}
    </>
  );
};
