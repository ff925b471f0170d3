import { onlineMigration, shortTransaction } from '@pto/database';
import { heldOrganizationsTable } from '@pto/moves';

/** The columns of endpoints that partners and operators change, not those of their health. */
const changed = [
  'url',
  'url_version',
  'status',
  'disabled',
  'event_filter',
  'generation',
  'verify_by',
  'rehearsal_speed',
  'rehearsal_faults',
  'rehearsal_ends_at',
];

/**
 * Moves of organizations between cells. A row-level trigger runs after PostgreSQL has locked the
 * row, so a change of a row that Hold locks sees the hold. The lock of an endpoint covers the inserts
 * of its secrets; the organization's name covers those of endpoints and creations
 * (src/moves/hold.ts). Reseals of secrets change no secret, and are not rejected.
 */
export const moves = onlineMigration('20261128050000_moves', [
  shortTransaction('held organizations', [
    ...heldOrganizationsTable,
    `create function reject_while_held() returns trigger language plpgsql as $$
     begin
       if tg_op = 'DELETE' then
         perform require_not_held(old.organization_id);
         return old;
       end if;
       perform require_not_held(new.organization_id);
       return new;
     end $$`,
  ]),
  shortTransaction('endpoints: paused', [
    // while a move holds the organization: nothing is sent, and no work of this service changes it
    'alter table endpoints add column paused boolean not null default false',
    `create trigger held before insert or delete or update of ${changed.join(', ')} on endpoints
     for each row execute function reject_while_held()`,
  ]),
  shortTransaction('endpoint_secrets: reject while held', [
    `create trigger held before insert or update of expires_at on endpoint_secrets
     for each row execute function reject_while_held()`,
  ]),
  shortTransaction('endpoint_creations: reject while held', [
    `create trigger held before insert or update on endpoint_creations
     for each row execute function reject_while_held()`,
  ]),
]);
