import type { Backends } from '../backends.ts';
import { json, jsonBytes } from '../http/respond.ts';
import { order, orderPath } from '../resources/orders.ts';
import {
  sandboxAdvance,
  sandboxSteps,
  sandboxStepsJson,
  scriptStepMessage,
} from '../resources/sandbox.ts';
import { route } from './route.ts';

/** The operations on sandbox orders (decisions 64 and 67). Production has none of these rows. */
export const sandboxRoutes = ({ orders, courier }: Pick<Backends, 'orders' | 'courier'>) => [
  route({
    name: 'advanceSandboxOrder',
    method: 'POST',
    path: '/sandbox/orders/:order_id/advance',
    scope: 'orders:write',
    schemas: { path: orderPath, body: sandboxAdvance },
    response: order,
    rejections: ['ILLEGAL_TRANSITION'],
    summary: 'Move a sandbox order',
    description:
      'Exists in the sandbox only. `{}` takes one step, `{"to": STATUS}` all steps to a status, and `{"script": [...]}` starts a run of steps with delays. History, proofs and webhooks are those of an order that dispatchers move. Repeat a request whose response was lost with `to`: a status that the order has reached changes nothing.',
    handle: async ({ organizationId, path, body, call }) => {
      const moved = { organizationId, orderId: path.order_id };
      if (body.script) {
        const steps = body.script.map(scriptStepMessage);
        await courier!.startRun({ ...moved, plan: { case: 'script', value: { steps } } }, call);
      } else await courier!.advance({ ...moved, to: body.to ?? undefined }, call);
      return jsonBytes((await orders.getOrder({ organizationId, id: path.order_id }, call)).body);
    },
  }),
  route({
    name: 'listSandboxSteps',
    method: 'GET',
    path: '/sandbox/orders/:order_id/steps',
    scope: 'orders:read',
    schemas: { path: orderPath },
    response: sandboxSteps,
    summary: 'List the possible steps of a sandbox order',
    description:
      "Exists in the sandbox only. The steps that are possible now, and the state of the order's run.",
    handle: async ({ organizationId, path, call }) =>
      json(
        sandboxStepsJson(
          await courier!.listSteps({ organizationId, orderId: path.order_id }, call),
        ),
      ),
  }),
];
