import type { DescMethod, Message } from '@bufbuild/protobuf';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import type { ProcessName } from '@pto/proto/callers';
import { LedgerService } from '@pto/proto/custody/v1/custody';
import { StatusService } from '@pto/proto/operators/v1/status';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { ViolationService } from '@pto/proto/orders/v1/violations';
import { DeliveryService } from '@pto/proto/webhooks/v1/webhooks';
import { type CallContext, type ConnectMount, connectClient } from '@pto/rpc';
import type { OperatorsSettings } from '../config.ts';
import type { Operator } from '../identity/operator.ts';

interface RemoteMount extends ConnectMount {
  readonly prefix: ProcessName;
}

/** The services to which operators' calls are forwarded. The prefix is the process's name. */
export const remoteMounts: readonly RemoteMount[] = [
  {
    prefix: 'orders',
    services: [OrderCommandService, ViolationService, DeadLetterService, StatusService],
  },
  { prefix: 'custody', services: [LedgerService, DeadLetterService, StatusService] },
  { prefix: 'webhooks', services: [DeliveryService, DeadLetterService, StatusService] },
];

/** Forwards a call in the operator's name. `prefix` names the process (`remoteMounts`). */
export type Forward = (
  prefix: string,
  method: DescMethod,
  request: Message,
  operator: Operator,
  context: CallContext,
) => Promise<object>;

type Call = (request: object, options: object) => Promise<object>;

export const openTargets = (settings: OperatorsSettings): Forward => {
  const urls: Readonly<Record<string, readonly string[]>> = {
    orders: settings.ordersUrls,
    custody: settings.custodyUrls,
    webhooks: settings.webhooksUrls,
  };
  const clients = new Map<string, Record<string, Call>>(
    remoteMounts.flatMap(({ prefix, services }) =>
      services.map((service) => {
        const to = { urls: urls[prefix]!, server: prefix, tls: settings };
        const client = connectClient(service, to) as unknown as Record<string, Call>;
        return [`${prefix}/${service.typeName}`, client] as const;
      }),
    ),
  );
  return (prefix, method, request, operator, { deadline, signal }) =>
    clients.get(`${prefix}/${method.parent.typeName}`)![method.localName]!(request, {
      deadline,
      signal,
      operator: operator.name,
    });
};
