import { sqlMigration } from '@pto/database';

/** What the role of the gateway reads of an organization: no mail addresses of administrators. */
const read = ['id', 'name', 'enabled', 'created_at', 'cell', 'is_moving'];

/** The addresses are the operators service's alone, which gives them to webhooks by an RPC. */
export const gatewayRights = sqlMigration('20261129180000_gateway_rights', [
  `do $$ begin
    execute format('revoke select on organizations from %I', current_database() || '_service');
    execute format('grant select (${read.join(', ')}) on organizations to %I',
      current_database() || '_service');
  end $$`,
]);
