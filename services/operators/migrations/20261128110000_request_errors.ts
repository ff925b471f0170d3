import { sqlMigration } from '@pto/database';

/** Why a request was rejected: names of the contract, and never what the client sent. */
export const requestErrors = sqlMigration('20261128110000_request_errors', [
  `alter table requests
    -- a line for each of at most 10 errors: its type, a space, its field
    add column errors text collate "C",
    -- the scope that a 403 names
    add column required_scope text collate "C",
    -- the existing rows have no errors: they are not read under the lock
    add constraint requests_errors_check check (octet_length(errors) <= 2048) not valid`,
]);
