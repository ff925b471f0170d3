import type { OpenOrder, OpenOrderStop } from '@pto/proto/orders/v1/commands';
import { memo } from 'react';
import { dueOf, isEscalated, isUnderWay } from '../../board/columns.ts';
import { Badge } from '../../parts/badge.tsx';
import { Countdown, PlaceTime } from '../../parts/place-time.tsx';
import { Priority } from '../../parts/priority.tsx';
import { Text } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { nameOf } from './step-window.tsx';

/** An order of the board. It is drawn again only when the order or what is said about it changes. */
export const Card = memo(
  ({
    order,
    wrong,
    organization,
    verb,
    pending,
    isCurrent,
    isSelected,
    onOpen,
    onSelect,
    onNext,
  }: {
    order: OpenOrder;
    /** Why it needs a person; empty: nothing is wrong. */
    wrong: string;
    organization: string;
    /** Words of the next step; undefined: none that this operator can do. */
    verb: string | undefined;
    /** What was done and is not sent yet. */
    pending: string | undefined;
    isCurrent: boolean;
    isSelected: boolean;
    onOpen: (id: string) => void;
    onSelect: (id: string) => void;
    onNext: (id: string) => void;
  }) => {
    const { id, sla, status, pickup, dropoff, transportOrganization, driver } = order;
    const escalated = isEscalated(order);
    return (
      <article
        className={`card${isSelected ? ' selected' : ''}`}
        aria-label={nameOf(order)}
        data-order={id}
        tabIndex={isCurrent ? 0 : -1}
      >
        <div className="line">
          <input
            type="checkbox"
            aria-label={`Select ${nameOf(order)}`}
            checked={isSelected}
            onChange={() => onSelect(id)}
          />
          <button type="button" className="link order" onClick={() => onOpen(id)}>
            {nameOf(order)}
          </button>
          {sla !== 'STANDARD' && <Priority of={sla} />}
          <Badge of={status} />
        </div>
        {!isUnderWay(order) && (
          <p>
            <Countdown at={dueOf(order)} />{' '}
            <span className="faint">
              pick-up until <PlaceTime at={dueOf(order)} country={pickup?.country ?? ''} />
            </span>
          </p>
        )}
        {isUnderWay(order) && (
          <p className="faint">
            last change <Time at={order.updatedAt || order.createdAt} />
          </p>
        )}
        {(wrong !== '' || escalated) && (
          <p className="wrong">{[escalated && 'escalated', wrong].filter(Boolean).join('; ')}</p>
        )}
        <Stop of={pickup} />
        <Stop of={dropoff} isTarget />
        <p className="faint">
          <Text
            of={[goodsOf(order), limitsOf(order), organization, transportOrganization, driver]
              .filter(Boolean)
              .join(' · ')}
          />
        </p>
        {pending !== undefined ? (
          <p role="status">{pending} …</p>
        ) : (
          verb !== undefined && (
            <button type="button" className="quiet" onClick={() => onNext(id)}>
              {verb}
            </button>
          )
        )}
      </article>
    );
  },
);

/** A place of an order, with its directions. */
export const Stop = ({ of, isTarget }: { of: OpenOrderStop | undefined; isTarget?: boolean }) =>
  of ? (
    <p>
      {isTarget && '→ '}
      <Text of={of.label.includes(of.city) ? of.label : `${of.label}, ${of.city}`} />
      {of.detail !== undefined && (
        <span className="faint">
          {' '}
          <Text of={of.detail} />
        </span>
      )}
    </p>
  ) : null;

const goodsOf = ({ itemCount, goodsType }: OpenOrder): string =>
  itemCount === 0
    ? ''
    : itemCount === 1
      ? (goodsType ?? '1 item')
      : `${itemCount} items, ${goodsType ?? ''}`;

const limitsOf = ({ temperatureMin, temperatureMax }: OpenOrder): string =>
  temperatureMin === undefined && temperatureMax === undefined
    ? ''
    : `${temperatureMin === undefined ? '…' : Number(temperatureMin)} to ${temperatureMax === undefined ? '…' : Number(temperatureMax)} °C`;
