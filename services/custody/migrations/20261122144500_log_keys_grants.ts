import { sqlMigration } from '@pto/database';

/**
 * Lets only the owner of the database set the signing keys: an attacker with the service's
 * credentials can neither add a key nor make an ended key valid again. A new database has no key;
 * the service may register the first ones.
 */
export const logKeysGrants = sqlMigration('20261122144500_log_keys_grants', [
  `create function register_first_log_keys(vkeys text[]) returns void
   language plpgsql security definer set search_path = public as $$
    begin
      lock table log_keys in share row exclusive mode;
      if not exists (select from log_keys) then
        insert into log_keys (vkey) select unnest(vkeys) on conflict do nothing;
      end if;
    end $$`,
  'revoke execute on function register_first_log_keys(text[]) from public',
  `do $$
    declare grantee text;
    begin
      for grantee in select distinct g.grantee from information_schema.role_table_grants g
        where g.table_name = 'log_keys' and g.privilege_type = 'INSERT'
          and g.grantee <> current_user
      loop
        execute format('revoke insert, update on log_keys from %I', grantee);
      end loop;
    end $$`,
]);
