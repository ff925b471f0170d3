import type { Database } from '@pto/database';
import { Failure } from '@pto/errors';
import { CourierService, type StartRunRequest } from '@pto/proto/courier/v1/courier';
import { statusPath } from '@pto/proto/order-commands';
import { implement } from '@pto/rpc';
import { moveTo, placeOf } from '../moves/move-to.ts';
import { type Courier, ownedOrder } from '../moves/orders.ts';
import { scenarioSteps } from '../plan/scenarios.ts';
import { actionsIn, readScript, type Step, scriptPlan } from '../plan/steps.ts';
import { findRun, startRun } from '../runs/store.ts';

/** The gateway's RPCs (decisions 64 and 67). Each first checks whose order it is. */
export const courierService = (deps: { db: Database; courier: Courier; wake: () => void }) => {
  const { db, courier, wake } = deps;
  const { orders } = courier;
  return implement(CourierService, {
    listSteps: async (request, { deadline }) => {
      const owned = await ownedOrder(orders, request, deadline);
      const run = await findRun(db, owned.id);
      // a run that is over has moved the order, perhaps since its status was read
      const isOver = run !== undefined && run.state !== 'running';
      const { status } = isOver ? await ownedOrder(orders, request, deadline) : owned;
      const next = statusAfter(status);
      return {
        status,
        ...(next && { next }),
        actions: actionsIn(status),
        ...(run && { run }),
      };
    },
    advance: async (request, { deadline }) => {
      const order = await ownedOrder(orders, request, deadline);
      const target = request.to ?? statusAfter(order.status);
      if (!target) throw atItsEnd(order.status);
      return { status: (await moveTo(courier, order, target, deadline)).status };
    },
    startRun: async (request, { deadline }) => {
      const plan = planOf(request);
      const { id: orderId, organizationId } = await ownedOrder(orders, request, deadline);
      await startRun(db, { orderId, organizationId, ...plan }, request);
      wake();
      return {};
    },
  });
};

/** Returns the status after one step; undefined for CLOSED and CANCELLED. */
const statusAfter = (status: string): string | undefined =>
  placeOf(status) < 0 ? undefined : statusPath[placeOf(status) + 1];

const atItsEnd = (status: string): Failure =>
  new Failure('ILLEGAL_TRANSITION', `The order is ${status}; no step leads on.`, {
    details: { status },
  });

/** Returns the plan's name and steps. @throws Failure VALIDATION */
const planOf = ({ plan }: StartRunRequest): { plan: string; steps: readonly Step[] } => {
  if (plan.case === 'scenario') {
    const { name, stepMs } = plan.value;
    return { plan: name, steps: scenarioSteps(name, stepMs) };
  }
  return { plan: scriptPlan, steps: readScript(plan.value?.steps ?? []) };
};
