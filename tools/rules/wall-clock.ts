/**
 * Where the wall clock is read: only a time that is stored or shown, or that is compared with a
 * stored one. A duration inside of a process is measured by `performance.now()`, because a step of
 * the wall clock would change it.
 */

/** The files that may read the wall clock, each with one reason for each line that does. */
export const wallClockReads: Readonly<Record<string, readonly string[]>> = {
  'clients/command-line/src/clock.ts': ['stored in signatures, events and reports'],
  'clients/typescript/src/http/error-response.ts': ['compared with an HTTP date'],
  'dev/authority/src/certificate.ts': ['validity of a certificate'],
  'dev/authority/src/identities.ts': ['name of an authority'],
  'dev/bundle/src/built-once.ts': [
    "a folder's time in the file system",
    'compared with a file time',
  ],
  'dev/testing/src/global-setup.ts': ['compared with a file time'],
  'dev/testing/src/phone.ts': ["a phone's own time"],
  'dev/testing/src/readings-csv.ts': ["times of a logger's file"],
  'local/src/demo.ts': ['an external id that is new at each start', "a time in an order's data"],
  'local/src/secrets/authority.ts': ['compared with the end of a certificate'],
  'operator/src/arguments.ts': ['a time in the past, compared with stored times'],
  'operator/src/commands/order-eta.ts': ['the day to which a time of the day belongs'],
  'operator/src/session/provider.ts': ["compared with a token's end", 'compared with its issue'],
  'operator/src/session/credential.ts': ['compared with a file time'],
  'packages/artifacts/src/store/folder.ts': ['compared with a file time'],
  'packages/bus/src/consume/inbox.ts': ['compared with the time in an id'],
  'packages/bus/src/kafka/kafkajs-fixes.ts': ['compared with a time of kafkajs'],
  'packages/database/src/clock-skew.ts': ["compared with the database's clock"],
  'packages/database/src/values.ts': ['the time in an id'],
  'packages/rpc/src/call.ts': ['compared with the end of a certificate'],
  'packages/rpc/src/wire.ts': ['grpc-js has deadlines by the wall clock'],
  'packages/telemetry/src/logger.ts': ['shown in a log line'],
  'services/console/src/browser/pending-cookie.ts': ['stored in a cookie, and compared with it'],
  'services/courier/src/moves/orders.ts': ["a phone's own time"],
  'services/custody/src/anchor/file-anchor.ts': ["the day in a file's name"],
  'services/custody/src/anchor/object-sequence.ts': ["an object's stored retention"],
  'services/custody/src/auditor/metrics.ts': [
    'the start, where no time is stored',
    'compared with a stored time',
  ],
  'services/custody/src/auditor/audit-all.ts': ['stored'],
  'services/gateway/src/admission/require-key.ts': ["compared with a key's stored end"],
  'services/gateway/src/admission/last-used.ts': ['stored'],
  'services/gateway/src/admission/budgets.ts': ['shown in X-RateLimit-Reset'],
  'services/operators/src/drivers/position-service.ts': ['shown on a page'],
  'services/gateway/src/routes/order-links.ts': ['compared with a stored time', 'shown on a page'],
  'services/gateway/src/site/connectivity/connectivity-page.ts': ['the day, shown on a page'],
  'services/gateway/src/site/status/status.ts': ['shown on a page'],
  'services/gateway/src/site/well-known.ts': ['the day on which security.txt expires'],
  'services/operators/src/audit/audit-log.ts': ['part of a stored key'],
  'services/orders/src/changes/apply-command.ts': ['stored in the event'],
  'services/orders/src/changes/artifacts.ts': ['a stored time'],
  'services/orders/src/changes/report-expected-time.ts': ['stored in the order'],
  'services/orders/src/rpc/command-metadata.ts': ['compared with a time that is stored'],
  'services/orders/src/creation/insert-orders.ts': ['stored in the event'],
  'verifiers/webhook-verifier/src/verify-signature.ts': ['compared with a signed time'],
  'verifiers/witness/src/witness.ts': ['a signed time'],
};

/** Whether the rule applies: to every program and client, not to tests. */
export const isChecked = (path: string): boolean =>
  /^(?:services|packages|verifiers|dev|operator|local|clients\/typescript)\/.*\.[cm]?[jt]s$/.test(
    path,
  ) && !/\/(?:test|dist)\//.test(path);

const wallClock =
  /\bDate\s*\.\s*now\b|\bDate\[|\bnew Date(?:\(\s*\)|(?!\s*[(\w]))|(?<![\w.])(?<!new )Date\(\)|\}\s*=\s*(?:globalThis\.)?Date\b/;
const comment = /^\s*(?:\*|\/\*|\/\/)/;

/** Returns the lines of a file that read the wall clock, if they are more or fewer than its reasons. */
export const wallClockViolations = (path: string, source: string): string[] => {
  const lines = source
    .split('\n')
    .flatMap((text, n) => (wallClock.test(text) && !comment.test(text) ? [n + 1] : []));
  const reasons = Object.hasOwn(wallClockReads, path) ? wallClockReads[path]!.length : 0;
  if (lines.length === reasons) return [];
  const where = `${path}:${lines.join(',')}`;
  return [
    `${where}: ${lines.length} lines read the wall clock, and tools/rules/wall-clock.ts has ${reasons} reasons. Measure a duration by performance.now(); list a time that is stored or shown there`,
  ];
};
