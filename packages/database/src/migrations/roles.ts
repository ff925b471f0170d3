import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { type Client, escapeLiteral, escapeIdentifier as name } from 'pg';

export const rolesOf = (database: string) => {
  if (!/^[a-z][a-z0-9_]{0,49}$/.test(database))
    throw new Error(`invalid database name: ${database}`);
  return {
    owner: `${database}_owner`,
    service: `${database}_service`,
    reader: `${database}_reader`,
    operators: `${database}_operators`,
  };
};

type Roles = ReturnType<typeof rolesOf>;

export const setRole = async (admin: Client, role: string, password: string): Promise<void> => {
  const found = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  if (found.rowCount === 0) await admin.query(`CREATE ROLE ${name(role)}`);
  const verifier = escapeLiteral(scramVerifier(password));
  await admin.query(`ALTER ROLE ${name(role)} LOGIN PASSWORD ${verifier}`);
};

export const isSuperuser = async (admin: Client): Promise<boolean> => {
  const { rows } = await admin.query("SELECT current_setting('is_superuser') = 'on' AS yes");
  return rows[0].yes;
};

export const grantInside = async (
  inside: Client,
  { owner, service, reader }: Omit<Roles, 'operators'>,
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
