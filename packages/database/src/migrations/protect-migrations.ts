/**
 * Returns a statement for the owner that revokes the right to write the list of migrations from
 * every other role. A service's role that adds a name would make the next release skip that
 * migration and its grants; a role that removes a name would make that migration run twice.
 */
export const protectMigrations = (tableName: string): string => `do $$
  declare grantee text;
  begin
    for grantee in select distinct g.grantee from information_schema.role_table_grants g
      where g.table_name = '${tableName}' and g.grantee <> current_user and g.privilege_type <> 'SELECT'
    loop
      execute format(
        'revoke insert, update, delete, truncate, references, trigger on ${tableName} from %I', grantee);
    end loop;
  end $$`;
