/**
 * Decides whether a witness cosigns a checkpoint whose signature is valid (C2SP tlog-witness).
 * Pure.
 */
import { consistencyFault, emptyRoot, type LogState } from '@pto/custody-verifier';

export type Decision =
  | { readonly cosign: true }
  | {
      readonly cosign: false;
      /**
       * HTTP status. 400: `old` is larger than the checkpoint's size. 409: `old` is not the size of
       * the last cosigned checkpoint. 422: the proof does not show that the checkpoint extends the
       * last cosigned checkpoint.
       */
      readonly status: 400 | 409 | 422;
      /** Size of the last cosigned checkpoint. */
      readonly size: number;
      readonly reason: string;
    };

/**
 * Decides whether to cosign a checkpoint.
 * @param last the last checkpoint that the witness cosigned for this log, or null.
 * @param old the size at which the proof starts, as the client states it.
 * @param proof the consistency proof from `old` to `next`.
 */
export const decide = (
  last: LogState | null,
  { old, proof, next }: { old: number; proof: readonly Uint8Array[]; next: LogState },
): Decision => {
  const before = last ?? { size: 0, root: emptyRoot() };
  const no = (status: 400 | 409 | 422, reason: string): Decision => ({
    cosign: false,
    status,
    size: before.size,
    reason,
  });
  if (old > next.size) return no(400, 'the old size is larger than the checkpoint');
  if (old !== before.size) return no(409, `the last cosigned checkpoint has size ${before.size}`);
  if (next.size === 0 && Buffer.compare(next.root, emptyRoot()) !== 0)
    return no(422, 'an empty log has the root of the empty tree');
  const fault = consistencyFault(before, next, proof);
  return fault === null ? { cosign: true } : no(422, fault);
};
