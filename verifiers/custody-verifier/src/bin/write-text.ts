/**
 * Writes text to standard output.
 * @throws Error of the system if the text cannot be written, such as ENOSPC or EPIPE.
 */
export const writeText = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.once('error', reject);
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
