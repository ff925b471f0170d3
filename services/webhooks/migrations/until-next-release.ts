/**
 * Unique indexes without an organization that the release before needs: it names their columns in
 * `on conflict`. The next release drops them by a migration, with these parts of
 * `20261128030000_organization_keys` that the release before needs, too: the triggers
 * `fill_organization_id` with their functions, and the plain indexes `sequences_of_endpoint`,
 * `pending_of_delivery` and `attempts_of_delivery`.
 */
export const untilNextRelease: Readonly<Record<string, string>> = {
  named_replays_of_command: 'the target of an `on conflict` of the release before',
};
