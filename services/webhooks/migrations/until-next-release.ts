/** Unique indexes without an organization that the release before needs, and why. */
export const untilNextRelease: Readonly<Record<string, string>> = {
  named_replays_of_command: 'the release before names this column in `on conflict`',
};

/** Plain indexes by which the release before reads, and no statement of this release. */
const reads = ['sequences_of_endpoint', 'pending_of_delivery', 'attempts_of_delivery'];

const filled = [
  ...['endpoint_secrets', 'endpoint_sequences', 'pending_deliveries', 'attempts', 'named_replays'],
];

/** Statements of the next release's migration: nothing reads or writes without an organization then. */
export const contractOfNextRelease: readonly string[] = [
  ...filled.flatMap((table) => [
    `drop trigger fill_organization_id on ${table}`,
    `drop function fill_organization_id_of_${table}()`,
  ]),
  ...[...Object.keys(untilNextRelease), ...reads].map((index) => `drop index ${index}`),
];
