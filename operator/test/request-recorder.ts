/** Clients of the operators service that record requests and send nothing. */
import { type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { AccessService } from '@pto/proto/access/v1/access';
import { MoveService } from '@pto/proto/access/v1/moves';
import { OrderLinkService } from '@pto/proto/access/v1/order_links';
import { DeadLetterService } from '@pto/proto/bus/v1/dead_letter';
import { LedgerService } from '@pto/proto/custody/v1/custody';
import { CarrierService } from '@pto/proto/operators/v1/carriers';
import { DriverService } from '@pto/proto/operators/v1/drivers';
import { AuditService, OperatorService, SignInService } from '@pto/proto/operators/v1/operators';
import { StatusService } from '@pto/proto/operators/v1/status';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { ViolationService } from '@pto/proto/orders/v1/violations';
import { DeliveryService } from '@pto/proto/webhooks/v1/webhooks';
import type { Clients } from '../src/clients.ts';

type Service = typeof AccessService | typeof OrderCommandService | typeof StatusService;
type Any = Readonly<Record<string, unknown>>;

/** What a request has that is not of the type of its field, such as a number as text. */
export const typeFaults = (schema: DescMessage, request: Any, at = schema.name): string[] =>
  schema.fields.flatMap((field) => {
    const value = request[field.localName];
    if (value === undefined || field.fieldKind === 'map' || field.oneof) return [];
    const values = field.fieldKind === 'list' && Array.isArray(value) ? value : [value];
    return values.flatMap((one) => {
      const place = `${at}.${field.localName}`;
      if (field.message)
        return typeof one === 'object' ? typeFaults(field.message, one as Any, place) : [place];
      const expected = field.enum ? ['number'] : (kinds[field.scalar!] ?? ['number']);
      return expected.includes(typeof one) ? [] : [`${place} is a ${typeof one}`];
    });
  });

const kinds: Readonly<Partial<Record<ScalarType, readonly string[]>>> = {
  [ScalarType.STRING]: ['string'],
  [ScalarType.BOOL]: ['boolean'],
  [ScalarType.BYTES]: ['object'],
  [ScalarType.INT64]: ['bigint', 'number'],
  [ScalarType.UINT64]: ['bigint', 'number'],
};

/** Ends a command at its first request. */
export class Recorded extends Error {}

/** Returns the clients. Each call adds its faults to the list, and ends the command. */
export const recordingClients = (calls: { rpc: string; faults: string[] }[]): Clients => {
  const client = (service: unknown) => {
    const { methods } = service as Service;
    return Object.fromEntries(
      methods.map(({ localName, name, input }) => [
        localName,
        async (request: Any) => {
          calls.push({ rpc: name, faults: typeFaults(input, request) });
          throw new Recorded(name);
        },
      ]),
    );
  };
  const ofEach = (service: unknown) => ({
    orders: client(service),
    custody: client(service),
    webhooks: client(service),
  });
  return {
    ...{ operatorUrl: 'https://operators.test', sessionFile: '/no/such/session', usesToken: true },
    signIn: client(SignInService),
    operators: client(OperatorService),
    audit: client(AuditService),
    carriers: client(CarrierService),
    drivers: client(DriverService),
    access: client(AccessService),
    orderLinks: client(OrderLinkService),
    moves: client(MoveService),
    orders: client(OrderCommandService),
    violations: client(ViolationService),
    ledger: client(LedgerService),
    deliveries: client(DeliveryService),
    status: ofEach(StatusService),
    deadLetters: ofEach(DeadLetterService),
  } as unknown as Clients;
};
