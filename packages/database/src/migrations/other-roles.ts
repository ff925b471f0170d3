/**
 * Returns a statement of the owner that changes the rights of every other role which has a privilege.
 * @param privilege condition on a row `g` of information_schema.role_table_grants.
 * @param changes `grant` and `revoke` statements, with `%I` in place of the role.
 */
export const forOtherRoles = (privilege: string, changes: readonly string[]): string => `do $$
  declare
    grantee text;
    change text;
  begin
    for grantee in select distinct g.grantee from information_schema.role_table_grants g
      where ${privilege} and g.grantee <> current_user
    loop
      foreach change in array array[${changes.map((change) => `'${change}'`).join(', ')}] loop
        execute format(change, grantee);
      end loop;
    end loop;
  end $$`;
