import { App } from './app.tsx';
import { renderApp } from './render-app.tsx';

renderApp(<App />);
