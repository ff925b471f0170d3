import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/**
 * Returns what PostgreSQL stores for a password (RFC 5803). The verifier is sent in place of the
 * password, so a server that logs statements never logs a password. Passwords are ASCII, so
 * SASLprep would change nothing.
 */
export const scramVerifier = (password: string): string => {
  const [salt, iterations] = [randomBytes(16), 4096];
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyed = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  const server = keyed('Server Key').toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${server}`;
};
