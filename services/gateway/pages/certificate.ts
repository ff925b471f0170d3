/** Builds and reads the address in the QR code of a printed certificate. Pure. */

/** The last entry of a history, as a certificate identifies it. */
export interface CertifiedHead {
  readonly sequence: number;
  readonly hash: string;
}

/**
 * Returns the address for the QR code: the page's URL with the number of entries and the head hash
 * in the fragment. A browser never sends the fragment to a server.
 */
export const certificateUrl = (page: string, { sequence, hash }: CertifiedHead): string =>
  `${page.replace(/[?#].*$/s, '')}#${sequence}:${hash}`;

/**
 * Reads the number of entries and the head hash from a URL fragment; null for any other fragment.
 */
export const certifiedHead = (fragment: string): CertifiedHead | null => {
  const [, sequence, hash] = /^#(\d{1,7}):([0-9a-f]{64})$/.exec(fragment) ?? [];
  return hash === undefined ? null : { sequence: Number(sequence), hash };
};

/** Returns the SVG path of a QR code: one square of size 1 for each dark module. */
export const modulesPath = (modules: readonly (readonly boolean[])[]): string =>
  modules
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
