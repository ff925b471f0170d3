import { useState } from 'react';
import { Text } from './text.tsx';
import { t } from './words.ts';

/** A text with a button that copies it. */
export const Copy = ({ text }: { text: string }) => {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <span className="copy">
      <code>
        <Text of={text} />
      </code>
      <button type="button" className="quiet" onClick={copy} aria-label={`${t('Copy')} ${text}`}>
        {t(copied ? 'Copied' : 'Copy')}
      </button>
    </span>
  );
};
