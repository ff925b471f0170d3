export { type Authority, makeAuthority } from './authority.ts';
export { freePort } from './free-port.ts';
export { tlsEnvironment, tlsOf } from './identities.ts';
export { pythonWith } from './python.ts';
export { schemaDrift } from './schema/schema-drift.ts';
export { stores, type TestStores } from './stores.ts';
export { type TestDatabase, testDatabase } from './test-database.ts';
export { uniqueName } from './unique-name.ts';
export { until } from './until.ts';
