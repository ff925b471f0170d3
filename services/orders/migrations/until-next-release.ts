/**
 * Unique indexes and foreign keys without an organization that the release before needs. The next
 * release drops them by a migration, and their lines here.
 */
export const untilNextRelease: Readonly<Record<string, string>> = {};
