import type { OrganizationSlots } from '@pto/concurrency';
import type { Database, FreshReads } from '@pto/database';
import { Failure, invalid } from '@pto/errors';
import type { Sign } from '@pto/message-authentication';
import { orderCommands } from '@pto/proto/order-commands';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { ViolationState } from '@pto/proto/orders/v1/violations';
import { personalFields } from '@pto/proto/payload-fields';
import type { ArtifactReference, ConditionPayload } from '@pto/proto/payloads';
import { type CallContext, implement } from '@pto/rpc';
import { type ArtifactDeps, artifactNotFound, readArtifact } from '../changes/artifacts.ts';
import { runOnce } from '../changes/command-log.ts';
import { erasePersonalData } from '../changes/erase-personal-data.ts';
import { checkCode, compareCode, unlockCode } from '../changes/handover-code.ts';
import { recordCondition } from '../changes/record-condition.ts';
import { recordHandover, recordWithFile } from '../changes/record-handover.ts';
import { recordRevocation } from '../changes/record-revocation.ts';
import { reportExpectedTime } from '../changes/report-expected-time.ts';
import { applyCommand, type Kept, rejectKept } from '../changes/run-command.ts';
import { noMetadata } from '../domain/decide.ts';
import type { Command } from '../domain/order.ts';
import type { Travel } from '../expected-times/router.ts';
import type { FindLocations } from '../locations/locations.ts';
import type { CursorKeys } from '../reading/cursor.ts';
import { findOrders } from '../reading/find-orders.ts';
import {
  getDisclosures,
  getEntryOperators,
  getOrder,
  type OrderKey,
} from '../reading/get-order.ts';
import { listOrders } from '../reading/list-orders.ts';
import { listOpenOrders } from '../reading/open-orders.ts';
import { orderNotFound } from '../reading/order-not-found.ts';
import { organizationOf, organizationsOf } from '../reading/order-organization.ts';
import { searchOrders } from '../reading/search-orders.ts';
import { messageFor, ownerOf, showOwn } from '../reading/show-own.ts';
import { present, type StoredOrder, toMessage } from '../reading/stored-order.ts';
import { heavy } from '../slots.ts';
import { listViolations, toViolation } from '../violations.ts';
import { type FieldRpc, fieldCommands, readFields } from './command-fields.ts';
import {
  type CommandRequest,
  readCommandMetadata,
  readExpected,
  readPosition,
  readTime,
  requireText,
  requireUuid,
} from './command-metadata.ts';
import { readCode, readHandover, readReceived, readSide, readStage } from './read-evidence.ts';

const pageSize = 50;
const searchPageMax = 100;
const externalIdMax = 255;
/** Query of the 100 newest unresolved violations. */
const newest = { state: ViolationState.UNSPECIFIED, beforeId: '', pageSize: 100 };

/**
 * Serves the operators' commands on orders. Each RPC converts its request to a command of the state
 * machine.
 */
