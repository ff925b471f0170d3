import { verifyChain } from '@pto/custody-verifier';
import { useCall } from '../../../calls/use-call.ts';
import { read, type Schemas } from '../../api.ts';
import { paced } from '../../pace.ts';

const recentMs = 15_000;

/**
 * Reads the custody chain of an order, and recomputes it in this browser. For a while after the
 * order's last change it is read again, because the ledger stores an entry later.
 */
export const useChain = ({ id, updated_at, created_at }: Schemas['Order']) => {
  const changedAt = updated_at ?? created_at;
  const isRecent = Date.now() - Date.parse(changedAt) < recentMs;
  const query = useCall(
    ['order', id, 'chain', changedAt],
    () => read<Schemas['CustodyEntry'][]>(`/orders/${id}/events`),
    { live: isRecent, everyMs: paced(2000) },
  );
  const entries = query.data ?? [];
  const verdict = verifyChain(id, entries as Parameters<typeof verifyChain>[1]);
  return {
    query,
    entries,
    verdict,
    /**
     * The entries; none of a chain that does not fit together or that cannot be read; undefined
     * while it is read.
     */
    verified: query.isPending ? undefined : verdict.valid ? entries : [],
  };
};
