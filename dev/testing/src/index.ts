export { type Authority, makeAuthority } from './authority.ts';
export { openHolds } from './holds.ts';
export { tlsEnvironment, tlsOf } from './identities.ts';
export {
  judgeSchema,
  organizationTables,
  type SchemaExceptions,
} from './organizations/judge-schema.ts';
export { judgeStatements, type StatementException } from './organizations/judge-statements.ts';
export { recordStatements } from './organizations/recorded-statements.ts';
export { schemaFacts } from './organizations/schema-facts.ts';
export { aPhone, type Phone, type PhoneStep } from './phone.ts';
export {
  pngChunk,
  pngEnd,
  pngHeader,
  pngPicture,
  pngPixels,
  pngSignature,
} from './pictures.ts';
export { pythonWith } from './python.ts';
export { raw, rawBytes, statusesIn } from './raw-http.ts';
export { readingsCsv } from './readings-csv.ts';
export { schemaDrift } from './schema-drift.ts';
export { freePort, sharedStackFolder, stores } from './stores.ts';
export { tablesWith } from './tables-with.ts';
export { type TestDatabase, testDatabase, uniqueName } from './test-database.ts';
export { until } from './until.ts';
