import { beginInLanguage } from '../parts/language.ts';
import { renderApp } from '../render-app.tsx';
import { DriverPage } from './app.tsx';
import { english } from './english.ts';
import { keepFocus } from './focus.ts';
import { german } from './german.ts';
import { installWorker } from './install-worker.ts';

beginInLanguage(german, english);
installWorker();
keepFocus();
renderApp(<DriverPage />);
