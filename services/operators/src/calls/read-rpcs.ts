import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt';
import { AccessService } from '@pto/proto/access/v1/access';
import { MoveService } from '@pto/proto/access/v1/moves';
import { AuditService, OperatorService } from '@pto/proto/operators/v1/operators';
import { remoteMounts } from './forward.ts';

const services = [
  ...[AccessService, MoveService, OperatorService, AuditService],
  ...remoteMounts.flatMap((mount) => mount.services),
];

/** Names of the RPCs that only read, as the audit log has them. */
export const readRpcs: readonly string[] = services.flatMap(({ typeName, methods }) =>
  methods
    .filter(({ idempotency }) => idempotency === Idempotency.NO_SIDE_EFFECTS)
    .map(({ name }) => `${typeName}/${name}`),
);
