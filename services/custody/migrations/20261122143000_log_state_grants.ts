import { boundedRotation, sqlMigration } from '@pto/database';

/**
 * Restricts what custody's role may do with the log's state: extend it and halt it. Only the owner
 * may clear `halted` (docs/operators/runbooks/LedgerHalted.md), so an attacker with the service's
 * credentials cannot hide a contradiction.
 */
export const logStateGrants = sqlMigration('20261122143000_log_state_grants', [
  `create function log_state_only_grows() returns trigger language plpgsql as $$
    begin
      if pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member')
        then return new;
      end if;
      if old.halted is not null and new.halted is null then
        raise exception 'only the owner of the database clears a halted log' using errcode = '42501';
      end if;
      if new.size < old.size or new.anchored_size < old.anchored_size
        or new.anchored_hourly_size < old.anchored_hourly_size then
        raise exception 'the sizes of the log never decrease' using errcode = '42501';
      end if;
      return new;
    end $$`,
  `create trigger log_state_only_grows before update on log_state
    for each row execute function log_state_only_grows()`,
  `do $$
    declare grantee text;
    begin
      for grantee in select distinct g.grantee from information_schema.role_table_grants g
        where g.table_name = 'log_state' and g.privilege_type = 'UPDATE'
          and g.grantee <> current_user
      loop
        execute format('revoke insert, update on log_state from %I', grantee);
        execute format('grant update (size, halted, anchored_size, anchored_hourly_size)
          on log_state to %I', grantee);
      end loop;
    end $$`,
  ...boundedRotation({ outbox: 7, inbox: 7 }),
]);
