import { randomBytes } from 'node:crypto';
import { dropDatabase, provision } from '@pto/database/provision';
import { stores } from './stores.ts';

export interface TestDatabase {
  readonly name: string;
  readonly ownerUrl: string;
  readonly serviceUrl: string;
  readonly readerUrl: string;
  /**
   * URL of the operators service's role. The role gets rights only from migrations of the database
   * `access`.
   */
  readonly operatorsUrl: string;
  /** URL of the superuser for this database. */
  readonly superuserUrl: string;
  drop(): Promise<void>;
}

/** Creates an empty database with the roles that a service's database has in production. */
export const testDatabase = async (prefix: string): Promise<TestDatabase> => {
  const admin = stores().postgres;
  const name = uniqueName(prefix);
  const password = () => randomBytes(18).toString('base64url');
  const urls = await provision(admin, name, {
    ownerPassword: password(),
    servicePassword: password(),
    readerPassword: password(),
    operatorsPassword: password(),
  });
  const superuserUrl = new URL(admin);
  superuserUrl.pathname = `/${name}`;
  return {
    name,
    ...urls,
    superuserUrl: superuserUrl.href,
    drop: () => dropDatabase(admin, name),
  };
};

/**
 * Returns a unique name, e.g. `orders_3f9a0c1d22b4`, for a database, a topic, a consumer group or a
 * key prefix. It has lower-case letters, digits and underscores only.
 */
export const uniqueName = (prefix: string): string =>
  `${prefix.toLowerCase().replace(/[^a-z0-9_]+/g, '_')}_${randomBytes(6).toString('hex')}`;
