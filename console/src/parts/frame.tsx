import { type ReactNode, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, useLocation } from 'wouter';
import { product, titled } from './environment.ts';
import { QuietButton } from './quiet-button.tsx';
import { Unanswered } from './unanswered.tsx';
import type { Count } from './use-counts.ts';
import { Confirm, Window } from './window.tsx';
import { t } from './words.ts';

/** A page: its path, its name, and the key that follows `g`. */
export type FramePage = readonly [
  path: string,
  name: string,
  key: string,
  /** Paths of pages that belong to it. */
  ...of: string[],
];

type Shortcuts = readonly (readonly [key: string, does: string])[];

const keyMaxMs = 1000;
const fewMax = 5;

/** Whether the keys are those of a field or a dialog. */
export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target.closest(
    'input:not([type="checkbox"], [type="radio"]), textarea, select, dialog, [role="dialog"]',
  ) !== null;

/**
 * Navigation around a page, and its keys: `/` searches, `g o` goes to the orders, `?` lists them. On
 * narrow screens a button, which names the page, unfolds the pages.
 * @param environment `production`, or `sandbox`, which the frame shows by a word and stripes.
 * @param searchAt path of the page that has the search, where the shown page has none.
 * @param shortcuts keys of pages, with what they do.
 * @param counts how much waits on a page, by its path.
 * @param more buttons beside the one that signs out.
 * @param signOuts the ways to sign out.
 */
export const Frame = ({
  brand,
  environment = '',
  pages,
  counts = {},
  searchAt,
  shortcuts = [],
  who,
  more,
  signOuts,
  children,
}: {
  brand: string;
  environment?: string | undefined;
  pages: readonly FramePage[];
  counts?: Readonly<Record<string, Count>>;
  searchAt: string;
  shortcuts?: Shortcuts;
  who: ReactNode;
  more?: ReactNode;
  signOuts: {
    readonly text: string;
    readonly actions: Parameters<typeof Confirm>[0]['actions'];
  };
  children: ReactNode;
}) => {
  const [path, go] = useLocation();
  const home = pages[0]![0];
  const page = pages.find(([to]) => to === path);
  const current = pages.find(([to, , , ...of]) => [to, ...of].some((one) => isAt(path, one)));
  const waits = counts[home]?.count;
  const waiting = Object.values(counts);
  const [showsKeys, setShowsKeys] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const [showsMenu, setShowsMenu] = useState(false);
  useEffect(() => {
    let goAt = Number.NEGATIVE_INFINITY;
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const target = pages.find(([, , key]) => key === event.key);
      if (target && event.timeStamp - goAt < keyMaxMs) {
        event.preventDefault(); // the page that is left has keys of its own
        go(target[0]);
      } else if (event.key === '/') {
        event.preventDefault();
        // synchronously, so that the next keys arrive in the field
        if (document.querySelector('#search') === null) flushSync(() => go(searchAt));
        document.querySelector<HTMLElement>('#search')?.focus();
      } else if (event.key === '?') setShowsKeys(true);
      goAt = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    };
    addEventListener('keydown', pressed, { capture: true });
    return () => removeEventListener('keydown', pressed, { capture: true });
  }, [go, searchAt, pages]);
  return (
    <>
      {page && <title>{`${waits ? `(${waits}) ` : ''}${t(page[1])} – ${titled(brand)}`}</title>}
      <a className="skip" href="#content">
        {t('Skip to content')}
      </a>
      <header
        className={`frame ${environment}${showsMenu ? ' open' : ''}${pages.length > fewMax ? '' : ' few'}`}
      >
        <Link href={home} className="brand">
          <span className="product">{product}</span> {brand}
        </Link>
        {environment !== '' && <span className="environment">{t(environment)}</span>}
        <div className="who">{who}</div>
        <QuietButton
          className="menu"
          aria-expanded={showsMenu}
          aria-controls="pages"
          onClick={() => setShowsMenu(!showsMenu)}
        >
          {t('Menu')}
          {current && <span className="menu-page">: {t(current[1])}</span>}{' '}
          {waiting.length > 0 && (
            <span className={`badge ${waiting.some(({ isBad }) => isBad) ? 'bad' : 'warn'}`}>
              {waiting.reduce((sum, { count }) => sum + count, 0)}
            </span>
          )}
        </QuietButton>
        <nav id="pages" aria-label={t('Pages')}>
          {pages.map(([to, name]) => (
            <Link
              key={to}
              href={to}
              aria-current={to === current?.[0] ? 'page' : undefined}
              onClick={() => setShowsMenu(false)}
            >
              {t(name)}{' '}
              {counts[to] && (
                <span className={`badge ${counts[to].isBad ? 'bad' : 'warn'}`}>
                  {counts[to].count}
                </span>
              )}
            </Link>
          ))}
        </nav>
        <div className="account">
          {more}
          <QuietButton className="keyboard" onClick={() => setShowsKeys(true)}>
            {t('Shortcuts')}
          </QuietButton>
          <QuietButton onClick={() => setLeaving(true)}>{t('Sign out')}</QuietButton>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
      <Unanswered />
      {showsKeys && (
        <ShortcutsWindow pages={pages} shortcuts={shortcuts} onClose={() => setShowsKeys(false)} />
      )}
      {leaving && (
        <Confirm
          title={t('Sign out')}
          text={signOuts.text}
          onClose={() => setLeaving(false)}
          actions={signOuts.actions}
        />
      )}
    </>
  );
};

const isAt = (path: string, to: string): boolean =>
  to === '/' ? path === to : path.startsWith(to);

const ShortcutsWindow = ({
  pages,
  shortcuts,
  onClose,
}: {
  pages: readonly FramePage[];
  shortcuts: Shortcuts;
  onClose: () => void;
}) => (
  <Window title={t('Shortcuts')} onClose={onClose}>
    <dl className="keys">
      {[
        ['/', 'Search orders'] as const,
        ...pages.map(([, name, key]) => [`g ${key}`, name] as const),
        ...[...shortcuts, ['?', 'These shortcuts'] as const],
      ].map(([keys, does]) => (
        <div key={keys} className="row">
          <dt>
            <kbd>{keys}</kbd>
          </dt>
          <dd>{t(does)}</dd>
        </div>
      ))}
    </dl>
  </Window>
);
