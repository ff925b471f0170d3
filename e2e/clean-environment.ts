/** Without the settings of the test runner's environment. */
export const cleanEnvironment = (): NodeJS.ProcessEnv => {
  const { DATABASE_URL, REDIS_URL, KAFKA_BROKERS, LOCAL_DIR, PORT, NODE_OPTIONS, ...rest } =
    process.env;
  return rest;
};
