/** What every page runs. Each part does nothing where its elements are missing. */
import { startContents } from './contents.ts';
import { startCopyButtons } from './copy-buttons.ts';
import { startSearch } from './search-dialog.ts';
import { startSideMenu } from './side-menu.ts';
import { startTabs } from './tabs.ts';
import { startThemeSwitch } from './theme-switch.ts';

startThemeSwitch();
startSideMenu();
startTabs();
startCopyButtons();
startContents();
startSearch();
