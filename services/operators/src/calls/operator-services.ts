import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import type { Database } from '@pto/database';
import { AccessService } from '@pto/proto/access/v1/access';
import { MoveService } from '@pto/proto/access/v1/moves';
import { OrderLinkService } from '@pto/proto/access/v1/order_links';
import { CarrierService } from '@pto/proto/operators/v1/carriers';
import { DriverService } from '@pto/proto/operators/v1/drivers';
import { AuditService, OperatorService } from '@pto/proto/operators/v1/operators';
import { PositionService } from '@pto/proto/operators/v1/positions';
import { type Implementation, implement } from '@pto/rpc';
import { listActions } from '../audit/list-actions.ts';
import type { Operator } from '../identity/operator.ts';
import type { people } from '../identity/people.ts';
import type { operatorSessions } from '../identity/sessions.ts';
import type { operatorTokens } from '../identity/tokens.ts';
import { remoteMounts } from './forward.ts';

/**
 * Serves the RPCs for operators' identities, personal tokens and people who sign in with OpenID,
 * and for the audit log, to one operator.
 */
export const operatorServices = (
  operator: Operator,
  deps: {
    db: Database;
    publicBaseUrl: string;
    cells: readonly string[];
    environment: string;
    tokens: ReturnType<typeof operatorTokens>;
    people: ReturnType<typeof people>;
    sessions: ReturnType<typeof operatorSessions>;
  },
): Implementation[] => [
  implement(OperatorService, {
    whoAmI: async () => ({
      id: operator.id,
      name: operator.name,
      roles: [...operator.roles],
      credential: operator.credential,
      expiresAt: operator.expiresAt.toISOString(),
      publicBaseUrl: deps.publicBaseUrl,
      cells: [...deps.cells],
      environment: deps.environment,
    }),
    checkCredential: async () => ({}),
    startSession: () => deps.sessions.start(operator),
    endSession: async ({ everywhere }) => {
      await deps.sessions.end(operator, everywhere);
      return {};
    },
    issueToken: ({ name, roles, expiresInSeconds, carrierId = '' }) =>
      deps.tokens.issue({
        name,
        roles,
        carrierId,
        expiresInSeconds: Number(expiresInSeconds),
        by: operator.name,
      }),
    listTokens: ({ afterId }) => deps.tokens.list(afterId),
    revokeToken: async ({ id }) => ({ token: await deps.tokens.revoke(id, operator.name) }),
    listOperators: ({ afterId }) => deps.people.list(afterId),
    blockOperator: async ({ id }) => ({ operator: await deps.people.block(id, operator.name) }),
    unblockOperator: async ({ id }) => ({ operator: await deps.people.unblock(id) }),
  }),
  implement(AuditService, { listActions: (request) => listActions(deps.db, request, readRpcs) }),
];

const services = [
  ...[AccessService, OrderLinkService, MoveService, OperatorService, AuditService],
  ...[CarrierService, DriverService, PositionService],
  ...remoteMounts.flatMap((mount) => mount.services),
];

/** Names of the RPCs that only read, as the audit log has them. */
const readRpcs: readonly string[] = services.flatMap(({ typeName, methods }) =>
  methods
    .filter(({ idempotency }) => idempotency === Idempotency.NO_SIDE_EFFECTS)
    .map(({ name }) => `${typeName}/${name}`),
);
