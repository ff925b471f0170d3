import { type ReactNode, useContext, useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, useLocation } from 'wouter';
import { signOut } from '../calls/session.ts';
import { Me } from './me.ts';
import { Confirm, Window } from './window.tsx';

/** The pages, each with the key that follows `g`. */
const pages = [
  ['/orders', 'Orders', 'o'],
  ['/organizations', 'Organizations', 'p'],
  ['/ledger', 'Ledger', 'l'],
  ['/dead-letters', 'Dead letters', 'd'],
  ['/audit', 'Audit log', 'a'],
  ['/status', 'Status', 's'],
] as const;

const keyMaxMs = 1000;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, dialog') !== null;

/** Navigation around a page, and its keys: `/` searches, `g o` goes to the orders, `?` lists them. */
export const Frame = ({ children }: { children: ReactNode }) => {
  const [path, go] = useLocation();
  const me = useContext(Me)!;
  const [showsKeys, setShowsKeys] = useState(false);
  const [leaving, setLeaving] = useState(false);
  useEffect(() => {
    let goAt = Number.NEGATIVE_INFINITY;
    const pressed = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const page = pages.find(([, , key]) => key === event.key);
      if (page && event.timeStamp - goAt < keyMaxMs) go(page[0]);
      else if (event.key === '/') {
        event.preventDefault();
        // synchronously, so that the next keys arrive in the field
        if (document.querySelector('#search') === null) flushSync(() => go('/orders'));
        document.querySelector<HTMLElement>('#search')?.focus();
      } else if (event.key === '?') setShowsKeys(true);
      goAt = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [go]);
  const leave = async (everywhere: boolean) => {
    await signOut(everywhere);
    location.assign('/');
  };
  return (
    <>
      {pages.some(([to]) => to === path) && (
        <title>{`${pages.find(([to]) => to === path)![1]} – Console`}</title>
      )}
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="frame">
        <Link href="/orders" className="brand">
          Console
        </Link>
        <nav aria-label="Pages">
          {pages.map(([to, name]) => (
            <Link key={to} href={to} aria-current={path.startsWith(to) ? 'page' : undefined}>
              {name}
            </Link>
          ))}
        </nav>
        <div className="who">
          <span title={me.roles.join(', ')}>{me.name}</span>
          <button type="button" className="quiet" onClick={() => setShowsKeys(true)}>
            Shortcuts
          </button>
          <button type="button" className="quiet" onClick={() => setLeaving(true)}>
            Sign out
          </button>
        </div>
      </header>
      <main id="content">{children}</main>
      <Window title="Shortcuts" open={showsKeys} onClose={() => setShowsKeys(false)}>
        <dl className="keys">
          <dt>
            <kbd>/</kbd>
          </dt>
          <dd>Search orders</dd>
          {pages.map(([to, name, key]) => (
            <div key={to} className="row">
              <dt>
                <kbd>g</kbd> <kbd>{key}</kbd>
              </dt>
              <dd>{name}</dd>
            </div>
          ))}
          <dt>
            <kbd>?</kbd>
          </dt>
          <dd>These shortcuts</dd>
        </dl>
      </Window>
      <Confirm
        title="Sign out"
        text="Sign out of this browser, or of every browser in which you are signed in?"
        open={leaving}
        onClose={() => setLeaving(false)}
        actions={[
          ['Everywhere', () => leave(true)],
          ['This browser', () => leave(false)],
        ]}
      />
    </>
  );
};
