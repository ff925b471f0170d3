import type { Schemas } from './schemas.ts';
import { Text } from './text.tsx';

const shortMax = 60;

/** Returns the first line of what a receiver answered, cut where it is long. */
export const firstLine = (body: string): string => {
  const [line = ''] = body.trimStart().split('\n');
  return line.length > shortMax ? `${[...line].slice(0, shortMax).join('')}…` : line;
};

/** What the receiver answered to the last attempt: its first line, and all that is stored when opened. */
export const Answer = ({ of }: { of: Schemas['Delivery']['attempts'] }) => {
  const body = of.at(-1)?.response_body;
  if (!body) return null;
  const line = firstLine(body);
  if (line === body) return <Text of={body} />;
  return (
    <details className="answer">
      <summary>
        <Text of={line} />
      </summary>
      <pre>
        <Text of={body} />
      </pre>
    </details>
  );
};
