import { partsOf } from './visible-text.ts';

/** A text with so many characters without a blank may break anywhere: ids, hashes, URLs. */
const long = /\S{25}/;

/**
 * A text of a partner, a receiver or an operator: nothing in it changes the direction of the text
 * around it, its line breaks stay, and its invisible characters are marked.
 */
export const Text = ({ of }: { of: string }) => (
  <bdi className={long.test(of) ? 'text long' : 'text'}>
    {partsOf(of).map(({ text, isMark }, n) =>
      isMark ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part has no other identity
        <span key={n} className="mark" dir="ltr">
          {text}
        </span>
      ) : (
        text
      ),
    )}
  </bdi>
);
