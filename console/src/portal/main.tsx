import { beginInLanguage } from '../parts/language.ts';
import { renderApp } from '../render-app.tsx';
import { Portal } from './app.tsx';
import { german } from './german/index.ts';

beginInLanguage(german);
renderApp(<Portal />);
