import { firstLine } from '@pto/representation';
import type { Schemas } from './schemas.ts';
import { Text } from './text.tsx';

/** The response to the last attempt: its first line, and all that is stored of it when opened. */
export const ResponseBody = ({ of }: { of: Schemas['Delivery']['attempts'] }) => {
  const body = of.at(-1)?.response_body;
  if (!body) return null;
  const line = firstLine(body);
  if (line === body) return <Text of={body} />;
  return (
    <details>
      <summary>
        <Text of={line} />
      </summary>
      <pre>
        <Text of={body} />
      </pre>
    </details>
  );
};
