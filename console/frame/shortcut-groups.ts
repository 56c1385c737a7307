import { enterSends } from '../data/preferences.js';
import { words } from '../words/en.js';
import { inboxComposerWords } from '../words/inbox-composer.js';
import { inboxListWords } from '../words/inbox-list.js';
import { settingsWords } from '../words/inbox-settings.js';
import { inboxWorkWords } from '../words/inbox-work.js';
import { keyboardWords } from '../words/keyboard.js';
import { keyName } from './letter-hint.js';
import type { NavigationEntry } from './screens.js';

/** A shortcut: what it does, and the keys that are pressed, one after the other. */
export interface Shortcut {
  readonly label: string;
  readonly keys: readonly string[];
}

export interface ShortcutGroup {
  readonly title: string;
  readonly shortcuts: readonly Shortcut[];
  /** What letters of it are called on the page where they mean something; none for what holds everywhere. */
  readonly marks: readonly string[];
}

const { groups, rows } = keyboardWords;

const letter = (key: string, label: string): Shortcut => ({ label, keys: [keyName(key)] });
const group = (title: string, ...shortcuts: readonly Shortcut[]): ShortcutGroup => ({
  title,
  shortcuts,
  marks: shortcuts.map(({ label }) => label),
});

/** All shortcuts of the console, by where they mean something. @param entries of the navigation, as somebody sees it */
export function shortcutGroups(entries: readonly NavigationEntry[]): readonly ShortcutGroup[] {
  const { keys: list } = inboxListWords;
  const { keys: composer } = inboxComposerWords;
  const { letters: work } = inboxWorkWords;
  const { keys: campaigns } = words.campaigns;
  const { keys: campaign } = words.campaign;
  const open: Shortcut = { label: rows.open, keys: ['Enter'] };
  const [send, line] = enterSends.value ? (['Enter', 'Shift Enter'] as const) : (['Ctrl Enter', 'Enter'] as const);
  const everywhere: readonly Shortcut[] = [
    { label: rows.help, keys: ['?'] },
    { label: rows.escape, keys: ['Esc'] },
    ...entries.map(({ label, letter: key }) => ({ label: rows.goTo(label), keys: ['G', keyName(key)] })),
  ];
  const writing: readonly Shortcut[] = [
    { label: rows.send, keys: [send] },
    { label: rows.line, keys: [line] },
    { label: rows.replies, keys: ['/'] },
  ];
  return [
    { title: groups.everywhere, shortcuts: everywhere, marks: [] },
    group(
      groups.list,
      letter('/', list.search),
      letter('j', list.next),
      letter('k', list.previous),
      open,
      letter('n', work.start),
    ),
    group(
      groups.thread,
      letter('r', composer.answer),
      letter('m', composer.note),
      letter('t', composer.template),
      letter('a', work.assign),
      letter('A', work.take),
      letter('e', work.resolve),
      letter('o', work.reopen),
      letter('z', words.help.undo),
    ),
    { title: groups.writing, shortcuts: writing, marks: [composer.answer] },
    group(
      groups.campaigns,
      letter('/', campaigns.search),
      letter('j', campaigns.next),
      letter('k', campaigns.previous),
      open,
    ),
    group(groups.campaign, letter('p', campaign.pause), letter('s', campaign.state), letter('/', campaign.search)),
    group(groups.replies, letter('n', settingsWords.replies.add), letter('/', settingsWords.replies.find)),
  ];
}
