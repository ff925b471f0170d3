import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { failureOf, isSignedOut } from './calls/failure.ts';
import { Boundary } from './parts/boundary.tsx';
import { Copy } from './parts/copy.tsx';
import { rich, t } from './parts/words.ts';

const retriesMax = 2;

const queries = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (isSignedOut(error)) dispatchEvent(new Event('signed-out'));
    },
  }),
  defaultOptions: {
    queries: {
      // an answer, such as that an order does not exist, stays the same
      retry: (count, error) => failureOf(error).isOffline && count < retriesMax,
      refetchOnWindowFocus: true,
    },
  },
});

/** What to do when the application cannot draw what it has read. */
const Broken = ({ requestId }: { requestId: string | undefined }) => (
  <main>
    <div className="problem" role="alert">
      <h1>{t('This page cannot be shown')}</h1>
      <p>{rich('Reload it, or go to {home}.', { home: <a href="/">{t('the start page')}</a> })}</p>
      {requestId !== undefined && (
        <p>
          {t('If it stays so, report it with the request id:')} <Copy text={requestId} />
        </p>
      )}
      <button type="button" onClick={() => location.reload()}>
        {t('Reload')}
      </button>
    </div>
  </main>
);

/**
 * Shows an application in the document. A call whose session has ended raises `signed-out`.
 * @param requestId returns the one to report when a page cannot be shown; absent: calls have none.
 */
export const renderApp = (app: ReactNode, requestId?: () => string): void => {
  createRoot(document.getElementById('app')!).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queries}>
          <Boundary instead={<Broken requestId={requestId?.()} />}>{app}</Boundary>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
};
