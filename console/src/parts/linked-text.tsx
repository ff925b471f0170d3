import { Link } from 'wouter';
import { Text } from './text.tsx';

interface Linked {
  readonly of: string;
  /** The address of its page; empty or undefined: it has none. */
  readonly at: string | undefined;
  readonly className?: string;
  readonly title?: string;
}

/** A text of a partner or an operator, as a link to its page. */
export const LinkedText = ({ of, at, ...link }: Linked) => {
  const text = <Text of={of} />;
  return at ? (
    <Link href={at} {...link}>
      {text}
    </Link>
  ) : (
    text
  );
};
