import { browserLanguage, setLanguage } from '../parts/words.ts';
import { renderApp } from '../render-app.tsx';
import { DriverPage } from './app.tsx';
import { german } from './german.ts';
import { installWorker } from './install-worker.ts';

const language = browserLanguage();
document.documentElement.lang = language;
setLanguage(language, language === 'de' ? german : {});
installWorker();
renderApp(<DriverPage />);
