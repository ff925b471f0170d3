/** The code that the page of a ward's link shows, given to the driver at a handover (decision 86). */
import { Failure } from '@pto/errors';
import type { Order } from '@pto/proto/orders/v1/orders';
import { type Courier, callUntil } from './orders.ts';
import type { Phone } from './phone.ts';

/** Returns the code for a handover at a stage; undefined: the page shows none. */
export const codeAt = async (
  { orders }: Courier,
  { id, organizationId }: Order,
  stage: string,
  deadline: number,
): Promise<string | undefined> => {
  const side = stage === 'return' ? 'pickup' : stage;
  return (await orders.getHandoverCode({ organizationId, id, side }, callUntil(deadline))).code;
};

/** Returns the code. @throws Failure ILLEGAL_TRANSITION if the page shows none */
export const requireCode = async (
  ...[courier, order, stage, deadline]: Parameters<typeof codeAt>
) => {
  const code = await codeAt(courier, order, stage, deadline);
  if (code !== undefined) return code;
  throw new Failure('ILLEGAL_TRANSITION', `The page of the ${stage} shows no code.`);
};

/**
 * Enters a code at a stage that is not the one of the page, as a typing error of the driver.
 * @throws Failure ILLEGAL_TRANSITION if the page shows none, and what orders rejects
 */
export const enterWrongCode = async (
  courier: Courier,
  order: Order,
  { party }: Phone,
  stage: string,
  deadline: number,
): Promise<void> => {
  const right = await requireCode(courier, order, stage, deadline);
  const code = `${(Number(right) + 1) % 10_000}`.padStart(4, '0');
  const call = { ...callUntil(deadline), party };
  await courier.orders
    .checkHandoverCode({ orderId: order.id, stage, code }, call)
    .catch((thrown) => {
      if (!(thrown instanceof Failure) || thrown.kind !== 'VALIDATION') throw thrown;
    });
};
