/**
 * Loaded before a program of the local stack: replaces the settings that the store of secrets has
 * changed since the launcher's start, as a pod reads its Secrets when it starts. A setting that the
 * process does not have stays absent.
 */
import { existsSync, readFileSync } from 'node:fs';

/** What the store has changed. */
export interface StoredSettings {
  readonly settings: Readonly<Record<string, string>>;
  /** Passwords of PostgreSQL's roles, for the URLs of databases. */
  readonly passwords: Readonly<Record<string, string>>;
}

const urls = ['DATABASE_URL', 'MIGRATION_DATABASE_URL'];

const path = process.env.DRILL_SECRETS ?? '';
if (existsSync(path)) {
  const { settings, passwords } = JSON.parse(readFileSync(path, 'utf8')) as StoredSettings;
  for (const [name, value] of Object.entries(settings))
    if (process.env[name] !== undefined) process.env[name] = value;
  for (const name of urls) {
    const url = process.env[name] ? new URL(process.env[name]) : undefined;
    const password = url && passwords[url.username];
    if (!url || password === undefined) continue;
    url.password = password;
    process.env[name] = url.href;
  }
}
