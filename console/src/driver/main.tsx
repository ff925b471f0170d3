import { beginInLanguage } from '../parts/language.ts';
import { renderApp } from '../render-app.tsx';
import { DriverPage } from './app.tsx';
import { german } from './german.ts';
import { installWorker } from './install-worker.ts';

beginInLanguage(german);
installWorker();
renderApp(<DriverPage />);
