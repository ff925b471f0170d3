import { RequestLog } from '../../parts/request-log.tsx';
import type { Schemas } from '../../parts/schemas.ts';
import { t } from '../../parts/words.ts';
import { read } from '../api.ts';
import { livePortal } from '../session.ts';

/** The requests of the organization in the last 7 days, those of the portal included. */
export const RequestsPage = () => (
  <RequestLog
    name={['log']}
    heading={<h1>{t('Requests')}</h1>}
    everyMs={livePortal.everyMs}
    read={async ({ status, requestId, beforeId }) => {
      const page = await read<Schemas['RequestList']>('/requests', {
        ...{ status, request_id: requestId, cursor: beforeId, limit: '25' },
      });
      return {
        nextId: page.next_cursor ?? undefined,
        requests: page.data.map((row) => ({
          ...row,
          requestId: row.request_id,
          requiredScope: row.required_scope,
          durationMs: row.duration_ms,
          leftOut: row.left_out ?? undefined,
        })),
      };
    }}
  />
);
