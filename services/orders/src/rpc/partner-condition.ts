import type { Database } from '@pto/database';
import type { RecordConditionRequest } from '@pto/proto/orders/v1/orders';
import { beginChange } from '../change-time.ts';
import type { CommandDeps } from '../changes/apply-command.ts';
import type { ArtifactDeps } from '../changes/artifacts.ts';
import { recordCondition } from '../changes/record-condition.ts';
import { noMetadata } from '../domain/decide.ts';
import { claimKey, type FindReplay, respondOnce, storeResponses } from '../idempotency.ts';
import { requireUuid } from './command-metadata.ts';
import { readReceived } from './read-evidence.ts';

/**
 * Records readings that a partner has sent, once for each idempotency key (decisions 22 to 26).
 * @param deadline of the caller, a time of `performance.now()`.
 */
export const recordPartnerCondition = async (
  deps: CommandDeps & ArtifactDeps & { db: Database; keepMs: number; findReplay: FindReplay },
  request: RecordConditionRequest,
  deadline: number,
): ReturnType<typeof respondOnce> => {
  const { organizationId, idempotency, readings } = request;
  const orderId = requireUuid(request.orderId, 'order_id');
  const scope = idempotency && { organizationId, idempotency, keepMs: deps.keepMs };
  const target = { orderId, organizationId };
  return respondOnce(deps.findReplay, scope, () =>
    recordCondition(deps, target, readReceived(readings, 'partner'), noMetadata, (work) =>
      deps.db.transaction(async (tx) => {
        if (scope && !(await claimKey(tx, scope, deadline))) return null;
        await beginChange(tx, organizationId);
        const { sequence, payload } = await work(tx);
        const { custody } = payload;
        const condition = { order_id: orderId, sequence, custody, payload };
        const body = Buffer.from(JSON.stringify(condition));
        if (scope) await storeResponses(tx, [{ scope, body }]);
        return body;
      }),
    ),
  );
};
