import { Text } from '../parts/text.tsx';
import { type Reason, textOf } from './failure-words.ts';

/** What went wrong and what to do, with the sentence of the service. */
export const Problem = ({ of }: { of: Reason }) => (
  <>
    {textOf(of)}{' '}
    {of.message && (
      <small lang="en">
        <Text of={of.message} />
      </small>
    )}
  </>
);
