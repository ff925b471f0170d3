/** The form of a personal token (decision 59): a checked secret with its own prefix. */
import { isCheckedSecret, newCheckedSecret } from '../access/checked-secret.ts';

const prefix = 'opt_';

export const newToken = (): string => newCheckedSecret(prefix);
/** Returns whether the text has the prefix of a personal token, misspelled or not. */
export const looksLikeToken = (text: string): boolean => text.startsWith(prefix);
export const isToken = (text: string): boolean => isCheckedSecret(prefix, text);
