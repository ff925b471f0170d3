/** An earlier state of one database, as a standby that lacks the last commits or a backup has it. */

import { until } from '@pto/testing';
import type pg from 'pg';
import { asSuperuser, type DatabaseName } from '../as-superuser.ts';
import type { Mesh } from '../mesh.ts';

const copyOf = (database: DatabaseName): string => `${database}_earlier`;

const endSessions = (client: pg.Client, database: string): Promise<unknown> =>
  client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    database,
  ]);

/** Copies the database as it is now. Its sessions are ended; services connect again by themselves. */
export const takeSnapshot = (mesh: Mesh, database: DatabaseName): Promise<void> =>
  asSuperuser(mesh, 'postgres', async (client) => {
    await client.query(`alter database ${database} allow_connections false`);
    try {
      await until(
        async () => {
          await endSessions(client, database);
          await client.query(`create database ${copyOf(database)} template ${database}`);
          return true;
        },
        { what: `a copy of ${database}` },
      );
    } finally {
      await client.query(`alter database ${database} allow_connections true`);
    }
  });

/** Puts the copy in the database's place, in one moment for the services: a failover that loses commits. */
export const restoreSnapshot = (mesh: Mesh, database: DatabaseName): Promise<void> =>
  asSuperuser(mesh, 'postgres', async (client) => {
    const { rows } = await client.query<{ owner: string; acl: string[] }>(
      `select pg_get_userbyid(datdba) as owner,
         array(select pg_get_userbyid(grantee)::text from aclexplode(datacl)
           where privilege_type = 'CONNECT') as acl
       from pg_database where datname = $1`,
      [database],
    );
    const { owner, acl } = rows[0]!;
    const copy = copyOf(database);
    await client.query(`alter database ${copy} owner to ${owner}`);
    await client.query(`revoke all on database ${copy} from public`);
    await client.query(`grant connect on database ${copy} to ${acl.join(', ')}`);
    await client.query(`drop database ${database} with (force)`);
    await client.query(`alter database ${copy} rename to ${database}`);
  });
