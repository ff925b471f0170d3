import { renderApp } from '../render-app.tsx';
import { LinkPage } from './page.tsx';

renderApp(<LinkPage />);
