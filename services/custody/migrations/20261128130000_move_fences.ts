import { sqlMigration } from '@pto/database';
import { moveFencesTable } from '@pto/moves';

/** A call of a try that lost its move holds no organization that a later try has released. */
export const moveFences = sqlMigration('20261128130000_move_fences', [
  ...moveFencesTable,
  // of the privileges that each new table gives the service's role
  `do $$
    declare grantee text;
    begin
      for grantee in select distinct g.grantee from information_schema.role_table_grants g
        where g.table_name = 'move_fences' and g.privilege_type = 'UPDATE'
          and g.grantee <> current_user
      loop
        execute format('revoke truncate on move_fences from %I', grantee);
      end loop;
    end $$`,
]);
