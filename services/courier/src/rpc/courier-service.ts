import type { Database } from '@pto/database';
import { lineOfLife } from '@pto/order-steps';
import { CourierService, type StartRunRequest } from '@pto/proto/courier/v1/courier';
import { implement } from '@pto/rpc';
import { moveTo, notPossible, type Orders, ownedOrder, placeOf } from '../moves/orders.ts';
import { scenarioSteps } from '../plan/scenarios.ts';
import { actionsIn, readScript, type Step } from '../plan/steps.ts';
import { findRun, startRun } from '../runs/store.ts';

/** The gateway's RPCs (decisions 64 and 67). Each first checks whose order it is. */
export const courierService = (deps: { db: Database; orders: Orders; wake: () => void }) => {
  const { db, orders, wake } = deps;
  return implement(CourierService, {
    listSteps: async (request, { deadline }) => {
      const owned = await ownedOrder(orders, request, deadline);
      const run = await findRun(db, owned.id);
      // a run that is over has moved the order, perhaps since its status was read
      const isOver = run !== undefined && run.state !== 'running';
      const { status } = isOver ? await ownedOrder(orders, request, deadline) : owned;
      const next = lineOfLife[placeOf(status) + 1];
      return {
        status,
        ...(placeOf(status) >= 0 && next && { next }),
        actions: actionsIn(status),
        ...(run && { run }),
      };
    },
    advance: async (request, { deadline }) => {
      const order = await ownedOrder(orders, request, deadline);
      const here = placeOf(order.status);
      const target = request.to ?? lineOfLife[here + 1] ?? 'CLOSED';
      const isBehind = request.to !== undefined && placeOf(target) < here;
      const isOver = request.to === undefined && here === lineOfLife.length - 1;
      if (here < 0 || isBehind || isOver) throw notPossible(order.status, target);
      return { status: (await moveTo(orders, order, target, deadline)).status };
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

/** Returns the plan's name and steps. @throws Failure VALIDATION */
const planOf = ({ plan }: StartRunRequest): { plan: string; steps: readonly Step[] } => {
  if (plan.case === 'scenario') {
    const { name, stepMs } = plan.value;
    return { plan: name, steps: scenarioSteps(name, stepMs) };
  }
  return { plan: 'script', steps: readScript(plan.value?.steps ?? []) };
};
