import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { failureOf, isSignedOut } from './calls/failure.ts';

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

/** Shows an application in the document. A call whose session has ended raises `signed-out`. */
export const renderApp = (app: ReactNode): void => {
  createRoot(document.getElementById('app')!).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queries}>{app}</QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
};
