export const at = (port: number): string => `http://127.0.0.1:${port}`;
/** Returns the URL of an internal port, which requires mutual TLS. */
export const within = (port: number): string => `https://127.0.0.1:${port}`;
