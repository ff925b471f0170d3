import { App } from './app.tsx';
import { pageRequestId } from './calls/page-request-id.ts';
import { renderApp } from './render-app.tsx';

renderApp(<App />, pageRequestId);
