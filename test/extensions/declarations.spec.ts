import { Column, Entity, PrimaryColumn } from 'typeorm';
import { loadEnvironment } from '../../src/config/environment.js';
import { parseNumber } from '../../src/config/environment-values.js';
import { Settings, setting } from '../../src/config/settings.js';
import { type EventManifest, eventBody } from '../../src/manifest/event-manifest.js';
import { requireOwnNames } from '../../src/manifest/extension.js';
import { Manifest } from '../../src/manifest/manifest.js';
import { Room, type RoomManifest } from '../../src/manifest/room.js';
import { MANIFEST } from '../../src/rooms.js';
import { serviceEnvironment } from '../operations/service-environment.js';
import NotesModule from './notes/notes.module.js';
import { NotesSettings } from './notes/notes.settings.js';

@Entity('other_things')
class Other {
  @PrimaryColumn({ type: 'uuid' })
  id: string;
}

@Entity('notes_things')
class Unkeyed {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'uuid' })
  accountId: string;
}

class CreateThings {
  async up(): Promise<void> {}
  async down(): Promise<void> {}
}

const eventOf = (kind: string, more: Partial<EventManifest> = {}) =>
  class extends eventBody(kind, { when: 'A note was made', ...more }) {};

const roomOf = (manifest: RoomManifest) => {
  @Room(manifest)
  class NotesRoom {}
  return NotesRoom;
};
const manifestWith = (declared: RoomManifest, name = 'notes') =>
  new Manifest(MANIFEST.core, { [name]: roomOf(declared) });

describe('an extension', () => {
  it('may declare what begins with its name', () => {
    expect(() => requireOwnNames(new Manifest(MANIFEST.core, { notes: NotesModule }))).not.toThrow();
  });

  it.each<[string, RoomManifest, string]>([
    [
      'tables',
      { entities: [Other] },
      'its tables must begin with notes_ and differ from notes_migrations (got other_things)',
    ],
    ['keys', { entities: [Unkeyed] }, 'the primary key of notes_things must begin with account_id'],
    [
      'events',
      { areas: ['notes'], events: [eventOf('remark.made')] },
      'its events must begin with notes. (got remark.made)',
    ],
    [
      'endpoints',
      { areas: ['notes'], events: [eventOf('notes.made', { reach: 'usual' })] },
      'endpoints get notes.made only when they ask for it: it cannot be usual',
    ],
    ['scopes', { areas: ['remarks'] }, 'its scopes must be notes:read and notes:write, not remarks:…'],
    [
      'migrations',
      { migrations: [CreateThings] },
      'its migrations must end with 13 digits that ascend (got CreateThings)',
    ],
    [
      'variables',
      { settings: Settings({ port: setting('PORT', '1', parseNumber(1, 2)) }) },
      'its variables must begin with NOTES_ (got PORT)',
    ],
  ])('is refused for %s of others', (_, declared, reason) => {
    expect(() => requireOwnNames(manifestWith(declared))).toThrow(`extensions/notes: ${reason}`);
  });

  it.each([
    ['webhook', 'Parley itself has webhook_'],
    ['schema', 'Parley itself has schema'],
    ['network', 'Parley itself has network_'],
  ])('is refused when it is called %s', (name, reason) => {
    expect(() => requireOwnNames(manifestWith({}, name))).toThrow(`extensions/${name}: the name is taken: ${reason}`);
  });

  it('is refused when its tables could be those of another one', () => {
    const manifest = new Manifest([], { notes: NotesModule, notes_archive: roomOf({}) });
    expect(() => requireOwnNames(manifest)).toThrow('its tables could be those of the extension notes_archive');
  });

  it('has its settings read and checked with the environment', () => {
    const manifest = new Manifest([], { notes: NotesModule });
    const settingsOf = (env: Readonly<Record<string, string>>) =>
      loadEnvironment(manifest, serviceEnvironment('postgres://127.0.0.1/parley', env)).settings.get(NotesSettings);
    expect(settingsOf({ NOTES_LIMIT: '20' })).toEqual({ heading: 'Notes', limit: 20, token: 'none' });
    expect(() => settingsOf({ NOTES_LIMIT: '1000' })).toThrow(
      'NOTES_LIMIT must be a whole number from 1 to 100 (got 1000)',
    );
    expect(() => settingsOf({ NOTES_TOKEN_FILE: '/does/not/exist' })).toThrow(
      'NOTES_TOKEN_FILE names a file that cannot be read',
    );
  });
});
