import { create, type DescMessage, type Message, ScalarType } from '@bufbuild/protobuf';
import type { Failure } from '@pto/errors';
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
import { type Handlers, implement } from '@pto/rpc';
import { type FakeGateway, startGateway } from '../operator-command.ts';

/** Returns a message in whose every text field stands the text, also in nested messages. */
const messageOf = (schema: DescMessage, text: string, depth = 0): Message => {
  const members: Record<string, unknown> = {};
  for (const field of schema.fields) {
    const one = (): unknown => {
      if (field.message) return depth < 5 ? messageOf(field.message, text, depth + 1) : undefined;
      if (field.scalar === ScalarType.BYTES && field.localName === 'body') return Buffer.from(text);
      if (field.scalar !== ScalarType.STRING) return undefined;
      if (/^(next|remaining)/.test(field.localName)) return '';
      if (field.localName === 'payloadJson') return JSON.stringify({ note: text, [text]: 1 });
      if (field.localName === 'valueJson') return JSON.stringify(text);
      if (field.localName === 'requiredEvidenceJson') return JSON.stringify({ pickup: [text] });
      if (field.localName === 'openIncidentsJson') return JSON.stringify([{ kind: text }]);
      // an order is walked from its status, and a price is a number
      if (field.localName === 'status' && schema.name === 'Order') return 'CLOSED';
      if (field.localName === 'priceTotal') return '12.50';
      return text;
    };
    const value = field.localName === 'next' ? undefined : one();
    if (value !== undefined)
      members[field.localName] = field.fieldKind === 'list' ? [value] : value;
  }
  return create(schema, members as never);
};

/**
 * An operators service that puts the text into each field of each response.
 * @param failure the error of every call instead.
 */
export const gatewayWithText = (text: string, failure?: Failure): Promise<FakeGateway> => {
  const all = (service: Parameters<typeof implement>[0]): ReturnType<typeof implement> => {
    const handlers = service.methods.map(({ localName, output }) => [
      localName,
      async () => {
        if (failure) throw failure;
        return messageOf(output, text);
      },
    ]);
    return implement(service, Object.fromEntries(handlers) as Handlers<typeof service>);
  };
  return startGateway({
    access: [all(AccessService), all(OrderLinkService), all(MoveService)],
    operators: [
      all(SignInService),
      all(OperatorService),
      all(CarrierService),
      all(DriverService),
      all(AuditService),
    ],
    orders: [...[OrderCommandService, ViolationService, DeadLetterService, StatusService].map(all)],
    custody: [all(LedgerService), all(DeadLetterService), all(StatusService)],
    webhooks: [all(DeliveryService), all(DeadLetterService), all(StatusService)],
  });
};
