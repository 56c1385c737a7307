import { parseNumber, Settings, secretSetting, setting } from 'parley';

/** How notes are shown. */
export class NotesSettings extends Settings({
  heading: setting('NOTES_HEADING', 'Notes', (value) => value),
  limit: setting('NOTES_LIMIT', '10', parseNumber(1, 100)),
  token: secretSetting('NOTES_TOKEN', 'none', (value) => value),
}) {}
