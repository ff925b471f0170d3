import { sqlMigration } from '@pto/database';
import { heldOrganizationsTable } from '@pto/moves';

/** Moves of organizations between cells. */
export const moves = sqlMigration('20261128050000_moves', [
  ...heldOrganizationsTable,
  // of the privileges that each new table gives the service's role
  `do $$
    declare grantee text;
    begin
      for grantee in select distinct g.grantee from information_schema.role_table_grants g
        where g.table_name = 'held_organizations' and g.privilege_type = 'UPDATE'
          and g.grantee <> current_user
      loop
        execute format('revoke truncate on held_organizations from %I', grantee);
      end loop;
    end $$`,
]);
