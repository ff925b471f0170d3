/**
 * The arguments are wrong, or a file that they name cannot be read or is malformed. No verdict was
 * reached.
 */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}
