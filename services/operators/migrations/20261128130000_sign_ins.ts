import { sqlMigration } from '@pto/database';

/**
 * Sign-ins with OpenID that have started a session of the console: each starts one. The role of the
 * gateway has no right on them.
 */
export const signIns = sqlMigration('20261128130000_sign_ins', [
  `create table operator_sign_ins (
    -- SHA-256 of the nonce that the console chose for the sign-in; of an ID token without one
    hash bytea primary key check (octet_length(hash) = 32),
    -- the row is removed later
    ends_at timestamptz not null
  )`,
  'create index operator_sign_ins_by_end on operator_sign_ins (ends_at)',
  `do $$ begin
    execute format('revoke all on operator_sign_ins from %I', current_database() || '_service');
    execute format('grant select, insert, delete on operator_sign_ins to %I',
      current_database() || '_operators');
  end $$`,
]);
