import type { OpenOrder, OpenOrderStop } from '@pto/proto/orders/v1/commands';
import { memo } from 'react';
import { dueOf, isEscalated, isUnderWay } from '../../board/columns.ts';
import { Badge } from '../../parts/badge.tsx';
import { Expected } from '../../parts/expected.tsx';
import { Countdown, PlaceTime } from '../../parts/place-time.tsx';
import { Priority } from '../../parts/priority.tsx';
import { QuietButton } from '../../parts/quiet-button.tsx';
import { Text } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { Telephone } from '../carriers.tsx';
import { nameOf } from './step-window.tsx';

/** An order of the board. It is drawn again only when the order or what is said about it changes. */
export const Card = memo(
  ({
    order,
    wrong,
    organization,
    holding,
    telephone,
    verb,
    pending,
    isCurrent,
    isSelected,
    isSelectable,
    isFull = false,
    onOpen,
    onSelect,
    onNext,
  }: {
    order: OpenOrder;
    /** Why it needs a person; empty: nothing is wrong. */
    wrong: string;
    organization: string;
    /** Who has the goods or fetches them; empty: nobody is assigned. */
    holding: string;
    /** Whom to call; empty: not needed, or no record has it. */
    telephone: string;
    /** Words of the next step; undefined: none that this operator can do. */
    verb: string | undefined;
    /** What was done and is not sent yet. */
    pending: string | undefined;
    isCurrent: boolean;
    isSelected: boolean;
    isSelectable: boolean;
    /** Whether it says what the driver needs, too. */
    isFull?: boolean;
    onOpen: (id: string) => void;
    onSelect: (id: string) => void;
    onNext: (id: string) => void;
  }) => {
    const { id, sla, status, pickup, dropoff, pickupEta, dropoffEta } = order;
    const eta = pickupEta ?? dropoffEta;
    const country = pickup?.country ?? '';
    const [reason, ...others] = [isEscalated(order) && 'escalated', wrong]
      .filter(Boolean)
      .join('; ')
      .split('; ');
    return (
      <article
        className={`card${isSelected ? ' selected' : ''}`}
        aria-label={nameOf(order)}
        data-order={id}
        tabIndex={isCurrent ? 0 : -1}
      >
        <div className="line">
          {isSelectable && (
            <label className="pick">
              <input
                type="checkbox"
                aria-label={`Select ${nameOf(order)}`}
                checked={isSelected}
                onChange={() => onSelect(id)}
              />
            </label>
          )}
          <button type="button" className="link order" onClick={() => onOpen(id)}>
            {nameOf(order)}
          </button>
          {sla !== 'STANDARD' && <Priority of={sla} />}
          <span className="when">
            {isUnderWay(order) ? (
              <>
                <Badge of={status} />
                <span className="faint">
                  changed <Time at={order.updatedAt || order.createdAt} />
                </span>
              </>
            ) : (
              <>
                <strong>
                  <Countdown at={dueOf(order)} />
                </strong>
                <span className="faint">
                  {isFull && order.pickupWindowEnd !== undefined && (
                    <>
                      from <PlaceTime at={order.pickupWindowStart} {...{ country }} />,{' '}
                    </>
                  )}
                  by <PlaceTime at={dueOf(order)} {...{ country }} />
                </span>
              </>
            )}
          </span>
        </div>
        {reason && (
          <p className="wrong">
            <strong>{reason}</strong>
            {others.map((other) => `; ${other}`)}
          </p>
        )}
        <Stop of={pickup} isQuiet={isUnderWay(order)} isFull={isFull} />
        <Stop
          of={dropoff}
          isTarget
          isFull={isFull}
          isQuiet={status === 'DELIVERED' || (!isFull && !isUnderWay(order))}
        />
        {eta !== undefined && (order.etaSource !== 'estimate' || isUnderWay(order)) && (
          <p>
            <Expected
              at={eta}
              source={order.etaSource}
              due={pickupEta && dueOf(order)}
              country={(pickupEta ? country : dropoff?.country) ?? ''}
            />
          </p>
        )}
        <p className="faint">
          <Text of={[goodsOf(order), limitsOf(order), organization].filter(Boolean).join(' · ')} />
        </p>
        {holding !== '' && (
          <p className="faint">
            <Text of={holding} /> <Telephone of={{ telephone }} />
          </p>
        )}
        <div className="line foot">
          {pending !== undefined ? (
            <span role="status">{pending} …</span>
          ) : verb !== undefined ? (
            <QuietButton aria-keyshortcuts="n" onClick={() => onNext(id)}>
              {verb}
            </QuietButton>
          ) : (
            !isUnderWay(order) && <Badge of={status} />
          )}
        </div>
      </article>
    );
  },
);

/** A place of an order, with its directions unless it is not the next one; in full, whom to call. */
const Stop = ({
  of,
  isTarget = false,
  isQuiet = false,
  isFull,
}: {
  of: OpenOrderStop | undefined;
  isTarget?: boolean;
  isQuiet?: boolean;
  isFull: boolean;
}) =>
  of ? (
    <p>
      {isTarget && '→ '}
      <Text
        of={[of.label, ...(isFull ? [of.street, of.city] : [of.city])]
          .filter((part, n) => n === 0 || !of.label.includes(part))
          .join(', ')}
      />
      {!isQuiet && of.detail !== undefined && (
        <span className="faint">
          {' '}
          <Text of={of.detail} />
        </span>
      )}
      {!isQuiet && isFull && (of.contactName ?? of.contactPhone) !== undefined && (
        <span className="contact">
          <Text of={of.contactName ?? ''} /> <Telephone of={{ telephone: of.contactPhone ?? '' }} />
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
