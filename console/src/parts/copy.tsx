import { useState } from 'react';
import { shortId } from './short-id.ts';
import { Text } from './text.tsx';
import { t } from './words.ts';

const useCopy = (text: string) => {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  const button = { type: 'button', onClick: copy } as const;
  return { copied, button };
};

/** A text with a button that copies it. */
export const Copy = ({ text }: { text: string }) => {
  const { copied, button } = useCopy(text);
  return (
    <span className="copy">
      <code>
        <Text of={text} />
      </code>
      <button {...button} className="quiet" aria-label={`${t('Copy')} ${text}`}>
        {t(copied ? 'Copied' : 'Copy')}
      </button>
    </span>
  );
};

/** An id in a list, short and small: a click copies it whole. */
export const CopyId = ({ of }: { of: string }) => {
  const { copied, button } = useCopy(of);
  return (
    <button {...button} className="id" title={`${t('Copy')} ${of}`}>
      {copied ? t('Copied') : shortId(of)}
    </button>
  );
};
