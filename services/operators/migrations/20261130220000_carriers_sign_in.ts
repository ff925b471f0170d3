import { shortMigration } from '@pto/database';

/** Dispatchers of carriers sign in (decision 84): their credentials have a carrier. */
export const carriersSignIn = shortMigration('20261130220000_carriers_sign_in', [
  'alter table operator_tokens add column carrier_id uuid references carriers',
  `alter table operator_tokens add constraint operator_tokens_carrier
    check (('carrier' = any (roles)) = (carrier_id is not null)) not valid`,
  'alter table operator_sessions add column carrier_id uuid',
]);
