import { renderApp } from '../render-app.tsx';
import { Portal } from './app.tsx';
import { beginInLanguage } from './language.ts';

beginInLanguage();
renderApp(<Portal />);
