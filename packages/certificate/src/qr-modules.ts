import encodeQR from 'qr';

/** Maximum number of bytes of a URL in a QR code. */
const bytesMax = 1000;

/**
 * Returns the dark modules of a QR code with a quiet zone, by row.
 * @throws Error for a URL of more than 1,000 bytes
 */
export const qrModules = (url: string): readonly (readonly boolean[])[] => {
  const bytes = new TextEncoder().encode(url).length; // a browser has no Buffer
  if (bytes > bytesMax)
    throw new Error(`the URL for the QR code has ${bytes} bytes; use at most ${bytesMax}`);
  return encodeQR(url, 'raw', { ecc: 'medium', border: 4 });
};

/** Returns a path of the dark modules: one rectangle for each run of them in a row. */
export const modulesPath = (modules: readonly (readonly boolean[])[]): string =>
  modules
    .flatMap((row, y) =>
      row.flatMap((isDark, x) => {
        if (!isDark || row[x - 1]) return [];
        const end = row.indexOf(false, x);
        const length = (end < 0 ? row.length : end) - x;
        return `M${x} ${y}h${length}v1h-${length}z`;
      }),
    )
    .join('');
