/** Returns the time of this machine in milliseconds, for signatures, sample events and reports. */
export const epochMs = (): number => Date.now();

/** Returns the time of a signature in seconds since the epoch. */
export const epochSeconds = (): number => Math.floor(epochMs() / 1000);
