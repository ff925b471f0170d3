import { apply, describe, type Invocation } from '../history.ts';
import { checkLinearizable } from '../linearizable.ts';
import { absent } from '../order-model.ts';
import type { Invariant } from './violation.ts';

/** The invocations of each order, and what the order is at the end, have a sequential explanation. */
export const historiesAreLinearizable: Invariant = ({ slots, orders }) =>
  slots.flatMap(({ name, history }) => {
    const order = orders.find(({ externalId }) => externalId === name);
    const times = history.flatMap(({ invokedAt, returnedAt }) => [invokedAt, returnedAt]);
    const end = Math.max(0, ...times.filter(Number.isFinite)) + 1;
    const last: Invocation = {
      action: 'read',
      mark: '',
      invokedAt: end,
      returnedAt: end + 1,
      outcome: order
        ? { kind: 'accepted', status: order.status, sequence: order.sequence }
        : { kind: 'rejected' },
    };
    const whole = [...history, last];
    const { verdict } = checkLinearizable(whole, absent, apply, ({ status, sequence }) =>
      [status, sequence].join(),
    );
    return verdict === 'linearizable' ? [] : [`${name} is ${verdict}: ${describe(whole)}`];
  });
