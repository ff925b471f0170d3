/** Every RPC of the service, the life of deliveries, and its periodic work. */
import type { DescService } from '@bufbuild/protobuf';
import { DeliveryService, WebhookService } from '@pto/proto/webhooks/v1/webhooks';
import type { UnderTest } from '../under-test.ts';
import { erasure, failures, quarantine } from './deliveries.ts';
import { operators } from './operator-operations.ts';
import { changes, creations, reads, rehearsals } from './partner-operations.ts';

/** The services whose every RPC is called; dead letters have the bus's own tables alone. */
const services: readonly DescService[] = [WebhookService, DeliveryService];

/** Calls every RPC, lets every event and every periodic work happen. @returns the RPCs not called. */
export const everyOperation = async (under: UnderTest): Promise<string[]> => {
  const called = new Set<string>();
  const replica = {
    ...under.replica,
    webhooks: noting(under.replica.webhooks, called),
    deliveries: noting(under.replica.deliveries, called),
  };
  const on: UnderTest = {
    stores: under.stores,
    authority: under.authority,
    replicas: [replica],
    replica,
    endpoint: under.endpoint,
    receiver: under.receiver,
  };
  await creations(on);
  await changes(on);
  await reads(on);
  await failures(on);
  await rehearsals(on);
  await operators(on);
  await erasure(on);
  await quarantine(on);
  return services
    .flatMap(({ methods }) => methods.map(({ localName }) => localName))
    .filter((name) => !called.has(name));
};

const noting = <Rpc extends object>(client: Rpc, called: Set<string>): Rpc =>
  new Proxy(client, {
    get: (target, name, receiver) => {
      called.add(String(name));
      return Reflect.get(target, name, receiver);
    },
  });
