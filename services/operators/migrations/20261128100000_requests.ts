import { boundedRotation, dailyPartitions, sqlMigration } from '@pto/database';

/**
 * The log of the partners' requests. The gateway adds rows and reads them, this service reads them
 * and drops each day after a week; neither changes a row.
 */
export const requests = sqlMigration('20261128100000_requests', [
  `create table requests (
    organization_id uuid not null,
    -- UUIDv7 of the request's arrival, by the gateway's clock
    id uuid not null,
    key_id uuid not null,
    -- the collation "C" halves the cost of the indexes
    method text collate "C" not null,
    -- below the base path, without the query
    path text not null check (char_length(path) <= 255),
    -- name of the operation; null: none matched
    operation text,
    -- 499: the client disconnected before the response
    status int not null,
    -- code of the error (contract 7)
    code text,
    -- X-Request-Id that the client chose; null: the response had "id"
    request_id text collate "C" check (char_length(request_id) <= 128),
    duration_ms int not null,
    -- number of later requests of the same minute that have no row
    left_out int,
    primary key (organization_id, id)
  ) partition by range (id)`,
  `create index requests_by_request_id on requests (organization_id, request_id, id)
    where request_id is not null`,
  'create index requests_by_outcome on requests (organization_id, method, status, id)',
  ...dailyPartitions({ requests: 'false' }),
  ...boundedRotation({ requests: 7 }, { onlyThroughParent: true }),
  // revokes the default rights on the partitions that exist
  "select rotate_daily_partitions('requests', 7, 7)",
  `do $$
    declare
      service text := current_database() || '_service';
      operators text := current_database() || '_operators';
    begin
      execute format('revoke all on requests from %I', service);
      execute format('grant select, insert on requests to %I', service);
      execute format('grant select on requests to %I', operators);
      execute format(
        'revoke execute on function rotate_daily_partitions(text, int, int) from %I', service);
      execute format(
        'grant execute on function rotate_daily_partitions(text, int, int) to %I', operators);
    end $$`,
]);
