import { renderApp } from '../render-app.tsx';
import { Portal } from './app.tsx';

renderApp(<Portal />);
