import { addressLabel } from '@pto/proto/location-label';
import type { ReactNode } from 'react';
import { wordOf } from './badge.tsx';
import { Copy } from './copy.tsx';
import { Expected } from './expected.tsx';
import { PlaceAndExactTime } from './place-time.tsx';
import { Priority } from './priority.tsx';
import type { Schemas } from './schemas.ts';
import { Text } from './text.tsx';
import { number, t } from './words.ts';

type Order = Schemas['Order'];
type Maybe<Value> = Value | null | undefined;

/** What an order asks for, as both audiences see it. @param more rows of one audience alone. */
export const OrderFacts = ({ order, children }: { order: Order; children?: ReactNode }) => {
  const country = order.pickup_location?.country ?? '';
  return (
    <section aria-label={t('Order')}>
      <h2>{t('Order')}</h2>
      <dl className="facts">
        <Fact name="Id">
          <Copy text={order.id} />
        </Fact>
        <Fact name="Priority">
          <Priority of={order.sla} />
        </Fact>
        <Fact name="Pick-up">
          <Place of={order.pickup_location} />
          <Line of={order.pickup_detail} />
          {order.pickup_window_start && (
            <div>
              <PlaceAndExactTime
                from={order.pickup_window_start}
                to={order.pickup_window_end}
                country={country}
              />
            </div>
          )}
          {order.pickup_eta && (
            <div>
              <Expected
                at={order.pickup_eta}
                source={order.eta_source}
                due={order.pickup_window_end}
                country={country}
              />
            </div>
          )}
        </Fact>
        <Fact name="Drop-off">
          <Line of={order.dropoff_address_text} />
          <Place of={order.dropoff_location} given={order.dropoff_address_text} />
          <Line of={order.dropoff_detail} />
          {order.dropoff_eta && (
            <div>
              <Expected
                at={order.dropoff_eta}
                source={order.pickup_eta ? 'estimate' : order.eta_source}
                country={order.dropoff_location?.country ?? ''}
              />
            </div>
          )}
        </Fact>
        <Fact name="Goods">
          <Goods of={order.items} />
        </Fact>
        <Temperature min={order.temperature_min} max={order.temperature_max} />
        {order.required_evidence && (
          <Fact name="Required evidence">
            {evidenceOf(order.required_evidence)}
            <div className="faint">{t('Steps wait for it.')}</div>
          </Fact>
        )}
        {order.notes && (
          <Fact name="Notes">
            <Text of={order.notes} />
          </Fact>
        )}
        {typeof order.price_total === 'number' && (
          <Fact name="Price">{number(order.price_total, 2)}</Fact>
        )}
        {order.cancel_reason && (
          <Fact name="Cancelled because">
            <Text of={order.cancel_reason} />
          </Fact>
        )}
        {children}
        <Fact name="Created">
          <PlaceAndExactTime from={order.created_at} country={country} />
        </Fact>
      </dl>
    </section>
  );
};

/** A row of the facts of an order. */
export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{t(name)}</dt>
    <dd>{children}</dd>
  </>
);

/**
 * A location by its address; with its label unless that repeats the address (decision 12).
 * @param given the address as the partner gave it; if it names all parts, it stands alone.
 */
const Place = ({ of, given }: { of: Order['pickup_location']; given?: Maybe<string> }) => {
  if (!of) return null;
  const { label, street, zip, city, country } = of;
  const address = `${street}, ${zip} ${city}`;
  if (given?.includes(address)) return null;
  return (
    <>
      {label !== addressLabel(of) && <Line of={label} />}
      <Line of={`${address}, ${country}`} />
    </>
  );
};

const Line = ({ of }: { of: Maybe<string> }) =>
  of ? (
    <div>
      <Text of={of} />
    </div>
  ) : null;

const itemsMax = 5;

/** The number of items, and the first ones with their seals. */
const Goods = ({ of }: { of: Order['items'] }) => {
  if (of.length === 0) return <span className="faint">{t('not given')}</span>;
  return (
    <>
      {of.length === 1 ? t('1 item') : t('{count} items', { count: of.length })}
      <ul className="items">
        {of.slice(0, itemsMax).map(({ goods_type, seal_id }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two items may be alike
          <li key={n}>
            <Text of={goods_type} />
            {seal_id && (
              <>
                , {t('seal')} <Text of={seal_id} />
              </>
            )}
          </li>
        ))}
        {of.length > itemsMax && <li>{t('and {count} more', { count: of.length - itemsMax })}</li>}
      </ul>
    </>
  );
};

const Temperature = ({ min, max }: { min: Maybe<number>; max: Maybe<number> }) =>
  typeof min === 'number' || typeof max === 'number' ? (
    <Fact name="Temperature">
      {min === null || min === undefined ? '…' : number(min)} {t('to')}{' '}
      {max === null || max === undefined ? '…' : number(max)} °C
    </Fact>
  ) : null;

/** Returns the required methods of handovers, such as `pickup: scan; dropoff: signature`. */
const evidenceOf = (required: NonNullable<Order['required_evidence']>): string =>
  Object.entries(required)
    .filter(([, methods]) => methods.length > 0)
    .map(([stage, methods]) => `${wordOf(stage)}: ${methods.map(wordOf).join(', ')}`)
    .join('; ');
