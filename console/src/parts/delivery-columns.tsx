import type { ReactNode } from 'react';
import { Attempts } from './attempts.tsx';
import { Badge } from './badge.tsx';
import type { Schemas } from './schemas.ts';
import type { Column } from './table.tsx';
import { Moment, Time } from './time.tsx';
import { rich } from './words.ts';

type Delivery = Schemas['Delivery'];

/** Columns of deliveries. @param more what the folded part of a response has, too. */
export const deliveryColumns = (
  more?: (delivery: Delivery) => ReactNode,
): readonly Column<Delivery>[] => [
  ['Event', ({ event }) => event],
  ['State', ({ state }) => <Badge of={state} />, 'state'],
  [
    'Response',
    (of) => (
      <>
        <Attempts of={of.attempts}>{more?.(of)}</Attempts>
        {of.due_at && (
          <span className="faint">
            {rich('next attempt {time}', { time: <Time at={of.due_at} /> })}
          </span>
        )}
      </>
    ),
  ],
  ['Queued', ({ created_at }) => <Moment at={created_at} />],
];
