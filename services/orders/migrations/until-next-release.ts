const reads = 'the release before reads by these columns alone';
const conflicts = 'the release before names these columns in `on conflict`';

/** Unique indexes without an organization that the release before needs, and why. */
export const untilNextRelease: Readonly<Record<string, string>> = {
  artifacts_old_key: conflicts,
  disclosures_old_key: reads,
  done_commands_old_key: conflicts,
  entry_operators_old_key: reads,
  integrity_violations_unresolved: conflicts,
  locations_old_key: reads,
  produced_events_old_key: reads,
  unreported_events_old_key: reads,
};

const filled = [
  ...['artifacts', 'disclosures', 'done_commands', 'entry_operators', 'integrity_violations'],
  ...['produced_events', 'unreported_events'],
];

/**
 * Statements of the next release's migration: nothing reads or writes without an organization then.
 * With them, `on conflict do nothing` can name its columns again.
 */
export const contractOfNextRelease: readonly string[] = [
  ...filled.map((table) => `drop trigger ${table}_fill_organization on ${table}`),
  'drop function fill_organization()',
  'drop function fill_violation_organization()',
  ...Object.keys(untilNextRelease).map((index) => `drop index ${index}`),
];
