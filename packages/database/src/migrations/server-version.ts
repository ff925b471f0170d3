/** Oldest major version of PostgreSQL that has every statement of the migrations. */
const oldest = 16;

/**
 * Checks that a server is new enough for the migrations, before a statement changes anything.
 * @param show runs `show` and returns its rows.
 * @throws Error naming the server's version and the required one.
 */
export const checkServerVersion = async (
  show: (text: string) => Promise<readonly { server_version?: string }[]>,
): Promise<void> => {
  const [row] = await show('show server_version');
  const version = row?.server_version ?? '';
  if (Number.parseInt(version, 10) >= oldest) return;
  throw new Error(
    `the server is PostgreSQL ${version}: upgrade it to PostgreSQL ${oldest} or newer`,
  );
};
