import { useQueryClient } from '@tanstack/react-query';
import { useContext, useEffect, useState } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { isSignedOut } from '../calls/failure.ts';
import { useCall } from '../calls/use-call.ts';
import { Frame, type FramePage } from '../parts/frame.tsx';
import { chooseLanguage } from '../parts/language.ts';
import { NotFound } from '../parts/not-found.tsx';
import { Problem } from '../parts/problem.tsx';
import { QuietButton } from '../parts/quiet-button.tsx';
import { Time } from '../parts/time.tsx';
import { shownLanguage, t } from '../parts/words.ts';
import { endSession, readSession } from './api.ts';
import { Opening } from './opening.tsx';
import { EndpointPage } from './pages/endpoint.tsx';
import { EndpointsPage } from './pages/endpoints.tsx';
import { KeysPage } from './pages/keys.tsx';
import { OrderPage } from './pages/order.tsx';
import { OrdersPage } from './pages/orders.tsx';
import { RequestsPage } from './pages/requests.tsx';
import { PortalSession, usePermitted } from './session.ts';

/**
 * Time between two reads of the session, in ms. The gateway answers requests of an ended session
 * with 429 if many at one address have ended, so they do not say that it has.
 */
const sessionMs = 15_000;

/** The code of the link with which the portal was opened. The address bar loses it at once. */
const codeOfLink = (): string => {
  const code = location.hash.slice(1);
  if (code !== '') history.replaceState(null, '', location.pathname);
  return code;
};

/** The page that opens a link, or says that there is no session; else the page of the path. */
export const Portal = () => {
  const queries = useQueryClient();
  const [code, setCode] = useState(codeOfLink);
  const [hasEnded, setEnded] = useState(false);
  const session = useCall(['session'], readSession, {
    live: true,
    everyMs: sessionMs,
    enabled: code === '' && !hasEnded,
  });
  useEffect(() => {
    const ended = () => setEnded(true);
    const linked = () => setCode(codeOfLink());
    addEventListener('signed-out', ended);
    addEventListener('hashchange', linked);
    return () => {
      removeEventListener('signed-out', ended);
      removeEventListener('hashchange', linked);
    };
  }, []);
  const opened = () => {
    queries.clear(); // another session must not see what this one has read
    setEnded(false);
    setCode('');
  };
  if (code !== '' || hasEnded || isSignedOut(session.error))
    return <Opening code={code} onDone={opened} />;
  if (session.error && !session.data)
    return <Problem error={session.error} retry={session.refetch} />;
  if (!session.data) return <main className="waiting" aria-busy="true" />;
  return (
    <PortalSession value={session.data}>
      <Pages />
    </PortalSession>
  );
};

const signOuts = {
  text: 'Your session ends, and the link with which you came does not open another one.',
  actions: { 'Sign out': endSession },
} as const;

const Pages = () => {
  const { readsOrders, readsEndpoints, readsKeys, endpointId } = usePermitted();
  const session = useContext(PortalSession)!;
  const pages: FramePage[] = [
    ...(readsOrders ? [['/orders', 'Orders', 'o'] as const] : []),
    ...(readsOrders ? [['/requests', 'Requests', 'r'] as const] : []),
    ...(readsEndpoints ? [[endpointsPath(endpointId), 'Endpoints', 'e'] as const] : []),
    ...(readsKeys ? [['/keys', 'Keys', 'k'] as const] : []),
  ];
  const home = pages[0]?.[0] ?? '/orders';
  return (
    <Frame
      brand="Portal"
      environment={session.environment}
      pages={pages}
      searchAt="/orders"
      who={
        <span>
          {session.organization}
          {session.session.readOnly && `, ${t('read only')}`}, {t('ends')}{' '}
          <Time at={session.session.expiresAt} />
        </span>
      }
      more={<LanguageButton />}
      signOuts={signOuts}
    >
      <Switch>
        {readsOrders && (
          <Route path="/orders/:id">{({ id }) => <OrderPage id={id} key={id} />}</Route>
        )}
        {readsOrders && <Route path="/orders" component={OrdersPage} />}
        {readsOrders && <Route path="/requests" component={RequestsPage} />}
        {readsKeys && <Route path="/keys" component={KeysPage} />}
        <Route path="/endpoints/:id">{({ id }) => <EndpointPage id={id} key={id} />}</Route>
        <Route path="/endpoints" component={EndpointsPage} />
        {/* a session that is limited to its endpoint has no other page */}
        {['/', '/orders', '/orders/:id', '/requests', '/keys'].map((path) => (
          <Route key={path} path={path}>
            <Redirect to={home} replace />
          </Route>
        ))}
        <Route>
          <NotFound brand="Portal" pages={pages} />
        </Route>
      </Switch>
    </Frame>
  );
};

const LanguageButton = () => {
  const [other, name] =
    shownLanguage() === 'de' ? (['en', 'English'] as const) : (['de', 'Deutsch'] as const);
  return (
    <QuietButton lang={other} onClick={() => chooseLanguage(other)}>
      {name}
    </QuietButton>
  );
};

const endpointsPath = (only: string | undefined): string =>
  only === undefined ? '/endpoints' : `/endpoints/${only}`;
