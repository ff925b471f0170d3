/** The German words of the portal, by the English ones (`parts/words.ts`), in a file for each room. */
import type { Words } from '../../parts/words.ts';
import { codes } from './codes.ts';
import { endpoints } from './endpoints.ts';
import { frame } from './frame.ts';
import { keys } from './keys.ts';
import { order } from './order.ts';
import { pages } from './pages.ts';

export const german: Words = { ...codes, ...frame, ...pages, ...order, ...endpoints, ...keys };
