import { escapeIdentifier as name } from 'pg';
import { connected, withDatabase, withLogin } from './admin-connection.ts';
import { grantInside, isSuperuser, rolesOf, setRole } from './roles.ts';

/** Passwords of a database's roles. */
export interface RolePasswords {
  readonly ownerPassword: string;
  readonly servicePassword: string;
  readonly readerPassword: string;
  /** Only for the database `access`: the operators service's role (decision 59). */
  readonly operatorsPassword?: string;
}

export interface ProvisionedDatabase {
  /** Role that may change the schema, for migrations. */
  readonly ownerUrl: string;
  /** Role that reads and writes rows and creates nothing, for the service. */
  readonly serviceUrl: string;
  /** Role that reads everything and writes nothing, for auditors. */
  readonly readerUrl: string;
  /**
   * Role of the operators service; empty if no password was given. Migrations grant its rights,
   * table by table.
   */
  readonly operatorsUrl: string;
}

/**
 * Key of the advisory lock that admits one provisioning at a time on a server. Any unused number.
 */
const lockKey = 7_265_116;

/**
 * Creates a database with the roles `<database>_owner`, `<database>_service` and
 * `<database>_reader`, or changes an existing database and its roles to this form. If
 * `operatorsPassword` is given, also creates the role `<database>_operators`. May be repeated, also
 * concurrently. Rights on a table that a migration revoked from the service's role stay revoked,
 * because this function grants only the defaults for new objects.
 * @param adminUrl URL of a superuser, or of a role with CREATEDB and CREATEROLE.
 * @throws Error of PostgreSQL, or for a name that is not `[a-z][a-z0-9_]*` of at most 50
 *   characters.
 */
export const provision = async (
  adminUrl: string,
  database: string,
  passwords: RolePasswords,
): Promise<ProvisionedDatabase> => {
  const { owner, service, reader, operators } = rolesOf(database);
  const { operatorsPassword } = passwords;
  await connected(adminUrl, async (admin) => {
    await admin.query('SELECT pg_advisory_lock($1)', [lockKey]);
    await setRole(admin, owner, passwords.ownerPassword);
    await setRole(admin, service, passwords.servicePassword);
    await setRole(admin, reader, passwords.readerPassword);
    if (operatorsPassword) await setRole(admin, operators, operatorsPassword);
    const superuser = await isSuperuser(admin);
    // a role that is not a superuser must be a member of another role to act as that role
    if (!superuser) await admin.query(`GRANT ${name(owner)} TO CURRENT_USER`);
    const found = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (found.rowCount === 0) {
      await admin.query(`CREATE DATABASE ${name(database)} OWNER ${name(owner)}`);
    }
    await admin.query(`REVOKE ALL ON DATABASE ${name(database)} FROM PUBLIC`);
    const connecting = [service, reader, ...(operatorsPassword ? [operators] : [])];
    const users = connecting.map(name).join(', ');
    await admin.query(`GRANT CONNECT ON DATABASE ${name(database)} TO ${users}`);
    // inside the lock: concurrent grants would conflict on the same catalog rows
    await connected(withDatabase(adminUrl, database), (inside) =>
      grantInside(inside, { owner, service, reader }, superuser, users),
    );
  });
  return {
    ownerUrl: withLogin(adminUrl, database, owner, passwords.ownerPassword),
    serviceUrl: withLogin(adminUrl, database, service, passwords.servicePassword),
    readerUrl: withLogin(adminUrl, database, reader, passwords.readerPassword),
    operatorsUrl: operatorsPassword
      ? withLogin(adminUrl, database, operators, operatorsPassword)
      : '',
  };
};

/**
 * Drops a database and its roles, and closes the database's connections. Does nothing for parts
 * that do not exist.
 * @throws Error if the database was not created by `provision`.
 */
export const dropDatabase = async (adminUrl: string, database: string): Promise<void> => {
  const { owner, service, reader, operators } = rolesOf(database);
  await connected(adminUrl, async (admin) => {
    const found = await admin.query(
      'SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = $1',
      [database],
    );
    if (found.rowCount === 1 && found.rows[0].owner !== owner) {
      throw new Error(
        `the database ${database} on this server is not ours: ${owner} does not own it`,
      );
    }
    await admin.query(`DROP DATABASE IF EXISTS ${name(database)} WITH (FORCE)`);
    const roles = [owner, service, reader, operators].map(name).join(', ');
    await admin.query(`DROP ROLE IF EXISTS ${roles}`);
  });
};
