import { useEffect, useRef, useState } from 'react';
import { failureOf } from '../calls/failure.ts';
import { useUnanswered } from '../calls/unanswered.ts';
import { useCall } from '../calls/use-call.ts';
import { browserLanguage, type Language } from '../parts/words.ts';
import { readLinked } from './api.ts';
import { Linked } from './linked.tsx';
import { texts } from './texts.ts';

/** Time between two reads of a visible page, in ms. */
const everyMs = 15_000;
const secretForm = /^svc_(?:live|test)_[0-9A-Za-z]{49}$/;

/** The secret stays in the address, so that the page can be opened again, and by several people. */
const secretOfLink = (): string => {
  const secret = location.hash.slice(1);
  return secretForm.test(secret) ? secret : '';
};

/** The page of a link for one order (decision 86). */
export const LinkPage = () => {
  const [secret] = useState(secretOfLink);
  const [language, setLanguage] = useState<Language>(browserLanguage);
  const [hasEnded, setEnded] = useState(secret === '');
  const isOpened = useRef(false);
  const { data, error } = useCall(
    ['link'],
    async () => {
      const read = await readLinked(secret, !isOpened.current);
      isOpened.current = true;
      return read;
    },
    { live: true, everyMs, enabled: !hasEnded },
  );
  // any other answer, such as that of a limit, is about the way there and may be followed by another
  const isRefused = error !== null && failureOf(error).kind === 'NOT_FOUND';
  useEffect(() => {
    if (isRefused) setEnded(true);
  }, [isRefused]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useEffect(() => {
    const another = () => location.reload();
    addEventListener('hashchange', another);
    return () => removeEventListener('hashchange', another);
  }, []);
  const words = texts[language];
  const endedTitle = secret === '' ? words.incompleteTitle : words.endedTitle;
  const isCurrent = useUnanswered() === undefined && error === null;
  return (
    <div className="linked">
      <header>
        <strong>{words.title}</strong>
        <button
          type="button"
          className="quiet small"
          lang={language === 'en' ? 'de' : 'en'}
          aria-label={`${words.languageOf}: ${words.other}`}
          onClick={() => setLanguage(language === 'en' ? 'de' : 'en')}
        >
          {words.other}
        </button>
      </header>
      <main aria-busy={!hasEnded && !data}>
        {!hasEnded && !isCurrent && (
          <p className="error" role="alert">
            {words.stale}
          </p>
        )}
        {hasEnded ? (
          <>
            <title>{endedTitle}</title>
            <h1>{endedTitle}</h1>
            <p>{secret === '' ? words.incomplete : words.ended}</p>
          </>
        ) : (
          <>
            {!data && isCurrent && <p role="status">{words.wait}</p>}
            {data && <Linked of={data} secret={secret} language={language} words={words} />}
          </>
        )}
      </main>
    </div>
  );
};
