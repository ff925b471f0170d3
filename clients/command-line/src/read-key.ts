import { askHidden, readTextStream } from '@pto/terminal';
import { WrongUsage } from './failure.ts';

/** Maximum time in ms for a key on standard input that is no terminal. */
const inputMaxMs = 10_000;
/** Maximum number of bytes of such an input: a key has fewer than 100. */
const inputMaxBytes = 4096;

/**
 * Returns the key that the person types at a question, or the text of standard input if that is no
 * terminal.
 * @throws WrongUsage without a key, or if the input does not end within 10 s; UnreadableText if it is
 *   larger than 4 KiB or not UTF-8.
 */
export const readKey = async (input: NodeJS.ReadStream, question: string): Promise<string> => {
  const given = input.isTTY ? await askHidden(question) : await textOf(input);
  const key = given?.trim();
  if (!key) throw new WrongUsage('No key was given: type it, or write it to standard input.');
  return key;
};

const textOf = async (input: NodeJS.ReadStream): Promise<string> => {
  const late = new WrongUsage('Standard input did not end within 10 s: write the key to it.');
  const timer = setTimeout(() => input.destroy(late), inputMaxMs);
  try {
    return await readTextStream(input, 'Standard input', inputMaxBytes);
  } finally {
    clearTimeout(timer);
  }
};
