import type { IconName } from '../parts/icon.js';
import { words } from '../words/en.js';
import { settingsWords } from '../words/inbox-settings.js';
import type { ScreenModule } from './screen.js';

/** A screen: its path below the account, and what loads it. */
export interface Screen {
  readonly pattern: string;
  readonly title: string;
  readonly load: () => Promise<ScreenModule>;
  /** Addresses of the same group share one screen, which stays when somebody goes from one to the other. */
  readonly group?: string;
  /** Whether the screen fills the sheet, and its parts scroll by themselves. */
  readonly fills?: boolean;
}

/** An entry of the navigation. */
export interface NavigationEntry {
  readonly label: string;
  readonly icon: IconName;
  /** Where it leads, below the account. */
  readonly path: string;
  /** The beginning of all paths for which it is marked. */
  readonly marks: string;
  /** The letter after `g` that leads there. */
  readonly letter: string;
  /** Only who may read it sees it. */
  readonly scope?: string;
  /** Whether the number of people who wait stands beside it. */
  readonly hasWaiting?: boolean;
  /** Whether it leads back to where somebody was on its screen. */
  readonly keepsPlace?: boolean;
  /** Whether it stands at the bottom. */
  readonly atFoot?: boolean;
}

const loadInbox = () => import('../screens/inbox/inbox.js');
const INBOX = { title: words.inbox.title, load: loadInbox, group: 'inbox', fills: true };

/** Every screen of an account. The first one is where people come in. */
export const SCREENS: readonly [Screen, ...Screen[]] = [
  { pattern: 'inbox', ...INBOX },
  { pattern: 'inbox/:contact/:phone', ...INBOX },
  { pattern: 'campaigns', title: words.campaigns.title, load: () => import('../screens/campaigns/campaigns.js') },
  { pattern: 'campaigns/:id', title: words.campaign.title, load: () => import('../screens/campaign/campaign.js') },
  { pattern: 'settings/you', title: words.you.title, load: () => import('../screens/you/you.js') },
  {
    pattern: 'settings/inbox',
    title: settingsWords.titles.inbox,
    load: () => import('../screens/settings-inbox/settings-inbox.js'),
  },
  {
    pattern: 'settings/saved-replies',
    title: settingsWords.titles.savedReplies,
    load: () => import('../screens/saved-replies/saved-replies.js'),
  },
];

/** The navigation, in its order. It has only screens that exist. */
export const NAVIGATION: readonly NavigationEntry[] = [
  {
    label: words.nav.inbox,
    icon: 'inbox',
    path: 'inbox',
    marks: 'inbox',
    letter: 'i',
    scope: 'conversations:read',
    hasWaiting: true,
    keepsPlace: true,
  },
  {
    label: words.nav.campaigns,
    icon: 'campaign',
    path: 'campaigns',
    marks: 'campaigns',
    letter: 'c',
    scope: 'campaigns:read',
  },
  { label: words.nav.settings, icon: 'settings', path: 'settings/you', marks: 'settings', letter: 's', atFoot: true },
];
