/** The command was not understood, or a file it names cannot be read: nothing has been judged. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}