export const commandService = (
  deps: ArtifactDeps & {
    db: Database;
    reads: FreshReads;
    findLocations: FindLocations;
    /** Finds travel times for expected times. */
    travel: Travel;
    cursorKeys: CursorKeys;
    /** Runs readings one file at a time (slots.ts). */
    inSlots: OrganizationSlots;
    /** Signs order events for the bus. */
    sign: Sign;
    /** Wakes the relay after a commit. */
    wake: () => void;
    /** Wakes the erasure of expired artifacts. */
    wakeExpiry: () => void;
  },
) => {
  const { db, findLocations, inSlots, wake } = deps;
  /** Finds the organization of an order, by which all other statements name the order. */
  const keyOf = async (orderId: string): Promise<OrderKey> => ({
    organizationId: await organizationOf(db, orderId),
    orderId,
  });
  const command =
    ({ name, fields }: (typeof fieldCommands)[number]) =>
    async (request: CommandRequest, context: CallContext) => {
      const { orderId, metadata, id } = readCommandMetadata(request, context);
      const step = { name, ...readFields(fields, request) } as Command;
      const changed = await applyCommand(deps, await keyOf(orderId), step, metadata, id)
        .catch(asRejection)
        .finally(wake);
      return { order: messageFor(context.caller, changed) };
    };
  const isCode = (key: OrderKey, code: string) => compareCode(deps.cursorKeys, key, code);
  const moves = Object.fromEntries(
    fieldCommands.map((row) => [row.call!.rpc, command(row)]),
  ) as Record<FieldRpc, ReturnType<typeof command>>;
  return implement(OrderCommandService, {
    showOrder: async ({ orderId }, { caller }) => {
      const key = await keyOf(requireUuid(orderId, 'order_id'));
      const owner = ownerOf(caller);
      if (owner) return showOwn({ sql: db, findLocations }, key, owner);
      return {
        order: toMessage(await getOrder({ sql: db, findLocations }, key)),
        violations: (await listViolations(db, { ...newest, order: key })).map(toViolation),
        disclosures: await getDisclosures(db, key),
        operators: await getEntryOperators(db, key),
      };
    },
    findOrders: async ({ externalId }) => ({
      orders: await findOrders(db, requireText(externalId, 'external_id', externalIdMax)),
    }),
    searchOrders: async ({ text, organizationId, statuses, afterId, pageSize: size }) => {
      const ids = { organization_id: organizationId, after_id: afterId };
      for (const [field, id] of Object.entries(ids)) if (id !== '') requireUuid(id, field);
      return searchOrders(db, {
        text: text === '' ? '' : requireText(text, 'text', externalIdMax),
        organizationId,
        statuses,
        afterId,
        limit: Math.min(size || pageSize, searchPageMax),
      });
    },
    listOpenOrders: ({ known }, { caller }) => listOpenOrders(db, known, ownerOf(caller)),
    listOrganizationOrders: async ({ organizationId, cursor }) => {
      requireUuid(organizationId, 'organization_id');
      const query = { organizationId, limit: pageSize, cursor };
      const { orders, nextCursor } = await listOrders(deps, query);
      return {
        orders: orders.map(({ stored }) => toMessage(stored)),
        ...(nextCursor !== undefined && { nextCursor }),
      };
    },
    exportArtifact: async ({ orderId, sha256 }) => {
      const find = await organizationsOf(db, [requireUuid(orderId, 'order_id')]);
      const organizationId = find(orderId);
      if (organizationId === undefined) throw artifactNotFound();
      return readArtifact(deps, { organizationId, orderId }, sha256);
    },
    ...moves,
    reportIncident: async (request, context) => {
      const { orderId, metadata, id } = readCommandMetadata(request, context);
      const fields = readFields(orderCommands.incident.fields, request);
      const make = (artifact: ArtifactReference | null) =>
        ({ name: 'incident', ...fields, ...(artifact && { artifact }) }) as Command;
      const file = request.artifact ?? null;
      const key = await keyOf(orderId);
      const { stored, outcome } = await recordWithFile(deps, key, make, file, metadata, id).finally(
        wake,
      );
      return outcome ? rejectKept(outcome) : { order: messageFor(context.caller, stored) };
    },
    recordHandover: async (request, context) => {
      const { orderId, metadata, id } = readCommandMetadata(request, context);
      const handover = readHandover(request);
      const code = request.code === undefined ? null : readCode(request.code);
      const key = await keyOf(orderId);
      const { stored, outcome } = await recordHandover(
        deps,
        key,
        { ...handover, isCode: code === null ? undefined : isCode(key, code) },
        request.artifact ?? null,
        metadata,
        id,
      );
      wake();
      if (outcome && 'kind' in outcome) return rejectKept(outcome);
      return {
        order: messageFor(context.caller, stored),
        missingSealIds: [...(outcome?.missing ?? [])],
        unexpectedSealIds: [...(outcome?.unexpected ?? [])],
      };
    },
    checkHandoverCode: async ({ orderId, stage, code }, { caller: { driver } }) => {
      const key = await keyOf(requireUuid(orderId, 'order_id'));
      const check = { stage: readStage(stage), isCode: isCode(key, readCode(code)) };
      if (!driver) throw orderNotFound(); // of the courier
      await checkCode(db, key, { ...check, driverId: driver.driverId });
      return {};
    },
    unlockHandoverCode: async ({ orderId, side }) => {
      const key = await keyOf(requireUuid(orderId, 'order_id'));
      await unlockCode(db, key, readSide(side));
      return { order: toMessage(await getOrder({ sql: db, findLocations }, key)) };
    },
    recordCondition: async (request, context) => {
      const { orderId, metadata, id } = readCommandMetadata(request, context);
      const by = context.caller.driver ? 'driver' : 'operator';
      const received = readReceived(request.readings, by);
      const target = await keyOf(orderId);
      const { stored, outcome } = await inSlots(
        'operators',
        context.signal,
        () =>
          runOnce<ConditionPayload | Kept>(deps, target, id, (transact) =>
            recordCondition(deps, target, received, metadata, (work) =>
              transact(async (tx) => {
                const { stored, payload, kept } = await work(tx);
                return { stored, outcome: kept ?? payload };
              }),
            ),
          ),
        heavy,
      );
      wake();
      if (outcome && 'kind' in outcome) return rejectKept(outcome);
      return { order: messageFor(context.caller, stored), payloadJson: JSON.stringify(outcome) };
    },
    reportExpectedTime: async ({ orderId, stop, at }, { caller, signal }) => {
      const key = await keyOf(requireUuid(orderId, 'order_id'));
      const told = readExpected(stop, at);
      const { driver, operator = null } = caller;
      const by = driver?.driverId ?? null;
      const metadata = { ...noMetadata, operator };
      const stored = await reportExpectedTime(deps, key, told, by, metadata, signal).finally(wake);
      return { expected: expectedOf(stored) };
    },
    estimateArrival: async ({ orderId, driverId, position }, { signal }) => {
      const key = await keyOf(requireUuid(orderId, 'order_id'));
      const by = requireUuid(driverId, 'driver_id');
      const at = readPosition(position ?? { lat: Number.NaN, lng: Number.NaN });
      const stored = await reportExpectedTime(deps, key, at, by, noMetadata, signal).finally(wake);
      return { expected: expectedOf(stored) };
    },
    recordDeviceRevocation: async ({ driverId, key, from }) => {
      const orders = await recordRevocation(deps, {
        ...{ driverId: requireUuid(driverId, 'driver_id'), key, from: readTime(from, 'from') },
      }).finally(wake);
      return { orders };
    },
    erasePersonalData: async (request, context) => {
      const { orderId, metadata, id } = readCommandMetadata(request, context);
      const names = request.fields.map(requirePersonalField);
      requireText(request.reason, 'reason', 500);
      const key = await keyOf(orderId);
      const { stored, outcome } = await erasePersonalData(deps, key, names, metadata, id);
      wake();
      deps.wakeExpiry();
      return {
        order: toMessage(stored),
        erased: (outcome ?? []).map(({ sequence, field }) => ({ entry: sequence, field })),
      };
    },
  });
};

const expectedOf = ({ order: { pickupEta, dropoffEta, etaSource } }: StoredOrder) =>
  present({ pickupEta, dropoffEta, etaSource });

/** Requires the name of a personal field (proto/payload-fields.ts). @throws Failure VALIDATION */
const requirePersonalField = (name: string): string => {
  if (!personalFields.includes(name))
    throw invalid(['fields'], `not a personal field; they are ${personalFields.join(', ')}`, name);
  return name;
};

/**
 * Throws an ILLEGAL_TRANSITION for a CANCEL_NOT_ALLOWED, because operators get one error for all
 * rejected commands. Throws any other error unchanged.
 */
const asRejection = (thrown: unknown): never => {
  if (thrown instanceof Failure && thrown.kind === 'CANCEL_NOT_ALLOWED')
    throw new Failure('ILLEGAL_TRANSITION', thrown.message, { details: thrown.details ?? {} });
  throw thrown;
};
