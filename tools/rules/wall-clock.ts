/**
 * Where the wall clock is read: only a time that is stored or shown, or that is compared with a
 * stored one. A duration inside of a process is measured by `performance.now()`, because a step of
 * the wall clock would change it.
 */

interface Place {
  readonly path: string;
  /** The code that stands in the line. */
  readonly code: string;
  readonly reason: string;
}

const place = (path: string, code: string, reason: string): Place => ({ path, code, reason });

export const wallClockPlaces: readonly Place[] = [
  place(
    'clients/typescript/src/http/error-response.ts',
    "'retry-after'",
    'compared with an HTTP date',
  ),
  place('dev/authority/src/certificate.ts', 'const now', 'validity of a certificate'),
  place('dev/authority/src/identities.ts', 'const subject', 'name of an authority'),
  place('dev/bundle/src/recent-bundle.ts', 'const now', "a folder's time in the file system"),
  place('dev/bundle/src/recent-bundle.ts', 'statSync(dir).mtimeMs', 'compared with a file time'),
  place(
    'dev/testing/src/abandoned-folders.ts',
    'statSync(dir).ctimeMs',
    'compared with a file time',
  ),
  place('local/src/demo/demo.ts', 'external_id', 'an external id that is new at each start'),
  place('local/src/demo/demo.ts', 'pickup_window_start', "a time in an order's data"),
  place('local/src/operators/operator-token.ts', 'expiresAt', 'compared with the end of a token'),
  place('local/src/secrets/authority.ts', 'const name', 'name of an authority'),
  place(
    'local/src/secrets/authority.ts',
    'certificate.validTo',
    'compared with the end of a certificate',
  ),
  place(
    'operator/src/arguments.ts',
    'duration(text)',
    'a time in the past, compared with stored times',
  ),
  place('operator/src/session/provider.ts', 'expiresAt', 'compared with the end of a token'),
  place('operator/src/session/provider.ts', 'const issuedAt', 'compared with a time of issue'),
  place(
    'operator/src/session/session-lock.ts',
    'statSync(lock).mtimeMs',
    'compared with a file time',
  ),
  place(
    'packages/bus/src/consume/inbox.ts',
    'requireRemembered',
    'compared with the time in an id',
  ),
  place(
    'packages/bus/src/kafka/kafkajs-fixes.ts',
    'this.lastRequest',
    'compared with a time of kafkajs',
  ),
  place(
    'packages/database/src/clock-skew.ts',
    'const [wall, begun]',
    "compared with the database's clock",
  ),
  place('packages/database/src/values/uuidv7.ts', 'uuidv7 =', 'the time in an id'),
  place('packages/rpc/src/identity.ts', 'peer.until', 'compared with the end of a certificate'),
  place(
    'packages/rpc/src/wall-clock.ts',
    'performance.now()',
    'grpc-js has deadlines by the wall clock',
  ),
  place('packages/telemetry/src/logger.ts', 'timestamp:', 'shown in a log line'),
  place('services/custody/src/anchor/file-anchor.ts', 'const now', "the day in a file's name"),
  place(
    'services/custody/src/anchor/object-sequence.ts',
    'retentionMs',
    "an object's stored retention",
  ),
  place('services/custody/src/auditor/metrics.ts', 'completedAt', 'compared with a stored time'),
  place('services/custody/src/auditor/pass.ts', 'fullCompletedAt', 'stored'),
  place(
    'services/gateway/src/authentication/authenticate.ts',
    'expiresAt',
    "compared with a key's stored end",
  ),
  place('services/gateway/src/authentication/last-used.ts', 'const minute', 'stored'),
  place('services/gateway/src/limits/budget.ts', 'reset:', 'shown in X-RateLimit-Reset'),
  place('services/operators/src/audit/audit-log.ts', 'hourMs', 'part of a stored key'),
  place('services/orders/src/changes/apply-command.ts', 'decide(', 'stored in the event'),
  place('services/orders/src/creation/insert-orders.ts', 'decide(', 'stored in the event'),
  place(
    'verifiers/webhook-verifier/src/verify-signature.ts',
    'toleranceSeconds',
    'compared with a signed time',
  ),
  place('verifiers/witness/src/witness.ts', 'cosign(', 'a signed time'),
];

/** Whether the rule applies: to every program and client, not to tests. */
export const isChecked = (path: string): boolean =>
  /^(?:services|packages|verifiers|dev|operator|local|clients\/typescript)\/.*\.[cm]?[jt]s$/.test(
    path,
  ) && !/\/(?:test|dist)\//.test(path);

const wallClock =
  /\bDate\s*\.\s*now\b|\bDate\[|\bnew Date(?:\(\s*\)|(?!\s*[(\w]))|(?<![\w.])(?<!new )Date\(\)|\}\s*=\s*(?:globalThis\.)?Date\b/;
const comment = /^\s*(?:\*|\/\*|\/\/)/;

/**
 * Returns the lines of a file that read the wall clock at a place that is not listed, and the
 * places of the file that read it no more.
 */
export const wallClockViolations = (path: string, source: string): string[] => {
  const reads = source
    .split('\n')
    .map((text, n) => ({ text, line: n + 1 }))
    .filter(({ text }) => wallClock.test(text) && !comment.test(text));
  const places = wallClockPlaces.filter((one) => one.path === path);
  return [
    ...reads
      .filter(({ text }) => !places.some(({ code }) => text.includes(code)))
      .map(
        ({ line }) =>
          `${path}:${line}: reads the wall clock. Measure a duration by performance.now(); list a time that is stored or shown in tools/rules/wall-clock.ts`,
      ),
    ...places
      .filter(({ code }) => !reads.some(({ text }) => text.includes(code)))
      .map(
        ({ code }) =>
          `${path}: \`${code}\` is listed in tools/rules/wall-clock.ts, but reads no wall clock`,
      ),
  ];
};

/** Returns the listed files that do not exist. */
export const missingFiles = (paths: readonly string[]): string[] => {
  const present = new Set(paths);
  return [...new Set(wallClockPlaces.map(({ path }) => path))]
    .filter((path) => !present.has(path))
    .map((path) => `${path}: does not exist`);
};
