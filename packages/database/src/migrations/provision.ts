import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { Client, escapeLiteral, escapeIdentifier as name } from 'pg';
import { sessionOptions } from '../connections/pool.ts';
import { checkServerVersion } from './server-version.ts';

/** Passwords of a database's roles. */
export interface RolePasswords {
  readonly ownerPassword: string;
  readonly servicePassword: string;
  readonly readerPassword: string;
  /** Only for the database `access`: the operators service's role (decision 59). */
  readonly operatorsPassword?: string;
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
 * @throws Error of PostgreSQL, for a server that is too old, or for a name that is not
 *   `[a-z][a-z0-9_]*` of at most 50 characters.
 */
export const provision = async (adminUrl: string, database: string, passwords: RolePasswords) => {
  const { owner, service, reader, operators } = rolesOf(database);
  const { operatorsPassword } = passwords;
  await connected(adminUrl, async (admin) => {
    await checkServerVersion(async (text) => (await admin.query(text)).rows);
    await admin.query('SELECT pg_advisory_lock($1)', [lockKey]);
    await setRole(admin, owner, passwords.ownerPassword);
    await setRole(admin, service, passwords.servicePassword);
    await setRole(admin, reader, passwords.readerPassword);
    if (operatorsPassword) await setRole(admin, operators, operatorsPassword);
    const { rows } = await admin.query("SELECT current_setting('is_superuser') = 'on' AS yes");
    const superuser: boolean = rows[0].yes;
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
    await connected(urlOf(adminUrl, database), (inside) =>
      grantInside(inside, { owner, service, reader }, superuser, users),
    );
  });
  return {
    /** Role that may change the schema, for migrations. */
    ownerUrl: urlOf(adminUrl, database, owner, passwords.ownerPassword),
    /** Role that reads and writes rows and creates nothing, for the service. */
    serviceUrl: urlOf(adminUrl, database, service, passwords.servicePassword),
    /** Role that reads everything and writes nothing, for auditors. */
    readerUrl: urlOf(adminUrl, database, reader, passwords.readerPassword),
    /**
     * Role of the operators service; empty without a password. Migrations grant its rights, table by
     * table.
     */
    operatorsUrl: operatorsPassword ? urlOf(adminUrl, database, operators, operatorsPassword) : '',
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
    const drop = `DROP DATABASE IF EXISTS ${name(database)}`;
    // FORCE may not end an autovacuum worker, a superuser's; without FORCE the server itself ends it.
    await admin.query(`${drop} WITH (FORCE)`).catch((error) => {
      if (error.code !== '42501') throw error;
      return admin.query(drop);
    });
    const roles = [owner, service, reader, operators].map(name).join(', ');
    await admin.query(`DROP ROLE IF EXISTS ${roles}`);
  });
};

const connected = async <T>(url: string, use: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 60_000,
    application_name: 'provision',
    options: sessionOptions(),
  });
  client.on('error', () => {}); // the current query rejects with the same error
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
};

/** Returns the URL with another database, and with another login if one is given. */
const urlOf = (url: string, database: string, user?: string, password = ''): string => {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  if (user !== undefined) {
    changed.username = user;
    changed.password = encodeURIComponent(password);
  }
  return changed.href;
};

const rolesOf = (database: string) => {
  if (!/^[a-z][a-z0-9_]{0,49}$/.test(database))
    throw new Error(`invalid database name: ${database}`);
  return {
    owner: `${database}_owner`,
    service: `${database}_service`,
    reader: `${database}_reader`,
    operators: `${database}_operators`,
  };
};

const setRole = async (admin: Client, role: string, password: string): Promise<void> => {
  const found = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  if (found.rowCount === 0) await admin.query(`CREATE ROLE ${name(role)}`);
  const verifier = escapeLiteral(scramVerifier(password));
  await admin.query(`ALTER ROLE ${name(role)} LOGIN PASSWORD ${verifier}`);
};

const grantInside = async (
  inside: Client,
  { owner, service, reader }: Omit<ReturnType<typeof rolesOf>, 'operators'>,
  superuser: boolean,
  users: string,
): Promise<void> => {
  const defaults = `ALTER DEFAULT PRIVILEGES FOR ROLE ${name(owner)} GRANT`;
  const to = `TO ${name(service)}`;
  await inside.query(`
    REVOKE ALL ON SCHEMA public FROM PUBLIC;
    GRANT ALL ON SCHEMA public TO ${name(owner)};
    GRANT USAGE ON SCHEMA public TO ${users};
    ${defaults} SELECT, INSERT, UPDATE, DELETE ON TABLES ${to};
    ${defaults} USAGE ON SEQUENCES ${to};
    ${defaults} EXECUTE ON FUNCTIONS ${to};
    ${defaults} SELECT ON TABLES TO ${name(reader)};
  `);
  // tables that were created before the reader's role get no default privileges for it
  await inside.query(`SET ROLE ${name(owner)}`);
  await inside.query(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${name(reader)}`);
  await inside.query('RESET ROLE');
  // every role may create large objects by default
  if (superuser) {
    await inside.query(`
      REVOKE EXECUTE ON FUNCTION lo_create(oid), lo_creat(integer), lo_from_bytea(oid, bytea)
      FROM PUBLIC`);
  }
};

/**
 * Returns what PostgreSQL stores for a password (RFC 5803). The verifier is sent in place of the
 * password, so a server that logs statements never logs a password. Passwords are ASCII, so
 * SASLprep would change nothing.
 */
const scramVerifier = (password: string): string => {
  const [salt, iterations] = [randomBytes(16), 4096];
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  const server = keyed('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`;
};
